/* SPDX-License-Identifier: MIT */
/*
 * How to reach a Kubernetes API server: kubeconfig as kubectl reads it.
 *
 * Where it is looked for, the first that is there: the path that was asked
 * for (--kubeconfig, or a runbook's); the list in KUBECONFIG; the account
 * of the pod that we run in; /etc/rancher/k3s/k3s.yaml, /etc/rancher/rke2/rke2.yaml;
 * /etc/kubernetes/admin.conf; ~/.kube/config.  Of a list, missing files are
 * passed over, and the first file to define a cluster, user or context gives
 * it whole; relative paths count from the folder of the file that has them.
 *
 * A file that belongs to another user than root or ourselves, or that others
 * may write, is refused: it may name a program that would run as root.  So
 * are exec plugins and insecure-skip-tls-verify, unless they were allowed.
 *
 * Errors: -ENOENT there is none (nothing was asked for and none was found);
 * -EPERM a file is not safe, or what it wants was not allowed (the hint says
 * what to do); -EBADMSG what it holds is wrong, as file:line:column; -ENOKEY
 * a context, cluster or user that it names is not defined.
 */
#ifndef COLDSWAP_PROBE_KUBECONFIG_H
#define COLDSWAP_PROBE_KUBECONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "attr.h"
#include "error.h"
#include "host.h"
#include "sys/secret.h"

struct kubeconfig_asked {
	const char *path;    /* one file, absolute; NULL = look for it */
	const char *context; /* NULL = its current-context */
	bool allow_exec;     /* the operator said yes to running the plugin that it names */
	bool allow_insecure; /* and to a server whose certificate is not looked at */
};

/* A credential plugin: run as root, by its absolute path or as PATH finds it. */
struct kube_exec {
	char *version; /* "client.authentication.k8s.io/v1" */
	char *command;
	char **args, **env; /* env: "NAME=value" */
	bool cluster_info;  /* provideClusterInfo */
};

struct kube_access {
	char *source; /* "/etc/rancher/k3s/k3s.yaml: context default" */
	char *context, *cluster, *user, *namespace;
	char *server;      /* "https://127.0.0.1:6443" */
	char *server_name; /* tls-server-name; or NULL */
	char *ca;          /* PEM, from data or path; or NULL */
	char *proxy;       /* proxy-url; or NULL */
	bool insecure;
	char *certificate; /* PEM; or NULL */
	struct secret key; /* PEM */
	struct secret token;
	char *token_file; /* wins over token once it can be read; read again each minute */
	char *username;
	struct secret password;
	struct kube_exec *exec; /* or NULL */
	char **files;           /* what was read, NULL-terminated: none may lie on a moved disk */
};

/* The running system alone; -EOPNOTSUPP for a capture. */
int kubeconfig_load(struct host *host, const struct kubeconfig_asked *asked,
		    struct kube_access *ret, struct error *err);
/* The token to send now: of the file, the plugin (run anew when it expired) or the configuration. */
int kube_access_token(struct host *host, struct kube_access *access, struct secret *ret,
		      struct error *err);
void kube_access_done(struct kube_access *access);
#define AUTO_KUBE_ACCESS CLEANUP(kube_access_done) struct kube_access

#endif

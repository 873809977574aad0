/* SPDX-License-Identifier: MIT */
/*
 * The Kubernetes API: objects read, lists paged, watches kept, scales set.
 *
 * A `struct kube` is a connection to an API server, or the lists of a capture
 * (coldswap/kube/PLURAL.json), which can be listed and nothing else.  Items
 * are handed over one by one as they come; no list is ever held whole.
 *
 * Errors, with the verb, the resource and the server in their words:
 * -EACCES 401 (who are we); -EPERM 403 (the hint names verb, resource and
 * docs/rbac.yaml); -ENOENT 404 (no such object, or the server does not know
 * the resource); -EBUSY 409 (changed meanwhile: read again); -ESTALE 410
 * (the version is too old: list again); -EAGAIN 429 or 503 after the waiting
 * that the server asked for, within the deadline; -EREMOTEIO 5xx, with its
 * message; -EPROTO what is no answer of such a server, a redirect included;
 * and those of http.h.
 */
#ifndef COLDSWAP_PROBE_KUBE_H
#define COLDSWAP_PROBE_KUBE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "attr.h"
#include "base/json.h"
#include "error.h"
#include "host.h"
#include "probe/kubeconfig.h"

struct kube;

/* Resources that are asked for: rows of kube_rows.c, with group, version and plural. */
enum kube_resource {
	KUBE_NODES,
	KUBE_NAMESPACES,
	KUBE_PODS,
	KUBE_VOLUMES, /* persistentvolumes */
	KUBE_CLAIMS,  /* persistentvolumeclaims */
	KUBE_DEPLOYMENTS,
	KUBE_STATEFULSETS,
	KUBE_REPLICASETS,
	KUBE_DAEMONSETS,
	KUBE_JOBS,
	KUBE_CRONJOBS,
	KUBE_AUTOSCALERS,    /* horizontalpodautoscalers, autoscaling/v2 */
	KUBE_BUDGETS,        /* poddisruptionbudgets */
	KUBE_SCALED_OBJECTS, /* KEDA */
	KUBE_APPLICATIONS,   /* Argo CD */
	KUBE_KUSTOMIZATIONS, /* Flux */
	KUBE_HELM_RELEASES,  /* Flux */
	KUBE_LVM_CLUSTERS,   /* LVMS */
	KUBE_BLOCK_DEVICES,  /* OpenEBS */
	KUBE_CEPH_CLUSTERS,  /* rook */
	KUBE_N_RESOURCES,
};
const char *kube_resource_name(enum kube_resource resource); /* "deployments.apps" */
const char *kube_resource_plural(enum kube_resource resource);
bool kube_resource_namespaced(enum kube_resource resource);

/*
 * A server: `access` is borrowed and must outlive it.  Nothing is asked yet.
 * NULL: the lists of a capture.
 */
int kube_open(struct host *host, struct kube_access *access, const volatile sig_atomic_t *cancelled,
	      struct kube **ret, struct error *err);
void kube_close(struct kube *kube);
DEFINE_CLEANUP(kube, kube_close)
/* Until when the calls below may last (CLOCK_MONOTONIC); 0 = a minute each. */
void kube_set_deadline(struct kube *kube, uint64_t deadline_us);
const char *kube_server(const struct kube *kube); /* its URL, or "coldswap/kube" */

/* /version: "v1.34.4"; and /readyz: 0, or why it is not ready. */
int kube_version(struct kube *kube, char **ret, struct error *err);
int kube_ready(struct kube *kube, struct error *err);

/* One object. `namespace` NULL where there is none. */
int kube_get(struct kube *kube, enum kube_resource resource, const char *namespace,
	     const char *name, json_t **ret, struct error *err);

struct kube_filter {
	const char *namespace; /* NULL = all */
	const char *labels;    /* a label selector; or NULL */
	const char *fields;    /* a field selector, "spec.nodeName=a"; or NULL */
	bool fresh;            /* as the store has it now: without resourceVersion */
	unsigned page;         /* items a page; 0 = 500 */
};
/*
 * Each item, whole, in pages; `where` is evidence: "GET /api/v1/pods" or
 * "coldswap/kube/pods.json:12".  `each` may end the list with a negative
 * errno.  A list that expires between two pages is begun again from the
 * server's fresh token where it gives one, else by -ESTALE.  `ret_version`
 * (may be NULL): what a watch goes on from.
 */
typedef int kube_each(void *data, const json_t *item, const char *where, struct error *err);
int kube_list(struct kube *kube, enum kube_resource resource, const struct kube_filter *filter,
	      kube_each *each, void *data, char **ret_version, struct error *err);

enum kube_event { KUBE_ADDED, KUBE_MODIFIED, KUBE_DELETED };
/*
 * What changes from `version` on, until `seen` returns 1 (then 0 is returned)
 * or a negative errno, or the deadline passes (-ETIMEDOUT).  Bookmarks only
 * move the version on; a stream that ends is taken up again; -ESTALE: too
 * old, list again.
 */
typedef int kube_seen(void *data, enum kube_event event, const json_t *object, struct error *err);
int kube_watch(struct kube *kube, enum kube_resource resource, const struct kube_filter *filter,
	       const char *version, kube_seen *seen, void *data, struct error *err);

/* The scale subresource of a deployment, statefulset or replicaset. */
struct kube_scale {
	char *uid, *version;
	int64_t wanted;  /* spec.replicas; absent = 0 */
	int64_t present; /* status.replicas */
	char *selector;  /* status.selector; or NULL */
};
int kube_scale_get(struct kube *kube, enum kube_resource resource, const char *namespace,
		   const char *name, struct kube_scale *ret, struct error *err);
/* Set only if it still is `version`; -EBUSY: it is not. */
int kube_scale_set(struct kube *kube, enum kube_resource resource, const char *namespace,
		   const char *name, const char *version, int64_t replicas, struct kube_scale *ret,
		   struct error *err);
void kube_scale_done(struct kube_scale *scale);
#define AUTO_KUBE_SCALE CLEANUP(kube_scale_done) struct kube_scale

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Processes below a control group.
 *
 * systemd's trees are read: cgroup v2, and the named hierarchy of v1; where
 * both are mounted a process counts once.  A group that is not there (systemd
 * removes that of a stopped unit) is empty; a tree that cannot be read is an
 * error, never an empty list: nothing was looked at.
 *
 * A list is what was there while it was read.  An empty one is proved by
 * cgroup v2's own count of the whole tree, where there is one.
 */
#ifndef COLDSWAP_SYS_CGROUP_H
#define COLDSWAP_SYS_CGROUP_H

#include <stddef.h>
#include <sys/types.h>

#include "attr.h"
#include "error.h"
#include "host.h"

struct cgroup_process {
	pid_t pid;  /* 0: of a pid namespace that cannot be seen from here */
	char *comm; /* inert; NULL when it could not be read */
	char *path; /* "/kubepods.slice/...": its control group */
	char *of;   /* "pod UID, container ID", as far as `path` says it; else NULL */
};

struct cgroup_list {
	struct cgroup_process *processes;
	size_t n;
};

/*
 * `group` as systemd's ControlGroup says it; "/" is every process.  Sorted by
 * pid.  -ENODATA: no tree is mounted; -EAGAIN: the list never agreed with the
 * kernel's count; other codes as host_read() gives them.
 */
int cgroup_processes(struct host *host, const char *group, struct cgroup_list *ret,
		     struct error *err);
void cgroup_list_done(struct cgroup_list *list);
#define AUTO_CGROUP_LIST CLEANUP(cgroup_list_done) struct cgroup_list

/*
 * What a path tells of Kubernetes: "pod UID, container ID" or "container ID";
 * *ret is NULL when nothing.  0 or -ENOMEM.
 */
int cgroup_owner(const char *path, char **ret);

#endif

/* SPDX-License-Identifier: MIT */
/* All processes that /proc shows, and who started whom. */
#ifndef COLDSWAP_PROBE_PROCESSES_H
#define COLDSWAP_PROBE_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "attr.h"
#include "error.h"
#include "host.h"

struct process {
	pid_t pid, parent;                     /* parent 0: not told */
	char *comm;                            /* any bytes; NULL = not told */
	char *cgroup, *unit, *pod, *container; /* NULL = not told */
	/*
	 * Of a container's shim the program and its first option, which tells
	 * the namespace; else NULL.  Other command lines may hold secrets.
	 */
	char *shim;
	bool of_k3s; /* a shim that answers to the containerd of k3s or RKE2 */
};

struct processes {
	struct process *items; /* by pid */
	size_t n;
};

int processes_load(struct host *host, struct processes *ret, struct error *err);
const struct process *processes_find(const struct processes *processes, pid_t pid);
void processes_done(struct processes *processes);
#define AUTO_PROCESSES CLEANUP(processes_done) struct processes

#endif

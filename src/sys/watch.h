/* SPDX-License-Identifier: MIT */
/*
 * Wait until somebody lets go: a file that is watched was closed, or a process
 * ended.
 *
 * An event says that it is worth looking again, and nothing more: a mapping
 * goes without one, and the caller's own close of a file is one.  So arm the
 * watches first, then look, and close no watched file between the two.
 */
#ifndef COLDSWAP_SYS_WATCH_H
#define COLDSWAP_SYS_WATCH_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

#include "attr.h"
#include "error.h"
#include "host.h"

struct watch;

/* -EPERM for a capture. */
int watch_open(struct host *host, struct watch **ret, struct error *err);
void watch_free(struct watch *watch);
DEFINE_CLEANUP(watch, watch_free)

/*
 * 1: watched; 0: there is no such file (process) any more, or the kernel has
 * no room for another watch; -ENOMEM.
 */
int watch_file(struct watch *watch, const char *path, struct error *err);
int watch_process(struct watch *watch, pid_t pid, struct error *err);

/*
 * 1 after an event, 0 at the deadline (CLOCK_MONOTONIC, microseconds),
 * -ECANCELED within 50 ms once `*cancelled`.
 */
int watch_wait(struct watch *watch, uint64_t deadline_us, const volatile sig_atomic_t *cancelled,
	       struct error *err);

#endif

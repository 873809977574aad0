/* SPDX-License-Identifier: MIT */
/* Inside of the search for holders. */
#ifndef COLDSWAP_PROBE_HOLDERS_INTERNAL_H
#define COLDSWAP_PROBE_HOLDERS_INTERNAL_H

#include "probe/holders.h"

struct holders_made {
	struct host *host;
	const struct holders_asked *asked;
	struct holders holders;
	size_t capacity;
};

/* Room for one more, zeroed but for fd and age (-1); NULL without memory.  Good until the next. */
struct holder *holders_add(struct holders_made *made);
int holders_gap(struct holders_made *made, const char *fmt, ...) PRINTF_LIKE(2, 3);
const char *holders_last_name(const char *path);

/* What /proc/PID tells of the process of `holder`: its name, unit, pod, age. */
int holder_attribute(struct host *host, struct holder *holder);
/* The cgroup's path to unit, pod and container. */
int holder_place(struct holder *holder, const char *cgroup);

int holders_find_live(struct holders_made *made, const volatile sig_atomic_t *cancelled,
		      struct error *err);
/* Loop devices and swaps. */
int holders_find_kernel(struct holders_made *made, struct error *err);
int holders_find_captured(struct holders_made *made, struct error *err);

#endif

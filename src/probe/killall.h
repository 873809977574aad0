/* SPDX-License-Identifier: MIT */
/*
 * k3s-killall.sh and its like, as they are installed: what they unmount, and
 * where they remove what was mounted.  And the mounts, as such a script reads
 * them: /proc/self/mounts, by the text of the second column.
 */
#ifndef COLDSWAP_PROBE_KILLALL_H
#define COLDSWAP_PROBE_KILLALL_H

#include <stdbool.h>
#include <stddef.h>

#include "attr.h"
#include "error.h"
#include "host.h"

struct killall_mount {
	char *target, *fstype; /* as they stand, not decoded */
	char *text;            /* the line */
	unsigned line;
	bool handled; /* below one of the prefixes */
	bool stacked; /* another line has the same target */
};

struct killall {
	const char *path; /* "/usr/local/bin/k3s-killall.sh"; static */
	unsigned removes; /* the line that removes a path after it was unmounted; 0 = none */
	char *removes_text;
	char **prefixes; /* what it unmounts; NULL = nothing was understood */
	struct killall_mount *mounts;
	size_t n_mounts;
};

/* The script of a unit, by its name; -ENOENT: there is none, or the unit has none. */
int killall_load(struct host *host, const char *unit, struct killall *ret, struct error *err);
/* The parts, for tests: one script, one table. */
int killall_parse_script(const char *text, struct killall *killall);
int killall_parse_mounts(const char *text, struct killall *killall);
void killall_done(struct killall *killall);
#define AUTO_KILLALL CLEANUP(killall_done) struct killall

#endif

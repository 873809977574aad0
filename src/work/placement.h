/* SPDX-License-Identifier: MIT */
/*
 * Does what a session needs lie on a disk that the work takes away?
 *
 * The state directory, the program, its libraries, the runbook, a kubeconfig,
 * a copy: each must be there after the boot, and should be there when a cable
 * turns out to be wrong.  A path is followed to its mount, and through volumes
 * and arrays to the disks below; an array that comes up without the disks of
 * the work counts as one that stays.  The root disk is the exception: when it
 * does not come up nothing does, so what lies there is safe on paper alone.
 *
 * Nothing here touches the host beyond what the facts read.
 */
#ifndef COLDSWAP_WORK_PLACEMENT_H
#define COLDSWAP_WORK_PLACEMENT_H

#include <stddef.h>

#include "attr.h"
#include "error.h"
#include "probe/facts.h"
#include "work/work.h"

enum placed_role {
	PLACED_STATE,
	PLACED_PROGRAM,
	PLACED_LIBRARY, /* those of one mount are judged as one */
	PLACED_RUNBOOK,
	PLACED_KUBECONFIG,
	PLACED_COPY,
};

struct placed_path {
	enum placed_role role;
	const char *path; /* absolute; it need not exist */
};

/* In the order of badness. */
enum placement_fate {
	PLACEMENT_STAYS,
	PLACEMENT_RISKY,   /* on the root disk, which the work moves; or on another machine */
	PLACEMENT_UNKNOWN, /* on which disk it lies cannot be told */
	PLACEMENT_REFUSED,
};

struct placement {
	struct placed_path path; /* borrowed; the first one where several are one */
	enum placement_fate fate;
	const struct mount *mount; /* that it lies on, or NULL */
	const struct block *disk;  /* the first disk of the work below it, or NULL */
	char *text;                /* whole sentence; NULL for one that stays */
	char *way_out;             /* what to do, whole sentence; likewise */
};

struct placements {
	struct placement *items; /* those that stay are in it, too */
	size_t n;
	enum placement_fate worst;
	/* Any on the root disk, which moves: the card must carry map and next command. */
	bool on_moving_root;
};

/* 0 whatever the fates are; an error only where memory is short or there are no facts. */
int placement_judge(struct facts *facts, const struct work *work, const struct placed_path *paths,
		    size_t n, struct placements *ret, struct error *err);
void placements_done(struct placements *placements);

#endif

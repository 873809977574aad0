/* SPDX-License-Identifier: MIT */
/* The parts of copy.room; private to copy_*.c. */
#ifndef COLDSWAP_STEP_COPY_ROOM_H
#define COLDSWAP_STEP_COPY_ROOM_H

#include "probe/filetree.h"
#include "step/destination.h"

struct copy_source {
	char *given;      /* as the runbook or the search says it */
	char *path;       /* links resolved */
	const char *what; /* "PostgreSQL"; NULL for one that was named */
	struct filetree_sum sum;
};

struct copy_sources {
	struct copy_source *items;
	size_t n;
	struct filetree_sum total;
	bool all_known; /* no source failed to be read */
};

/* What one run has at hand. */
struct copy_look {
	const struct step *step;
	struct result *result;
	struct filetree *tree;
	struct copy_sources sources;
	struct destination to;
};

/* The named paths, or the databases that are found; each measured. */
int copy_find_sources(struct copy_look *look, char *const *named, struct error *err);
void copy_sources_done(struct copy_sources *sources);

#endif

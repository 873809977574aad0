/* SPDX-License-Identifier: MIT */
/* The parts of copy.room; private to copy_*.c. */
#ifndef COLDSWAP_STEP_COPY_ROOM_H
#define COLDSWAP_STEP_COPY_ROOM_H

#include "probe/facts.h"
#include "probe/filetree.h"
#include "step.h"

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

struct copy_target {
	char *path; /* links resolved */
	const struct mount *mount;
	const struct block *device; /* NULL: on no block device that is known */
};

/* What one run has at hand. */
struct copy_look {
	const struct step *step;
	struct result *result;
	struct filetree *tree;
	const struct blocks *blocks;
	const struct mounts *mounts;
	struct copy_sources sources;
	struct copy_target target;
};

/* The named paths, or the databases that are found; each measured. */
int copy_find_sources(struct copy_look *look, char *const *named, struct error *err);
void copy_sources_done(struct copy_sources *sources);

/* Can a copy stand at the target: disk, filesystem, nesting. */
int copy_judge_target(struct copy_look *look, struct error *err);
/* Bytes and inodes. */
int copy_judge_room(struct copy_look *look, struct error *err);

/* "669 MB": decimal units, as disks are sold and design.md counts. */
int copy_size(uint64_t bytes, char **ret);

#endif

/* SPDX-License-Identifier: MIT */
/* The steps of dataset_load(): its roots, the walk below them, the roles of what was found. */
#ifndef COLDSWAP_PROBE_DATASET_INTERNAL_H
#define COLDSWAP_PROBE_DATASET_INTERNAL_H

#include "buf.h"
#include "probe/dataset.h"

struct loading {
	struct filetree *tree;
	struct dataset *set;
	const volatile sig_atomic_t *cancelled; /* or NULL */
};

/* Room for one item more behind `n`; NULL when there is none. */
void *dataset_grow(void *items, size_t n, size_t size);

/*
 * Take `path` (resolved) for a root, unless it lies in one; those that lie in
 * it are none any more.  `by` may be NULL.
 */
int dataset_add_root(struct loading *loading, const char *path, bool directory, const char *role,
		     const char *by, struct error *err);
bool dataset_has(const struct dataset *set, const char *path); /* does it lie in a root? */

/* The roots by the set's word, whose path is resolved. */
int dataset_roots(struct loading *loading, struct error *err);

/* All files below the roots; links that leave them. */
int dataset_walk(struct loading *loading, struct error *err);
int dataset_add_file(struct loading *loading, const char *path, const struct filetree_stat *st,
		     enum datafile_role role, struct error *err);
void dataset_sort(struct dataset *set);                                     /* the files, by path */
struct datafile *dataset_file(const struct dataset *set, const char *path); /* of sorted ones */

/* Which file is which. */
int dataset_roles(struct loading *loading, struct error *err);

/* `path` followed by `suffix`; -ENOMEM. */
int dataset_join(struct buf *ret, const char *path, const char *suffix, struct error *err);

#endif

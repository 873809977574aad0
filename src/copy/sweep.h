/* SPDX-License-Identifier: MIT */
/*
 * A walk along the manifest, over the copy, its sources, or both.
 *
 * Entries come in the order of the first walk, so that the directories on
 * the way are all that is kept open.  Each directory is listed when its last
 * entry was seen: names that are too many, or are missing, show there.
 */
#ifndef COLDSWAP_COPY_SWEEP_H
#define COLDSWAP_COPY_SWEEP_H

#include "copy/run.h"

struct sweep {
	struct run *run;
	int dir, data; /* of the copy, and its data/ */
	struct manifest_reader *reader;
	struct copy_head *head;
	bool copy;        /* the copy is read back from the device and compared */
	bool source_hash; /* so are the sources */
	bool source_stat; /* they are what they were, names and all */
	bool sync;        /* directories of the copy are synced */
	const char *const *left_out;
	struct leases **leases; /* one for each worker; with source_hash */
	/* Something of the copy is wrong: go on (0), or not. */
	int (*fault)(void *data, const char *path, const char *what);
	void *data_of_fault;
	/* ---- its own ---- */
	struct pool *pool;
	struct snode *top;
	char *buffers[COPY_WORKERS];
	char **roots;         /* as the manifest tells them */
	pthread_mutex_t lock; /* over fault() */
};
int sweep_run(struct sweep *sweep);

/* ---- between its files ------------------------------------------------------------------ */
struct snode {
	struct snode *up;
	atomic_int refs;
	int src, dst;
	bool real;
	char *name;
	size_t path_len;
	uint64_t n_src, sum_src, n_dst, sum_dst; /* of the names that the manifest tells */
};
void snode_unref(struct snode *node);

struct sweep_job {
	struct sweep *sweep;
	struct snode *node;
	struct copy_entry entry;
	const char *name; /* inside of entry.path */
	bool of_source;
};
void sweep_job_run(void *data, size_t worker, void *untyped);
int sweep_fault(struct sweep *sweep, const char *path, const char *what);
/* What is no regular file, at once. */
int sweep_compare(struct sweep *sweep, struct snode *node, const struct copy_entry *entry,
		  const char *name);
/* Are these the names that are there?  `path`: the directory's. */
int sweep_names(struct sweep *sweep, const struct snode *node, const char *path);
/* Nothing else stands above the roots? */
int sweep_above(struct sweep *sweep);
uint64_t sweep_name_sum(const char *name);

#endif

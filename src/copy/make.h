/* SPDX-License-Identifier: MIT */
/*
 * The first pass of a copy: one thread walks, some copy small files, some
 * copy large ones with threads of their own, one syncs what was written.
 *
 *	walk -> job -> copied -> synced and closed
 *	     \-> slot of the order -> manifest
 *
 * The manifest's entries stand in the order of the walk: a directory before
 * what is in it, all of one directory before the next.  What comes after is
 * a walk along the manifest (sweep.h), with one directory's depth in memory.
 */
#ifndef COLDSWAP_COPY_MAKE_H
#define COLDSWAP_COPY_MAKE_H

#include "copy/run.h"

struct node {
	struct node *parent;
	char *name;
	int src, dst; /* -1: not there yet */
	struct stat st;
	atomic_int refs;
	bool real;     /* false: stands above a root, and is no part of the copy */
	bool database; /* every file below has its lease already */
	bool old;      /* an earlier attempt made it: names of it may be left */
};

struct order;
struct slot {
	struct copy_entry entry;
	bool ready, failed;
	size_t weight;
};

struct flush;
struct links;

struct make {
	struct run *run;
	const struct copy_job *job;
	int dir, data; /* DIR.partial and its data/ */
	struct stat dir_stat;
	struct order *order;
	struct flush *flush;
	struct links *links;
	struct pool *small, *large;
	struct leases *leases[COPY_WORKERS + COPY_LARGE_WORKERS];
	char *buffers[COPY_WORKERS];
};

struct file_job {
	struct make *make;
	struct node *node; /* a reference */
	struct slot *slot;
	char *name;
	bool taken_over; /* the copy has a file of that name and size */
};

int make_walk(struct make *make);
int tree_visit_root(struct make *make, const struct copy_root *root);

struct node *node_new(struct node *parent, const char *name, int src, int dst);
struct node *node_ref(struct node *node);
void node_unref(struct make *make, struct node *node);
/* The path of `name` in it, on the host; NULL without memory. */
char *node_path(const struct node *node, const char *name);

int order_new(struct run *run, struct manifest_writer *writer, struct order **ret);
void order_free(struct order *order);
/* The next place; waits while too many are open.  The entry's path is taken over. */
struct slot *order_take(struct order *order, char *path);
void order_ready(struct order *order, struct slot *slot, bool failed);

int flush_new(struct make *make, struct flush **ret);
/* Sync and close `fd` in time; takes it over. */
void flush_put(struct flush *flush, int fd, struct node *node, const char *name, uint64_t bytes);
void flush_finish(struct flush *flush);

/* Names of files that have several: 1 and the first one's path, 0 when `path` is the first. */
int links_find(struct links **links, dev_t dev, ino_t ino, const char *path, const char **ret);
void links_free(struct links *links);

void file_copy(void *data, size_t worker, void *job);
void file_copy_large(void *data, size_t worker, void *job);

#endif

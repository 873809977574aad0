/* SPDX-License-Identifier: MIT */
/*
 * One run over a copy: what its threads share.
 *
 * The first trouble counts and stops all; what comes after it is a part of
 * the same fall.  Jobs are taken to their end or given back, never lost.
 */
#ifndef COLDSWAP_COPY_RUN_H
#define COLDSWAP_COPY_RUN_H

#include <pthread.h>
#include <stdatomic.h>

#include "copy/copy.h"
#include "copy/manifest_internal.h"
#include "sys/copyfs.h"
#include "sys/lease.h"

#define COPY_CHUNK ((size_t)256 << 10)
/* From this size on a file is read, hashed and written by threads of its own. */
#define COPY_LARGE ((uint64_t)4 << 20)
#define COPY_WORKERS 6
#define COPY_LARGE_WORKERS 2

struct db_lease {
	struct lease *lease;
	dev_t dev;
	ino_t ino;
	char *path;
};

struct run {
	struct host *host;
	const volatile sig_atomic_t *cancelled;
	atomic_bool stopped;

	pthread_mutex_t lock; /* over what follows */
	enum copy_trouble trouble;
	char *path, *what;
	int code; /* of COPY_SYSTEM */
	struct error err;
	char **told;
	struct leases *held; /* those of databases, by (dev, ino) in `db` */
	struct db_lease *db;
	size_t n_db, db_capacity;

	atomic_bool untrusted; /* the destination lost something: what is there is worth nothing */
	atomic_ullong done, total;
	atomic_ullong files, bytes, data, taken_over, from_cache, without_lease;
};

int run_init(struct run *run, struct host *host, const volatile sig_atomic_t *cancelled);
void run_done(struct run *run);
bool run_is_over(struct run *run);
/* The first one is kept; `path` is copied.  Always -ECANCELED, so that callers go home. */
int run_trouble(struct run *run, enum copy_trouble trouble, const char *path, const char *fmt, ...)
	PRINTF_LIKE(4, 5);
int run_system(struct run *run, int code, const char *path, const char *doing);
/* An error of reading a source: gone, exchanged, unreadable. */
int run_unreadable(struct run *run, int code, const char *path);
void run_tell(struct run *run, const char *path, const char *what);

/*
 * Run `fn` in a thread of its own; here the operator is told how far it is,
 * and the leases of databases are looked at.
 */
struct phase {
	const char *name;
	uint64_t total;
	void *data;
	void (*progress)(void *data, const struct copy_progress *progress);
};
int run_phase(struct run *run, const struct phase *phase, int (*fn)(void *of), void *of);

/* ---- leases of databases -------------------------------------------------------------- */
int run_hold(struct run *run, const struct copy_root *roots, size_t n);
struct lease *run_held(struct run *run, dev_t dev, ino_t ino);
/* Do all of them stand?  The first that does not is a trouble. */
int run_check_held(struct run *run);

/* ---- a source that is read ------------------------------------------------------------ */
struct source {
	struct run *run;
	struct leases *leases;
	struct lease *lease;
	const char *path;
	bool held; /* the lease is a database's: it is not dropped here */
};
/* Open it and take its lease: `path` is borrowed until source_close(). */
int source_open(struct run *run, struct leases *leases, int dir, const char *name, const char *path,
		bool database, struct source *ret);
/* The lease that is held already, if there is one for this inode. */
bool source_is_held(struct run *run, const struct stat *st, const char *path, struct source *ret);
/* Is it still what it was, and nobody came? */
int source_check(const struct source *source);
/* Only looks whether the lease stands: between two reads. */
int source_stands(const struct source *source);
void source_close(struct source *source);
/* Why `now` is not `then`, as "its size was 1, is 2"; NULL when it is. */
char *stat_difference(const struct stat *then, const struct stat *now);
void entry_from_stat(struct copy_entry *entry, const struct stat *st);
void entry_to_stat(const struct copy_entry *entry, struct stat *ret);

/* ---- threads -------------------------------------------------------------------------- */
struct pool;
typedef void (*pool_fn)(void *data, size_t worker, void *job);
int pool_start(size_t threads, size_t capacity, pool_fn fn, void *data, struct pool **ret);
void pool_put(struct pool *pool, void *job);
void pool_finish(struct pool *pool); /* all jobs done, threads gone */

/* ---- bytes ---------------------------------------------------------------------------- */
char *feed_buffer(void); /* COPY_CHUNK bytes, for free(3) */
struct feed {
	struct run *run;
	const struct source *source; /* its lease is looked at between reads; or NULL */
	const char *path;            /* for errors */
	int fd;
	uint64_t size;
	void *data;
	char *(*room)(void *data); /* for COPY_CHUNK bytes; NULL: give up */
	/* `bytes` NULL: a hole.  In order, without gaps. */
	int (*take)(void *data, uint64_t offset, const char *bytes, size_t len);
	uint64_t read;   /* bytes that are no hole */
	bool of_copy;    /* errors of reading are the copy's, not the source's */
	bool past_cache; /* copyfs_read_past_cache() is on */
};
int feed_run(struct feed *feed);
/* SHA-256 of a file, into `ret`. */
int feed_hash(struct feed *feed, char *buffer, unsigned char ret[32]);

/* Read from `feed`, hash and write to `fd` by three threads; `fd` -1: by two, nothing is written. */
int pipeline_run(struct feed *feed, int fd, unsigned char ret[32], int *ret_write_error);
/* As feed_hash(), by two. */
int pipeline_hash(struct feed *feed, unsigned char ret[32]);

struct sha; /* EVP, holes included */
struct sha *sha_new(void);
int sha_add(struct sha *sha, const char *bytes, size_t len); /* NULL: zeros */
int sha_end(struct sha *sha, unsigned char ret[32]);
void sha_free(struct sha *sha);

/* ---- metadata ------------------------------------------------------------------------- */
int meta_read_xattrs(const struct copyfs_node *node, struct copy_entry *ret);
/* Owner, mode, attributes and times. */
int meta_apply(const struct copyfs_node *node, const struct copy_entry *entry,
	       const struct timespec *atime);
/* Why the copy's file is not what the manifest says; NULL when it is. */
char *meta_difference(const struct copyfs_node *node, const struct copy_entry *entry,
		      const struct stat *st);

#endif

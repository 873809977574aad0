/* SPDX-License-Identifier: MIT */
/*
 * A cold copy that makes its own proof.
 *
 * 1. Leases on the files of databases are held from the proof to the end; on
 *    every other file while it is read.  Where no lease counts, size, mtime,
 *    ctime, inode and the second hash stand in, and the copy says so; a lease
 *    that breaks discards the copy.
 * 2. One pass reads, hashes and writes.  Then every file is read back from
 *    the device and hashed again, and so is every source: what is written to
 *    its device past the filesystem breaks no lease and changes no time.
 *    Last, all sources are looked at once more, names and all, and only then
 *    does DIR.partial become DIR.
 * 3. A failed fsync discards the copy: that descriptor is never tried again,
 *    and DIR.partial is removed, as it is when what is read back differs.
 * 4. Any other end leaves DIR.partial, and the next attempt takes over what
 *    it finds there file by file: only where it, read from the device, has the
 *    very hash that the source has now.  Its old manifest is not asked.
 * 5. Memory does not grow with the copy.
 */
#ifndef COLDSWAP_COPY_COPY_H
#define COLDSWAP_COPY_COPY_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attr.h"
#include "copy/manifest.h"
#include "error.h"
#include "host.h"

struct copy_root {
	const char *path; /* absolute, links resolved: a file or a directory */
	bool database;    /* its leases are held to the end */
	size_t source;    /* into head.sources */
};

struct copy_progress {
	const char *phase; /* "copying", "reading back": whole words for the operator */
	/* Bytes; reading back counts those of the sources too.  0 in all: not known. */
	uint64_t done, total;
};

struct copy_job {
	struct host *host;
	const struct copy_root *roots; /* none lies in another */
	size_t n_roots;
	const char *const *left_out; /* paths below a root that are not copied; NULL-terminated */
	const char *dir;             /* the final name; its parent exists */
	struct copy_head *head;      /* filled in on the way: files, bytes, checks */
	uint64_t total;              /* bytes, for the progress; 0 = not known */
	const volatile sig_atomic_t *cancelled;
	void *data; /* of the calls below, which may be NULL */
	void (*progress)(void *data, const struct copy_progress *progress);
	/*
	 * Before the rename, with the databases' leases still held: RESTORE.md,
	 * validators.  `dir` is DIR.partial.  -EBADMSG, or a check of `head` that
	 * is not passed: the copy is rejected, `err` says why.  What it writes
	 * there it syncs.
	 */
	int (*finish)(void *data, const char *dir, struct copy_head *head, struct error *err);
};

/* Why there is no copy: what was seen, so that a finding can say it. */
enum copy_trouble {
	COPY_FINE,
	COPY_SYSTEM,     /* an error of this program or the destination: `err` */
	COPY_INTRUDED,   /* a lease was broken, or somebody had the file open */
	COPY_CHANGED,    /* a source is not what it was: size, times, inode, second hash, names */
	COPY_UNPROVED,   /* no witness that counts: a foreign filesystem */
	COPY_UNREADABLE, /* a source gave EIO or the like */
	COPY_MISMATCH,   /* what was read back differs from what was written */
	COPY_REJECTED,   /* finish() found the copy wrong: kept aside as DIR.failed */
};

struct copy_outcome {
	enum copy_trouble trouble;
	char *path;                  /* of the source or the copy that is meant; or NULL */
	char *what;                  /* "size was 8192, is 12288"; or NULL */
	char *aside;                 /* where a rejected copy is kept; or NULL */
	uint64_t files, bytes, data; /* copied; data: bytes that are no hole */
	uint64_t taken_over;         /* bytes that an earlier attempt had already */
	uint64_t from_cache; /* bytes of files whose pages stayed resident: verified from cache */
	uint64_t without_lease; /* files for which no lease counted */
	uint64_t read_us, verify_us;
	char **told; /* sockets and devices, "PATH: a socket"; NULL-terminated; or NULL */
};
void copy_outcome_done(struct copy_outcome *outcome);

/*
 * 0 with outcome->trouble; a negative errno with COPY_SYSTEM or -ECANCELED.
 * Whatever it returns, DIR exists only when the copy is whole and verified.
 */
int copy_make(const struct copy_job *job, struct copy_outcome *ret, struct error *err);

/* ---- afterwards ------------------------------------------------------------------- */

struct copy_fault {
	char *path; /* absolute, on the host; or the file of the copy itself */
	char *what; /* "its SHA-256 is …, the manifest says …" */
};
struct copy_verdict {
	struct copy_head head;
	struct copy_fault *faults; /* at most 100 are kept */
	size_t n_faults, more;
	uint64_t files, bytes, from_cache;
};
/*
 * Read a copy again, from the device, against its manifest: types, sizes,
 * owners, modes, times, links, xattrs, hashes, names that are too many.
 * -ENOENT: no copy; -EBADMSG: its manifest is damaged or not complete.
 */
int copy_verify(const char *dir, const volatile sig_atomic_t *cancelled, void *data,
		void (*progress)(void *data, const struct copy_progress *progress),
		struct copy_verdict *ret, struct error *err);
void copy_verdict_done(struct copy_verdict *verdict);

/*
 * The copies, whole or not, that lie in `parent` (what a files.copy step was
 * given as its destination), by name.
 */
struct copy_found {
	char *dir;
	enum { COPY_WHOLE, COPY_IS_PARTIAL, COPY_IS_SUPERSEDED, COPY_IS_FAILED } state;
	uint64_t bytes;
	int64_t session;
	char *created;
};
int copies_in(const char *parent, struct copy_found **ret, size_t *ret_n, struct error *err);
void copies_free(struct copy_found *found, size_t n);

#endif

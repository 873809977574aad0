/* SPDX-License-Identifier: MIT */
/*
 * The manifest of a cold copy: `manifest.json`, one JSON document whose
 * entries stand one a line, so that it is written and read as a stream: the
 * memory that it takes does not grow with the copy.
 *
 *	{"coldswap_copy":1,"version":…,"host":{…},"session":N,"created":…,
 *	 "sources":[…],"left_out":[…],"entries":[
 *	{"path":…},
 *	…
 *	],"checks":[…],"files":N,"bytes":N,"complete":true}
 *
 * A copy without "complete":true as its last word is no copy.
 *
 * Layout of a copy, the directory DIR of one session's step:
 *	DIR/data/ABSOLUTE/PATH/OF/THE/SOURCE
 *	DIR/SHA256SUMS		of data/…, as sha256sum -c takes it
 *	DIR/manifest.json
 *	DIR/RESTORE.md
 * DIR is 0700, root's, and called DIR.partial until all of it is verified.
 */
#ifndef COLDSWAP_COPY_MANIFEST_H
#define COLDSWAP_COPY_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "attr.h"
#include "error.h"

#define COPY_DATA "data"
#define COPY_SUMS "SHA256SUMS"
#define COPY_MANIFEST "manifest.json"
#define COPY_RESTORE "RESTORE.md"
#define COPY_PARTIAL ".partial"
#define COPY_SUPERSEDED ".superseded"
#define COPY_FAILED ".failed" /* it did not stand its own checks, and is kept aside */

enum entry_type {
	ENTRY_FILE,
	ENTRY_DIRECTORY,
	ENTRY_SYMLINK,
	ENTRY_HARD_LINK, /* another name of an earlier entry */
	ENTRY_FIFO,
	ENTRY_SOCKET, /* told, not copied: its server makes it */
	ENTRY_DEVICE, /* told, not copied */
};

struct xattr_entry {
	char *name;
	char *value; /* any bytes */
	size_t len;
};

struct copy_entry {
	enum entry_type type;
	char *path;   /* absolute, on the host; below DIR/data the same.  Any bytes but NUL */
	char *target; /* of a symlink, or the earlier path of a hard link */
	uint64_t size;
	uint64_t data; /* bytes that are no hole */
	mode_t mode;   /* with the type's bits */
	uid_t uid;
	gid_t gid;
	struct timespec mtime, ctime; /* of the source, when it was proved unchanged */
	uint64_t ino;                 /* of the source */
	uint64_t dev;
	unsigned char sha256[32]; /* ENTRY_FILE */
	struct xattr_entry *xattrs;
	size_t n_xattrs;
};
void copy_entry_done(struct copy_entry *entry);

struct copy_source_row {
	char *given;    /* "sqlite:/…" */
	char *database; /* "SQLite"; or NULL */
	char *reason;   /* why it cannot be had again; or NULL */
	char **roots;   /* what was copied of it, absolute, in order; NULL-terminated */
	uint64_t files, bytes;
};
struct copy_left_out {
	char *path, *reason;
	uint64_t bytes;
};
/* What a validator said of the copy. */
struct copy_check {
	char *what; /* "SQLite integrity_check" */
	char *path; /* absolute, on the host */
	bool passed;
	char *text; /* "ok; 4120 frames of the -wal applied" */
};

/* Everything but the entries. */
struct copy_head {
	char *version;
	char *host, *machine_id, *boot_id;
	int64_t session;
	char *step;
	char *created; /* RFC 3339 */
	struct copy_source_row *sources;
	size_t n_sources;
	struct copy_left_out *left_out;
	size_t n_left_out;
	struct copy_check *checks;
	size_t n_checks;
	uint64_t files, bytes; /* regular files, and their sizes */
	bool complete;
};
void copy_head_done(struct copy_head *head);

/* ---- write: into an open directory, as a stream --------------------------------- */

struct manifest_writer;
int manifest_create(int dir, const struct copy_head *head, struct manifest_writer **ret,
		    struct error *err);
/* Also the line of SHA256SUMS for a file. */
int manifest_add(struct manifest_writer *writer, const struct copy_entry *entry, struct error *err);
/* Checks and sums from `head`; both files synced and closed with a look at the result. */
int manifest_finish(struct manifest_writer *writer, const struct copy_head *head,
		    struct error *err);
void manifest_writer_free(struct manifest_writer *writer);
DEFINE_CLEANUP(manifest_writer, manifest_writer_free)

/* ---- read ------------------------------------------------------------------------- */

struct manifest_reader;
/* `head` receives what stands before the entries; the rest with the last entry. */
int manifest_open(int dir, struct manifest_reader **ret, struct copy_head *head, struct error *err);
/* 1 and the next entry (copy_entry_done()); 0 at the end, with `head` filled in. -EBADMSG. */
int manifest_next(struct manifest_reader *reader, struct copy_entry *ret, struct copy_head *head,
		  struct error *err);
void manifest_reader_free(struct manifest_reader *reader);
DEFINE_CLEANUP(manifest_reader, manifest_reader_free)

#endif

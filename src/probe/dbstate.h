/* SPDX-License-Identifier: MIT */
/*
 * What the files of a database tell of its own state.  Nothing is opened and
 * nothing judged here: bytes come from the caller (base/bytes_at.h).
 *
 * Sources: SQLite's file format (WAL header, frames, rollback journal);
 * bbolt's page layout; PostgreSQL's ControlFileData.
 */
#ifndef COLDSWAP_PROBE_DBSTATE_H
#define COLDSWAP_PROBE_DBSTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/bytes_at.h"
#include "buf.h"

/* ---- SQLite --------------------------------------------------------------- */

struct sqlite_header {
	bool empty; /* zero bytes: a database that nobody wrote to */
	uint32_t page_size;
	bool wal; /* both versions say 2: write-ahead logging */
	uint32_t pages, change_counter;
};
/* -EBADMSG: no SQLite database (an encrypted one says so too). */
int sqlite_header_read(const struct bytes_at *file, struct sqlite_header *ret, struct error *err);

struct sqlite_wal {
	bool empty; /* no header that counts: nothing lives in it alone */
	uint32_t page_size;
	uint64_t frames;   /* valid ones, up to and with the last commit */
	uint64_t torn;     /* frames or bytes behind it that do not count */
	uint64_t at_most;  /* bytes that live only here: frames * page size */
	uint32_t db_pages; /* size of the database after the last commit */
};
int sqlite_wal_read(const struct bytes_at *file, struct sqlite_wal *ret, struct error *err);

struct sqlite_journal {
	bool hot;    /* a header that counts: a transaction was not finished */
	char *super; /* the super-journal that it names; NULL = none */
};
int sqlite_journal_read(const struct bytes_at *file, struct sqlite_journal *ret, struct error *err);
void sqlite_journal_done(struct sqlite_journal *journal);

/* ---- bbolt ------------------------------------------------------------------ */

struct bbolt_meta {
	uint32_t page_size;
	uint64_t txid, root, freelist, high_water;
	unsigned valid; /* metas that are: 1 or 2 */
};
int bbolt_meta_read(const struct bytes_at *file, struct bbolt_meta *ret, struct error *err);

struct bbolt_walk {
	struct bbolt_meta meta;
	uint64_t pages, keys, buckets, free_pages;
};
/*
 * Every page from the root down: ids match, each is reached once, keys ascend,
 * nothing that is reachable is free, the file is as long as its high-water
 * mark.  -EBADMSG names the page and what is wrong with it.  Memory: two bits
 * a page.
 */
int bbolt_check(const struct bytes_at *file, struct bbolt_walk *ret, struct error *err);
/*
 * The value of a key in a bucket of the root, whole: for what Vault keeps
 * there.  -ENOENT; -EFBIG over `max`.
 */
int bbolt_get(const struct bytes_at *file, const char *bucket, const char *key, size_t max,
	      struct buf *ret, struct error *err);

/* ---- PostgreSQL ------------------------------------------------------------- */

enum pg_state { /* DBState of pg_control.h, as its numbers are */
		PG_STARTUP,
		PG_SHUTDOWNED,
		PG_SHUTDOWNED_IN_RECOVERY,
		PG_SHUTDOWNING,
		PG_IN_CRASH_RECOVERY,
		PG_IN_ARCHIVE_RECOVERY,
		PG_IN_PRODUCTION,
};
const char *pg_state_name(enum pg_state state); /* as pg_controldata says it: "in production" */

struct pg_control {
	uint64_t system_identifier;
	uint32_t version; /* pg_control's: 1300 for PostgreSQL 13 to 17 */
	enum pg_state state;
	bool clean; /* shut down, or shut down in recovery */
};
/* -EBADMSG: its CRC is wrong; -ENOTSUP: a version that is not known here. */
int pg_control_read(const struct bytes_at *file, struct pg_control *ret, struct error *err);
/* The first line of postmaster.pid; -EBADMSG. */
int pg_pid_read(const struct bytes_at *file, pid_t *ret, struct error *err);

#endif

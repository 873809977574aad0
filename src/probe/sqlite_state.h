/* SPDX-License-Identifier: MIT */
/*
 * SQLite's three files as they lie on the disk: the header of a database, its
 * write-ahead log, its rollback journal.
 *
 * Source: "Database File Format" and "WAL-mode File Format" of SQLite; what
 * its own recovery takes for valid counts here, and nothing else.
 */
#ifndef COLDSWAP_PROBE_SQLITE_STATE_H
#define COLDSWAP_PROBE_SQLITE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes_at.h"

struct sqlite_header {
	bool empty; /* zero bytes: a database that nobody wrote to */
	uint32_t page_size;
	bool wal;       /* both versions say 2: write-ahead logging */
	uint32_t pages; /* as the header says, where it says so; else by the size of the file */
	uint32_t change_counter;
};
/* -EBADMSG: no SQLite database (an encrypted one looks so too). */
int sqlite_header_read(const struct bytes_at *file, struct sqlite_header *ret, struct error *err);

struct sqlite_wal {
	bool empty; /* no header that counts: nothing lives in it alone */
	uint32_t page_size;
	uint64_t frames;      /* valid ones, up to and with the last commit */
	uint64_t uncommitted; /* valid ones behind it: a transaction that was not finished */
	uint64_t torn;        /* bytes behind those: cut off, or left by an earlier use */
	uint64_t at_most;     /* bytes that live only here: frames * page size */
	uint32_t db_pages;    /* size of the database after the last commit */
};
/* -ENOTSUP: a sound header of a version that is not known here. */
int sqlite_wal_read(const struct bytes_at *file, struct sqlite_wal *ret, struct error *err);

struct sqlite_journal {
	bool hot;    /* a header that counts: a transaction was not finished */
	char *super; /* the super-journal that it names, as it names it; NULL = none */
};
int sqlite_journal_read(const struct bytes_at *file, struct sqlite_journal *ret, struct error *err);
void sqlite_journal_done(struct sqlite_journal *journal);

#endif

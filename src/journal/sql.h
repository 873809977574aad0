/* SPDX-License-Identifier: MIT */
/*
 * The one connection of a journal, and how its statements run and fail.
 *
 * A statement that fails for want of a sound disk leaves the journal shut:
 * after a failed fsync(2) the kernel may forget what was not written and call
 * the next one a success, so that nothing is appended by this connection any
 * more.  A full disk and a busy file are rolled back and may be tried again.
 */
#ifndef COLDSWAP_JOURNAL_SQL_H
#define COLDSWAP_JOURNAL_SQL_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "journal.h"
#include "journal/image.h"

struct journal {
	sqlite3 *db;
	struct image *image; /* JOURNAL_LOOK */
	char *file;          /* "/var/lib/coldswap/journal.db" */
	char *state;         /* its directory */
	bool may_write;
	struct error shut; /* why nothing can be appended any more; code 0 */
};

/* The last failure of the connection in words; `doing`: "cannot write to". */
int sql_failed(struct journal *journal, const char *doing, struct error *err);
/* -EUCLEAN: `what` says what is wrong with it. */
int sql_damaged(const struct journal *journal, struct error *err, const char *what, ...)
	PRINTF_LIKE(3, 4);

int sql_prepare(struct journal *journal, const char *text, sqlite3_stmt **ret, struct error *err);
/* 1 a row, 0 the end. */
int sql_step(struct journal *journal, sqlite3_stmt *statement, struct error *err);
/* One statement without rows, or whose rows do not matter. */
int sql_run(struct journal *journal, const char *text, struct error *err);
/* The first column of the first row. */
int sql_int(struct journal *journal, const char *text, int64_t *ret, struct error *err);
/* Bind to parameter `n`; a NULL text is NULL. */
int sql_bind_int(struct journal *journal, sqlite3_stmt *statement, int n, int64_t value,
		 struct error *err);
int sql_bind_text(struct journal *journal, sqlite3_stmt *statement, int n, const char *value,
		  struct error *err);
/* The text of a column: NULL where it is NULL; -EUCLEAN for another type or a NUL inside. */
int sql_text(struct journal *journal, sqlite3_stmt *statement, int column, const char **ret,
	     struct error *err);

/* BEGIN IMMEDIATE; then sql_end() with what came of it: COMMIT for 0, else ROLLBACK. */
int sql_begin(struct journal *journal, struct error *err);
int sql_end(struct journal *journal, int r, struct error *err);

static inline void cleanup_statement(sqlite3_stmt **statement)
{
	(void)sqlite3_finalize(*statement);
}
#define AUTO_STATEMENT CLEANUP(cleanup_statement) sqlite3_stmt *

#endif

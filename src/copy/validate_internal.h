/* SPDX-License-Identifier: MIT */
/* The parts of a validator; private to validate*.c. */
#ifndef COLDSWAP_COPY_VALIDATE_INTERNAL_H
#define COLDSWAP_COPY_VALIDATE_INTERNAL_H

#include <signal.h>

#include "copy/manifest.h"
#include "error.h"

/* What one validator was given. */
struct validation {
	const char *dir;     /* the copy */
	const char *path;    /* of the database, on the host */
	const char *scratch; /* a directory for what must be written to */
	const volatile sig_atomic_t *cancelled;
	struct copy_check *check;
};

/* DIR/data/PATH; NULL without memory. */
char *validate_place(const struct validation *ask, const char *path);
/* The answer, once; -ENOMEM. */
int validate_answer(const struct validation *ask, bool passed, struct error *err, const char *fmt,
		    ...) PRINTF_LIKE(4, 5);

int validate_sqlite(const struct validation *ask, struct error *err);

/*
 * A copy of PATH and of its -wal and -journal in a scratch directory, as
 * "db".  The name of a super-journal is changed to one in there: SQLite would
 * open and remove the one that it names, which is the host's.
 */
struct scratch;
struct sqlite_view {
	struct scratch *scratch;
	char *path; /* of "db" */
	bool wal, hot;
	char *super;     /* that the -journal names; or NULL */
	bool super_gone; /* neither in the copy nor on the host: its transaction counts as done */
	bool super_lost; /* on the host, and not in the copy */
};
int sqlite_view_make(const struct validation *ask, struct sqlite_view *ret, struct error *err);
void sqlite_view_done(struct sqlite_view *view);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Does a copy open?  Asked of a scratch view of it, never of the copy itself:
 * SQLite applies a -wal when it opens a database, and a check that changes
 * what it checks proves another thing.
 */
#ifndef COLDSWAP_COPY_VALIDATE_H
#define COLDSWAP_COPY_VALIDATE_H

#include <signal.h>

#include "buf.h"
#include "copy/manifest.h"
#include "error.h"

/*
 * One database of the copy: the file of the role below DIR/data.
 * `path` is absolute, on the host.  `scratch`: a directory that may be
 * written; with room for the database (reflinks are tried first).
 * 0 with ret->passed and its text; negative when it could not be asked.
 */
enum validator {
	VALIDATE_SQLITE,   /* integrity_check with its -wal or -journal applied */
	VALIDATE_BBOLT,    /* every page walked */
	VALIDATE_POSTGRES, /* pg_control's CRC and state */
};
int copy_validate(const char *dir, const char *path, enum validator validator, const char *scratch,
		  const volatile sig_atomic_t *cancelled, struct copy_check *ret,
		  struct error *err);
void copy_check_done(struct copy_check *check);

/* RESTORE.md for this very copy: order, write-ahead logs, tokens, owners, what to check after. */
int copy_restore_text(const char *final_dir, const struct copy_head *head, struct buf *ret,
		      struct error *err);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The file of a database, for what its library cannot be asked to do: making
 * it private before there is anything in it, and copying it without a trace.
 *
 * POSIX drops all of a process's locks on a file when it closes any descriptor
 * of it.  So none of these may be called while this process has the database
 * open.
 */
#ifndef COLDSWAP_SYS_DBFILE_H
#define COLDSWAP_SYS_DBFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "buf.h"
#include "error.h"

/*
 * -EPERM: it is no regular file, has a second name, is another user's, or is
 * open to others.  -ENOENT.
 */
int dbfile_check(const char *path, struct error *err);

/*
 * What SQLite would take for a part of the database: a rollback journal must be
 * such a file too, for one that is a FIFO would be waited for without an end; a
 * write-ahead log is none of ours, and SQLite would remove it.  -EPERM.
 */
int dbfile_check_beside(const char *path, struct error *err);

/* Make it, empty, 0600 and durable, where it is not there; else as above. */
int dbfile_make(const char *path, struct error *err);

/* -EROFS, -EACCES: nothing can be written to it, or made beside it. */
int dbfile_writable(const char *path, struct error *err);

struct dbfile_copy {
	struct buf database;
	struct buf rollback; /* PATH-journal */
	bool has_rollback;
};

/*
 * Read both as they stand at one moment: under the lock that a reader of
 * SQLite takes, so that nobody commits or rolls back meanwhile.  -EAGAIN: a
 * writer held it for longer than five seconds; -EFBIG over `max` bytes each.
 */
int dbfile_copy(const char *path, size_t max, struct dbfile_copy *ret, struct error *err);
void dbfile_copy_done(struct dbfile_copy *copy);
#define AUTO_DBFILE_COPY CLEANUP(dbfile_copy_done) struct dbfile_copy

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The state directory: where the journal and what belongs to a session lie.
 *
 * Nobody but its owner may have a hand in it.  Refused, each with what to do:
 * a last component that is a symbolic link or no directory (-ENOTDIR), another
 * owner than this process's user, a mode that lets group or others write, a
 * parent that everybody may write to and that has no sticky bit (-EPERM).
 *
 * Names below it are relative ("journal.db", "3/card.txt"); ".", ".." and
 * links are never followed.  Directories are made 0700, files 0600.
 */
#ifndef COLDSWAP_SYS_STATEDIR_H
#define COLDSWAP_SYS_STATEDIR_H

#include <stddef.h>
#include <stdint.h>

#include "attr.h"
#include "buf.h"
#include "error.h"

#define STATEDIR_DEFAULT "/var/lib/coldswap"

struct statedir;

enum statedir_mode {
	STATEDIR_READ, /* makes nothing; -ENOENT when there is none */
	STATEDIR_MAKE, /* made when it is missing, and its parent synced */
};

/* `path` NULL: STATEDIR_DEFAULT. */
int statedir_open(const char *path, enum statedir_mode mode, struct statedir **ret,
		  struct error *err);
void statedir_free(struct statedir *dir);
DEFINE_CLEANUP(statedir, statedir_free)

/* Absolute, as it was given; every link above the last component resolved. */
const char *statedir_path(const struct statedir *dir);

/*
 * Can a file be made in it now?  Tried with a file that has no name.
 * -EROFS, -EACCES, -ENOSPC, -EDQUOT, each with what to do.
 */
int statedir_writable(const struct statedir *dir, struct error *err);

/*
 * A directory below it ("3/scratch/copy"), which is made with its parents and
 * synced when it is missing.  *ret is its whole path; the caller frees it.
 */
int statedir_directory(const struct statedir *dir, const char *name, char **ret, struct error *err);

/* The same for a session: "DIR/NUMBER". */
int statedir_session(const struct statedir *dir, uint64_t number, char **ret, struct error *err);

/* Remove a directory and all below it; one that is not there is no error. */
int statedir_clear(const struct statedir *dir, const char *name, struct error *err);

/*
 * Replace a file as a whole: written apart, synced, closed, renamed, and the
 * directory synced.  After an error the old file stands, or the new one whole.
 */
int statedir_write(const struct statedir *dir, const char *name, const void *bytes, size_t len,
		   struct error *err);

/* At most `max` bytes (-EFBIG); only a regular file (-EINVAL). */
int statedir_read(const struct statedir *dir, const char *name, size_t max, struct buf *ret,
		  struct error *err);

/* Remove a file durably; one that is not there is no error. */
int statedir_remove(const struct statedir *dir, const char *name, struct error *err);

#endif

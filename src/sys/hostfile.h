/* SPDX-License-Identifier: MIT */
/*
 * Durable changes of the running host's own files: drop-ins, units, links.
 *
 * Only on the running system; a capture is never written to (-EPERM).  Each
 * component above the file is a directory of root (or of this process's user)
 * that nobody else may write to, and no symbolic link (-EPERM, -ENOTDIR).
 * What was there before is never overwritten.  On return it is on the disk:
 * the file is synced before it gets its name, its directory after it.
 *
 * All of it may be repeated after a crash: what already is as asked is 0.
 */
#ifndef COLDSWAP_SYS_HOSTFILE_H
#define COLDSWAP_SYS_HOSTFILE_H

#include <stddef.h>
#include <sys/types.h>

#include "error.h"
#include "host.h"

/*
 * Make a file with this text.  Missing parents are made 0755; *ret_made (may
 * be NULL) receives their paths, outermost first, on an error too: for
 * hostfile_rmdir().  -EEXIST: something else stands there, left as it is.
 */
int hostfile_write(struct host *host, const char *path, const char *text, mode_t mode,
		   char ***ret_made, struct error *err);

/*
 * Remove the file if it holds `expected`; one that is not there is no error.
 * -EEXIST: it was changed since, and is left as it is.
 */
int hostfile_remove(struct host *host, const char *path, const char *expected, struct error *err);

/* The same for a symbolic link and its text. */
int hostfile_symlink(struct host *host, const char *path, const char *target, char ***ret_made,
		     struct error *err);
int hostfile_unlink(struct host *host, const char *path, const char *expected, struct error *err);

/* Remove directories that were made, innermost first; one that is gone or in use is left. */
int hostfile_rmdir(struct host *host, char *const *made, struct error *err);

/* The whole text, at most 1 MiB; -ENOENT; -EINVAL: no regular file, or it holds a NUL byte. */
int hostfile_read(struct host *host, const char *path, char **ret, struct error *err);

#endif

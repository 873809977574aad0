/* SPDX-License-Identifier: MIT */
/*
 * Small files that are whole and on the disk, or not there.
 *
 * Written under another name, synced, closed with a look at the result,
 * renamed, and the directory synced.  No call here is ended by a signal: what
 * was begun is small, and must not be left half.  The code alone; the caller
 * has the words.
 */
#ifndef COLDSWAP_SYS_DURABLE_H
#define COLDSWAP_SYS_DURABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* `name` is one component.  -EEXIST: something stands there and `replace` is false. */
int durable_write(int dir, const char *name, const void *bytes, size_t len, mode_t mode,
		  bool replace);

/* A directory of its own, made and its parent synced; one that is there is 0.  *ret_made: it was not. */
int durable_mkdir(int dir, const char *name, mode_t mode, bool *ret_made);

/* Remove a name (AT_REMOVEDIR: a directory) and sync; one that is not there is 0. */
int durable_unlink(int dir, const char *name, int flags);

/* fsync(2) of a directory; a filesystem that cannot is no error. */
int durable_sync(int dir);

#endif

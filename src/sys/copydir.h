/* SPDX-License-Identifier: MIT */
/*
 * The directory that receives copies: made, tried, and what lies in it renamed.
 *
 * Every call takes an absolute path whose links are resolved.  A directory
 * that is made is 0700 and its parent is synced; none is ever removed here.
 */
#ifndef COLDSWAP_SYS_COPYDIR_H
#define COLDSWAP_SYS_COPYDIR_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

/* With the parents that are missing; one that is there stays as it is. */
int copydir_make(const char *path, struct error *err);
/* Can a file be made in it now?  -EROFS, -EACCES, -ENOSPC, -EDQUOT, in words. */
int copydir_writable(const char *path, struct error *err);
/* The descriptor of a directory that is no link, to be closed by the caller. */
int copydir_open(const char *path, struct error *err);
/* Is there something of that name?  1, 0, or a negative errno. */
int copydir_exists(const char *path, struct error *err);
/* The size of a regular file that is no link; -ENOENT: there is none. */
int copydir_size(const char *path, uint64_t *ret, struct error *err);
/* Of a file's bytes, in lower-case hexadecimal. */
int copydir_sha256(const char *path, char ret[65], struct error *err);
/* Give a directory another name in the same parent, and sync it.  -EEXIST: the name is taken. */
int copydir_rename(const char *from, const char *to, struct error *err);

#endif

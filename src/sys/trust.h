/* SPDX-License-Identifier: MIT */
/* Who could have changed a file or a directory. */
#ifndef COLDSWAP_SYS_TRUST_H
#define COLDSWAP_SYS_TRUST_H

#include <sys/stat.h>

#include "error.h"

/*
 * 0, or -EPERM with the command that mends it: the owner is neither root nor
 * this process's user, or group or others may write.  A directory with the
 * sticky bit is good enough above a file: what lies in it only its owner moves.
 */
int trust_stat(const char *path, const struct stat *st, struct error *err);

/* The same for each directory above `path`, which is absolute and real. */
int trust_parents(const char *path, struct error *err);

#endif

/* SPDX-License-Identifier: MIT */
/* A file that the operator names on the command line: a runbook. */
#ifndef COLDSWAP_SYS_FILE_H
#define COLDSWAP_SYS_FILE_H

#include <stddef.h>

#include "buf.h"
#include "error.h"

/*
 * Append the whole file to `ret`, at most `max` bytes (-EFBIG).  What is no
 * regular file is refused before it is opened for reading.
 */
int file_read(const char *path, size_t max, struct buf *ret, struct error *err);

/*
 * The same for what this process will act by: also -EPERM when somebody other
 * than root or this process's user could have written it, by its owner, its
 * mode, or those of a directory above it or above a link that leads to it.
 */
int file_read_trusted(const char *path, size_t max, struct buf *ret, struct error *err);

#endif

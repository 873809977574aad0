/* SPDX-License-Identifier: MIT */
/* A file that the operator names on the command line: a runbook. */
#ifndef COLDSWAP_SYS_FILE_H
#define COLDSWAP_SYS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "buf.h"
#include "error.h"

/* Who else could have written it. */
struct file_trust {
	uid_t owner;
	bool foreign;         /* owned neither by root nor by the one who runs this */
	bool group_writable;  /* by a group */
	bool others_writable; /* by anybody */
};

/*
 * Append the whole file to `ret`, at most `max` bytes.  What is no regular
 * file is refused before it is opened for reading.  `ret_trust` may be NULL.
 */
int file_read(const char *path, size_t max, struct buf *ret, struct file_trust *ret_trust,
	      struct error *err);

#endif

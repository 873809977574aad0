/* SPDX-License-Identifier: MIT */
/*
 * One line of fstab, mountinfo or swaps through libmount.
 *
 * libmount is given a line at a time, so that a line that it refuses is
 * known by its number whatever stands before it: a NUL byte, a line of any
 * length, no final newline.
 */
#ifndef COLDSWAP_PROBE_TABLE_LINE_H
#define COLDSWAP_PROBE_TABLE_LINE_H

#include <libmount.h>
#include <stdbool.h>
#include <stddef.h>

#include "error.h"

enum table_format { TABLE_FSTAB, TABLE_MOUNTINFO, TABLE_SWAPS };

struct table_line {
	unsigned number;      /* from 1 */
	char *text;           /* without its line end; a NUL byte shows as "\0" */
	bool nul;             /* it holds a NUL byte */
	struct libmnt_fs *fs; /* NULL: blank, a comment, or refused */
	bool blank;           /* nothing to parse */
};

/*
 * Call `each` for every line of a table; stops at its first non-zero result.
 * -EFBIG: more lines than TABLE_MAX_LINES, the kernel's own bound on mounts.
 */
#define TABLE_MAX_LINES 100000u
int table_read(const char *text, size_t len, enum table_format format,
	       int (*each)(const struct table_line *line, void *data, struct error *err),
	       void *data, size_t *ret_lines, struct error *err);

#endif

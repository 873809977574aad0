/* SPDX-License-Identifier: MIT */
/*
 * The table of a capture: which paths are taken, and what of them.
 *
 * The first row that fits a path says how it is held; a path that no row
 * fits and that a probe read all the same is held as HOLD_GUARDED: its shape
 * and the paths in it, none of its values.
 */
#ifndef COLDSWAP_CAPTURE_ROWS_H
#define COLDSWAP_CAPTURE_ROWS_H

#include <stdbool.h>
#include <stddef.h>

enum hold {
	HOLD_NEVER,    /* a secret, whoever asks */
	HOLD_RAW,      /* the kernel's own: as it is */
	HOLD_TEXT,     /* text; passwords and tokens in it removed */
	HOLD_UNIT,     /* and the values of Environment= */
	HOLD_YAML,     /* and every `value:` */
	HOLD_JSON,     /* likewise, with the values of an Environment array */
	HOLD_CRYPTTAB, /* and the key column, unless it is a path */
	HOLD_GUARDED,  /* keys and paths alone: environment files, unknown files */
	HOLD_NAME,     /* an empty file of that name; its size stands in files.json */
};

struct capture_row {
	const char *glob; /* a component may be a pattern of fnmatch(3) */
	enum hold hold;
	bool take;  /* looked for on every host; else only where a probe asked */
	bool below; /* the glob names a directory; all below it */
};

const struct capture_row *capture_row_at(size_t index); /* NULL past the end */
enum hold capture_hold(const char *path);
/* Is it the system's own, so that a file there is held as one?  Else it is data. */
bool capture_is_system(const char *path);
bool capture_is_self(const char *path);
/* Directories that a host has below "/"; NULL past the end. */
const char *capture_usual_top(size_t index);

#endif

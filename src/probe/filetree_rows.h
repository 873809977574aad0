/* SPDX-License-Identifier: MIT */
/* Inside of struct filetree: the rows of a capture's files.json. */
#ifndef COLDSWAP_PROBE_FILETREE_ROWS_H
#define COLDSWAP_PROBE_FILETREE_ROWS_H

#include <jansson.h>
#include <stddef.h>

#include "base/strmap.h"
#include "buf.h"
#include "probe/filetree.h"

struct listed {
	const char *path, *target; /* of the document */
	struct filetree_stat stat;
};

struct filetree {
	struct host *host;
	json_t *document, *open; /* files.json, openfiles.json; or NULL */
	struct listed *items;    /* by path */
	size_t n;
	struct strmap mounts; /* of a capture: where its machine had mounts */
};

const struct listed *filetree_row(const struct filetree *tree, const char *path);
/* Does a row lie below the directory? */
bool filetree_rows_below(const struct filetree *tree, const char *directory);
/* Append `directory` and a slash, without doubling that of "/". */
int filetree_prefix(struct buf *path, const char *directory);

#endif

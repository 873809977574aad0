/* SPDX-License-Identifier: MIT */
/*
 * Directories that hold a database, found by the files that mark one.
 *
 * Looked for in the usual places, in k3s' own data directory, and below the
 * mount points that the caller names; to a depth of five directories there,
 * never across a mount point.
 */
#ifndef COLDSWAP_PROBE_DATADIRS_H
#define COLDSWAP_PROBE_DATADIRS_H

#include <stdbool.h>
#include <stddef.h>

#include "attr.h"
#include "error.h"
#include "probe/filetree.h"
#include "probe/mounts.h"

struct datadir {
	const char *what; /* "PostgreSQL" */
	char *path;       /* links resolved; none lies in another */
	char *marker;     /* the file that told it: PATH/PG_VERSION */
};

struct datadirs {
	struct datadir *items; /* by path */
	size_t n;
	char **denied;  /* directories that may not be looked into */
	bool truncated; /* there was more than may be looked at */
};

/*
 * Where every disk may hold one: the mount points of all filesystems on a
 * device but that of "/", whose usual places are searched in any case; added
 * to *ret.  -ENOMEM.
 */
int datadirs_places(const struct mounts *mounts, char ***ret);

/* `below`: mount points to search besides the usual places; may be NULL. */
int datadirs_find(struct host *host, struct filetree *tree, const struct mounts *mounts,
		  char *const *below, struct datadirs **ret, struct error *err);
void datadirs_free(struct datadirs *dirs);
DEFINE_CLEANUP(datadirs, datadirs_free)

#endif

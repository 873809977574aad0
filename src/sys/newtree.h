/* SPDX-License-Identifier: MIT */
/*
 * A directory tree that is made, and nothing else touched by it.
 *
 * newtree_create() takes a directory that does not exist yet, or is empty.
 * Everything is written below DIR.partial, a fresh directory: created, never
 * opened again, no link followed, files 0600 and directories 0700.
 * newtree_commit() syncs the filesystem and gives the tree its name, so that
 * what carries the name is whole; whatever ends the program before leaves a
 * directory that calls itself partial.
 *
 * Paths are absolute, as on the captured host; a component "." or ".." is
 * refused, and so is what was made already.
 */
#ifndef COLDSWAP_SYS_NEWTREE_H
#define COLDSWAP_SYS_NEWTREE_H

#include <stddef.h>

#include "attr.h"
#include "error.h"

struct newtree;

/*
 * -ENOTDIR: what stands there is no directory; -EINVAL: a directory that is
 * not empty or another user's, or a DIR.partial of an earlier attempt.
 */
int newtree_create(const char *dir, struct newtree **ret, struct error *err);
void newtree_free(struct newtree *tree);
DEFINE_CLEANUP(newtree, newtree_free)

/* Parents are made as needed; a directory that is there is no error. */
int newtree_directory(struct newtree *tree, const char *path, struct error *err);
int newtree_file(struct newtree *tree, const char *path, const void *bytes, size_t len,
		 struct error *err);
int newtree_link(struct newtree *tree, const char *path, const char *target, struct error *err);

int newtree_commit(struct newtree *tree, struct error *err);
/* DIR.partial while it is there; NULL once committed. */
const char *newtree_partial(const struct newtree *tree);

#endif

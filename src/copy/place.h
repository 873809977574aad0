/* SPDX-License-Identifier: MIT */
/* Where a copy is made: DIR.partial, which becomes DIR, DIR.failed, or nothing. */
#ifndef COLDSWAP_COPY_PLACE_H
#define COLDSWAP_COPY_PLACE_H

#include "error.h"

struct copy_place {
	char *parent, *name, *partial; /* `partial` is a path */
	int above, dir, data;
};

/* -EEXIST: DIR is there; -EPERM: DIR.partial is not this program's own. */
int place_open(struct copy_place *ret, const char *dir, struct error *err);
void place_done(struct copy_place *place);
/* Sync, rename, sync the parent. */
int place_commit(struct copy_place *place);
void place_discard(struct copy_place *place);
/* Its new path, or NULL. */
char *place_set_aside(struct copy_place *place);

#endif

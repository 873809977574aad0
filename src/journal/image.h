/* SPDX-License-Identifier: MIT */
/*
 * A database and its rollback journal in memory, and the VFS by which SQLite
 * opens them.
 *
 * To look must change nothing, yet a journal that a crash left half written is
 * only read right after its rollback.  That rollback happens here, on a copy;
 * it needs no place to write to, and no kill leaves a copy behind.
 */
#ifndef COLDSWAP_JOURNAL_IMAGE_H
#define COLDSWAP_JOURNAL_IMAGE_H

#include "attr.h"
#include "error.h"
#include "sys/dbfile.h"

#define IMAGE_NAME "journal.db" /* what to open */

struct image;

/* Takes over what is in `copy`. */
int image_new(struct dbfile_copy *copy, struct image **ret, struct error *err);
/* Only after what was opened by it is closed. */
void image_free(struct image *image);
DEFINE_CLEANUP(image, image_free)

/* The name of its VFS. */
const char *image_vfs(const struct image *image);

#endif

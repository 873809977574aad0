/* SPDX-License-Identifier: MIT */
/* The parts of RESTORE.md; private to restore_text*.c. */
#ifndef COLDSWAP_COPY_RESTORE_TEXT_H
#define COLDSWAP_COPY_RESTORE_TEXT_H

#include "buf.h"
#include "copy/manifest.h"
#include "probe/dataset.h"

/* A path as a word of a command: inert, and the same path again in bash. */
int restore_word(const char *path, struct buf *ret);
/* A path in a sentence: `inert`. */
int restore_name(const char *path, struct buf *ret);

enum database restore_database(const struct copy_source_row *source);

/* The commands that bring one source back, and what is to be known of it. */
int restore_source(const struct copy_source_row *source, const char *dir, struct buf *ret);
/* Commands that look at the links of clusters; nothing when there is none. */
int restore_links(const struct copy_head *head, struct buf *ret);
/* What to look at once it runs, by the kinds of databases in the copy. */
int restore_after(const struct copy_head *head, struct buf *ret);

#endif

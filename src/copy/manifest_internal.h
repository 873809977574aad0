/* SPDX-License-Identifier: MIT */
/* Inside of the manifest: its words, and reading it while it is written. */
#ifndef COLDSWAP_COPY_MANIFEST_INTERNAL_H
#define COLDSWAP_COPY_MANIFEST_INTERNAL_H

#include <jansson.h>

#include "buf.h"
#include "copy/manifest.h"

/* Any bytes: KEY as text that is valid UTF-8, and KEY_hex where that is not all of it. */
int manifest_put(json_t *object, const char *key, const char *bytes);
/* NULL where the key is not there; -EBADMSG. */
int manifest_get(const json_t *object, const char *key, char **ret);

int manifest_hex(const void *bytes, size_t len, struct buf *ret);
/* `ret` has room for half of the text; -EBADMSG. */
int manifest_unhex(const char *text, unsigned char *ret);

json_t *manifest_head_json(const struct copy_head *head);
json_t *manifest_tail_json(const struct copy_head *head);
json_t *manifest_entry_json(const struct copy_entry *entry);
int manifest_head_parse(const json_t *json, struct copy_head *ret);
int manifest_tail_parse(const json_t *json, struct copy_head *ret);
int manifest_entry_parse(const json_t *json, struct copy_entry *ret);

/* So that what was added so far can be read with manifest_open_unfinished(). */
int manifest_flush(struct manifest_writer *writer, struct error *err);
/* As manifest_open(); manifest_next() gives 0 where the file ends after an entry. */
int manifest_open_unfinished(int dir, struct manifest_reader **ret, struct copy_head *head,
			     struct error *err);

#endif

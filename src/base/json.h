/* SPDX-License-Identifier: MIT */
/*
 * JSON by jansson, with the bounds that foreign documents need: size by the
 * caller's buffer, duplicates rejected, depth at most 64.
 */
#ifndef COLDSWAP_BASE_JSON_H
#define COLDSWAP_BASE_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "attr.h"
#include "buf.h"
#include "error.h"

/* `source` names the document in errors. */
int json_parse(const char *text, size_t len, const char *source, json_t **ret, struct error *err);
/* Follow a path of object keys ("interface_speed", "max", NULL-terminated); NULL if absent. */
const json_t *json_at(const json_t *object, ...) __attribute__((sentinel));
/* The string at a key, or NULL when absent or of another type. */
const char *json_text(const json_t *object, const char *key);
/* Set a string that may hold any bytes (made valid UTF-8); NULL sets null. */
int json_set_text(json_t *object, const char *key, const char *value);
/* Compact, sorted as inserted, with a final newline. */
int json_print(const json_t *value, struct buf *ret, struct error *err);

static inline void cleanup_json(json_t **address)
{
	json_decref(*address);
}
#define AUTO_JSON CLEANUP(cleanup_json) json_t *

#endif

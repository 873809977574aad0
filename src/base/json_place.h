/* SPDX-License-Identifier: MIT */
/*
 * Where a value stands in the text of a JSON document, for evidence that
 * names a line: the parsed document no longer knows it.
 *
 * The text must have been accepted by json_parse(); of any other text no
 * more is promised than that nothing beyond its end is read.
 */
#ifndef COLDSWAP_BASE_JSON_PLACE_H
#define COLDSWAP_BASE_JSON_PLACE_H

#include <stdbool.h>
#include <stddef.h>

struct json_place {
	const char *at, *end; /* at the first character of the value */
	unsigned line;        /* of it, from 1 */
};

struct json_place json_place_of(const char *text, size_t len);
/* Go into an object, to the value of a key; false when it is not there. */
bool json_place_enter(struct json_place *place, const char *key);
/* Go into an array, to its first element; false when there is none. */
bool json_place_first(struct json_place *place);
/* From an element to the next one; false after the last. */
bool json_place_next(struct json_place *place);
/* The line of a value by its keys (NULL-terminated); 0 when it is not there. */
unsigned json_line_of(struct json_place place, ...) __attribute__((sentinel));

#endif

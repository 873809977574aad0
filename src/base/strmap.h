/* SPDX-License-Identifier: MIT */
/* From a text to a number: an open hash table that only grows. */
#ifndef COLDSWAP_BASE_STRMAP_H
#define COLDSWAP_BASE_STRMAP_H

#include <stdbool.h>
#include <stddef.h>

#include "attr.h"

struct strmap_slot {
	char *key; /* NULL: free */
	size_t value;
};

struct strmap {
	struct strmap_slot *slots;
	size_t n, capacity; /* a power of two */
};

/* Where the value of `key` stands, or NULL; good until the next strmap_add(). */
size_t *strmap_find(const struct strmap *map, const char *key);
/* Add a key that is not there yet; copies it.  0 or -ENOMEM. */
int strmap_add(struct strmap *map, const char *key, size_t value);
void strmap_done(struct strmap *map);

#endif

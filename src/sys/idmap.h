/* SPDX-License-Identifier: MIT */
/* From a pair of numbers (device and inode) to another: an open hash table that only grows. */
#ifndef COLDSWAP_SYS_IDMAP_H
#define COLDSWAP_SYS_IDMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct idmap_slot {
	uint64_t a, b;
	size_t value; /* IDMAP_NONE: free */
};

struct idmap {
	struct idmap_slot *slots;
	size_t n, capacity; /* a power of two */
};

#define IDMAP_NONE SIZE_MAX

/* The value, or IDMAP_NONE. */
size_t idmap_find(const struct idmap *map, uint64_t a, uint64_t b);
/* 1 added, 0 it was there (and keeps its value), or -ENOMEM. */
int idmap_add(struct idmap *map, uint64_t a, uint64_t b, size_t value);
void idmap_done(struct idmap *map);

#endif

/* SPDX-License-Identifier: MIT */
#include "base/strmap.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#define FIRST_CAPACITY 256

/* FNV-1a. */
static size_t hash_of(const char *key)
{
	uint64_t hash = UINT64_C(14695981039346656037);

	for (; *key; key++)
		hash = (hash ^ (unsigned char)*key) * UINT64_C(1099511628211);
	return (size_t)(hash ^ hash >> 32);
}

static struct strmap_slot *slot_of(struct strmap_slot *slots, size_t capacity, const char *key)
{
	size_t at = hash_of(key) & (capacity - 1);

	while (slots[at].key && strcmp(slots[at].key, key) != 0)
		at = (at + 1) & (capacity - 1);
	return &slots[at];
}

size_t *strmap_find(const struct strmap *map, const char *key)
{
	struct strmap_slot *slot;

	if (!map->capacity)
		return NULL;
	slot = slot_of(map->slots, map->capacity, key);
	return slot->key ? &slot->value : NULL;
}

static int grow(struct strmap *map)
{
	size_t capacity = map->capacity ? map->capacity * 2 : FIRST_CAPACITY;
	struct strmap_slot *slots = calloc(capacity, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	for (size_t i = 0; i < map->capacity; i++)
		if (map->slots[i].key)
			*slot_of(slots, capacity, map->slots[i].key) = map->slots[i];
	free(map->slots);
	map->slots = slots;
	map->capacity = capacity;
	return 0;
}

int strmap_add(struct strmap *map, const char *key, size_t value)
{
	struct strmap_slot *slot;
	char *copy;

	if ((map->n + 1) * 4 > map->capacity * 3 && grow(map) < 0)
		return -ENOMEM;
	copy = strdup(key);
	if (!copy)
		return -ENOMEM;
	slot = slot_of(map->slots, map->capacity, key);
	*slot = (struct strmap_slot){ copy, value };
	map->n++;
	return 0;
}

void strmap_done(struct strmap *map)
{
	for (size_t i = 0; i < map->capacity; i++)
		free(map->slots[i].key);
	free(map->slots);
	*map = (struct strmap){ 0 };
}

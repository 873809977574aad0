/* SPDX-License-Identifier: MIT */
#include "sys/idmap.h"

#include <errno.h>
#include <stdlib.h>

static size_t hash(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ (b * 0x9e3779b97f4a7c15u)) * 0xff51afd7ed558ccdu;

	return (size_t)(h ^ (h >> 32));
}

static struct idmap_slot *slot_of(const struct idmap *map, uint64_t a, uint64_t b)
{
	size_t at = hash(a, b) & (map->capacity - 1);

	while (map->slots[at].value != IDMAP_NONE &&
	       (map->slots[at].a != a || map->slots[at].b != b))
		at = (at + 1) & (map->capacity - 1);
	return &map->slots[at];
}

size_t idmap_find(const struct idmap *map, uint64_t a, uint64_t b)
{
	return map->n ? slot_of(map, a, b)->value : IDMAP_NONE;
}

static int grow(struct idmap *map)
{
	struct idmap more = { .capacity = map->capacity ? map->capacity * 2 : 16, .n = map->n };

	more.slots = reallocarray(NULL, more.capacity, sizeof(*more.slots));
	if (!more.slots)
		return -ENOMEM;
	for (size_t i = 0; i < more.capacity; i++)
		more.slots[i].value = IDMAP_NONE;
	for (size_t i = 0; i < map->capacity; i++)
		if (map->slots[i].value != IDMAP_NONE)
			*slot_of(&more, map->slots[i].a, map->slots[i].b) = map->slots[i];
	free(map->slots);
	*map = more;
	return 0;
}

int idmap_add(struct idmap *map, uint64_t a, uint64_t b, size_t value)
{
	struct idmap_slot *slot;

	/* At most half full: what is asked for is mostly not there. */
	if (map->n * 2 >= map->capacity && grow(map) < 0)
		return -ENOMEM;
	slot = slot_of(map, a, b);
	if (slot->value != IDMAP_NONE)
		return 0;
	*slot = (struct idmap_slot){ a, b, value };
	map->n++;
	return 1;
}

void idmap_done(struct idmap *map)
{
	free(map->slots);
	*map = (struct idmap){ 0 };
}

/* SPDX-License-Identifier: MIT */
#include "probe/block_pair.h"

#include <errno.h>
#include <string.h>

#include "base/same_text.h"

/* A reader without a medium, a drive without a disc. */
static bool counts(const struct block *block)
{
	return block_is_disk(block) && (block->size > 0 || block->key);
}

static bool same_key(const struct block *a, const struct block *b)
{
	return same_text(a->key, b->key);
}

static bool same_serial(const struct block *a, const struct block *b)
{
	return same_text(a->serial, b->serial) && same_text(a->model, b->model);
}

static bool same_table(const struct block *a, const struct block *b)
{
	return !a->key && !b->key && same_text(a->table_uuid, b->table_uuid);
}

typedef bool (*same_disk)(const struct block *a, const struct block *b);

/* The one disk that is the same as `disk`; `ret_n` says how many there are. */
static const struct block *find(const struct blocks *blocks, const struct block *disk,
				same_disk same, size_t *ret_n)
{
	const struct block *found = NULL;

	*ret_n = 0;
	for (size_t i = 0; i < blocks->n; i++) {
		const struct block *each = blocks->items[i];

		if (!counts(each) || !same(each, disk))
			continue;
		found = each;
		++*ret_n;
	}
	return found;
}

static void recognise(const struct blocks *blocks_before, const struct blocks *blocks,
		      struct disk_pair *pair)
{
	static const same_disk ways[] = { same_key, same_serial, same_table };
	const struct block *disk = pair->before;
	bool told = (disk->key && !disk->key_shared) || (!disk->key && disk->table_uuid);

	for (size_t i = 0; told && i < ELEMENTS(ways); i++) {
		size_t n, n_before;
		const struct block *now = find(blocks, disk, ways[i], &n);

		/* Two of a sort, on either side, are no identity. */
		find(blocks_before, disk, ways[i], &n_before);
		if (n > 1 || n_before > 1)
			return;
		if (n == 1) {
			pair->now = now;
			break;
		}
	}
	pair->recognised = told;
}

int blocks_pair(const struct blocks *before, const struct blocks *now, struct disk_pair **ret,
		size_t *ret_n)
{
	struct disk_pair *pairs = calloc(before->n + 1, sizeof(*pairs));
	size_t n = 0;

	if (!pairs)
		return -ENOMEM;
	for (size_t i = 0; i < before->n; i++) {
		if (!counts(before->items[i]))
			continue;
		pairs[n].before = before->items[i];
		recognise(before, now, &pairs[n++]);
	}
	*ret = pairs;
	*ret_n = n;
	return 0;
}

const struct disk_pair *disk_pair_of(const struct disk_pair *pairs, size_t n,
				     const struct block *now)
{
	for (size_t i = 0; i < n; i++)
		if (pairs[i].now == now)
			return &pairs[i];
	return NULL;
}

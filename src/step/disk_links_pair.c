/* SPDX-License-Identifier: MIT */
/*
 * Which disk of now is which of before.
 *
 * Kernel names are dealt anew at each boot and mean nothing here.  A disk is
 * known by its key (WWN, else model and serial); where one side could not
 * tell the WWN, by model and serial.  One that tells neither is known by its
 * partition table, and only then: a clone carries the table of another disk.
 */
#include <errno.h>
#include <string.h>

#include "base/same_text.h"
#include "step/disk_links.h"

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

static void recognise(const struct links *links, struct disk_pair *pair)
{
	static const same_disk ways[] = { same_key, same_serial, same_table };
	const struct block *disk = pair->before;
	bool told = (disk->key && !disk->key_shared) || (!disk->key && disk->table_uuid);

	for (size_t i = 0; told && i < ELEMENTS(ways); i++) {
		size_t n, n_before;
		const struct block *now = find(links->blocks, disk, ways[i], &n);

		/* Two of a sort, on either side, are no identity. */
		find(links->blocks_before, disk, ways[i], &n_before);
		if (n > 1 || n_before > 1)
			return;
		if (n == 1) {
			pair->now = now;
			break;
		}
	}
	pair->recognised = told;
}

int links_pair(struct links *links)
{
	links->pairs = calloc(links->blocks_before->n + 1, sizeof(*links->pairs));
	if (!links->pairs)
		return -ENOMEM;
	for (size_t i = 0; i < links->blocks_before->n; i++) {
		const struct block *disk = links->blocks_before->items[i];

		if (!counts(disk))
			continue;
		links->pairs[links->n_pairs].before = disk;
		recognise(links, &links->pairs[links->n_pairs++]);
	}
	return 0;
}

void links_done(struct links *links)
{
	free(links->pairs);
	links->pairs = NULL;
	links->n_pairs = 0;
}

const struct disk_pair *links_pair_of(const struct links *links, const struct block *now)
{
	for (size_t i = 0; i < links->n_pairs; i++)
		if (links->pairs[i].now == now)
			return &links->pairs[i];
	return NULL;
}

/* SPDX-License-Identifier: MIT */
/*
 * Every page of a bbolt file, from the root down.
 *
 * In the order of the walk the keys of a bucket ascend: each leaf's key is
 * greater than the one before, a branch's key is greater than all that was
 * seen so far and not greater than the first one below it.  So one key a
 * bucket is all that is kept.
 */
#include <errno.h>
#include <string.h>

#include "base/bytes.h"
#include "probe/bbolt_page.h"

#define PAGES_MAX (1u << 30)
#define METAS 2
#define COUNT_ELSEWHERE 0xffff /* the true one is the first number of the list */
#define PAGE_HEADER_BYTES 16
#define IDS 512 /* of a freelist, read at once */

struct walk {
	struct bbolt_view view;
	uint8_t *reached, *free;    /* a bit a page */
	uint8_t key[BBOLT_KEY_MAX]; /* that is being looked at */
	struct bbolt_walk found;
};

/* How far the walk through a bucket has come. */
struct order {
	uint8_t *key; /* the last one; NULL before the first */
	uint32_t len;
	bool leaf; /* it was a leaf's: none may follow that is equal */
};

static void walk_done(struct walk *walk)
{
	bbolt_view_done(&walk->view);
	free(walk->reached);
	free(walk->free);
	walk->reached = walk->free = NULL;
}

static void order_done(struct order *order)
{
	free(order->key);
}

static bool bit(const uint8_t *bits, uint64_t at)
{
	return bits[at / 8] >> at % 8 & 1;
}

static void set_bit(uint8_t *bits, uint64_t at)
{
	bits[at / 8] |= (uint8_t)(1u << at % 8);
}

static int claim(struct walk *walk, const struct bbolt_page *page, struct error *err)
{
	for (uint64_t id = page->id; id <= page->id + page->overflow; id++) {
		if (bit(walk->free, id))
			return bbolt_damaged(&walk->view, id, err, "is in use and on the freelist");
		if (bit(walk->reached, id))
			return bbolt_damaged(&walk->view, id, err, "is reached twice");
		set_bit(walk->reached, id);
	}
	walk->found.pages += (uint64_t)page->overflow + 1;
	return 0;
}

static int compare(const uint8_t *a, size_t a_len, const uint8_t *b, size_t b_len)
{
	int order = memcmp(a, b, a_len < b_len ? a_len : b_len);

	return order ? order : a_len < b_len ? -1 : a_len > b_len;
}

/* `fresh`: the first element of a branch may repeat the key of the branch above. */
static int check_key(struct walk *walk, const struct bbolt_page *page,
		     const struct bbolt_element *element, bool fresh, struct order *order,
		     struct error *err)
{
	uint8_t *kept;
	int r = bbolt_view_read(&walk->view, element->key, walk->key, element->key_len, err);

	if (r < 0)
		return r;
	if (order->key) {
		int way = compare(walk->key, element->key_len, order->key, order->len);

		if (way < 0 || (way == 0 && (order->leaf || !fresh)))
			return bbolt_damaged(&walk->view, page->id, err, "has keys out of order");
	}
	kept = realloc(order->key, element->key_len + 1u);
	if (!kept)
		return error_oom(err);
	memcpy(kept, walk->key, element->key_len);
	*order = (struct order){ kept, element->key_len, page->type == BBOLT_LEAF };
	return 0;
}

static int walk_page(struct walk *walk, struct bbolt_page *page, struct order *order,
		     unsigned depth, struct error *err);

static int walk_child(struct walk *walk, uint64_t id, struct order *order, unsigned depth,
		      struct error *err)
{
	struct bbolt_page page;
	int r = bbolt_page_open(&walk->view, id, &page, err);

	if (r == 0)
		r = claim(walk, &page, err);
	return r < 0 ? r : walk_page(walk, &page, order, depth + 1, err);
}

static int walk_bucket(struct walk *walk, const struct bbolt_page *holder,
		       const struct bbolt_element *element, unsigned depth, struct error *err)
{
	CLEANUP(order_done) struct order order = { 0 };
	struct bbolt_page page;
	int r = bbolt_bucket_open(&walk->view, holder, element, &page, err);

	walk->found.buckets++;
	/* An inline one lies in a page that is claimed already. */
	if (r == 0 && page.start != element->value + 16)
		r = claim(walk, &page, err);
	return r < 0 ? r : walk_page(walk, &page, &order, depth + 1, err);
}

static int walk_page(struct walk *walk, struct bbolt_page *page, struct order *order,
		     unsigned depth, struct error *err)
{
	int r = 0;

	if (page->type == BBOLT_FREELIST)
		return bbolt_damaged(&walk->view, page->id, err, "is no page of a tree");
	if (depth > BBOLT_DEPTH_MAX)
		return bbolt_damaged(&walk->view, page->id, err, "lies deeper than any tree is");
	for (unsigned i = 0; r == 0 && i < page->count; i++) {
		struct bbolt_element element;

		r = bbolt_element_read(&walk->view, page, i, &element, err);
		if (r == 0)
			r = check_key(walk, page, &element, i == 0, order, err);
		if (r < 0)
			return r;
		if (page->type == BBOLT_BRANCH)
			r = walk_child(walk, element.child, order, depth, err);
		else if (element.bucket)
			r = walk_bucket(walk, page, &element, depth, err);
		else
			walk->found.keys++;
	}
	return r;
}

/* Ids of free pages, in portions. */
static int read_free_ids(struct walk *walk, const struct bbolt_page *page, uint64_t offset,
			 uint64_t n, struct error *err)
{
	uint8_t ids[IDS * sizeof(uint64_t)];

	while (n > 0) {
		size_t part = n < IDS ? (size_t)n : IDS;
		int r = bbolt_view_read(&walk->view, offset, ids, part * sizeof(uint64_t), err);

		for (size_t i = 0; r == 0 && i < part; i++) {
			uint64_t id = bytes_host64(ids + i * sizeof(uint64_t));

			if (id < METAS || id >= walk->view.meta.high_water || bit(walk->free, id))
				return bbolt_damaged(
					&walk->view, page->id, err,
					"is a freelist that names what is no free page");
			set_bit(walk->free, id);
		}
		if (r < 0)
			return r;
		walk->found.free_pages += part;
		offset += part * sizeof(uint64_t);
		n -= part;
	}
	return 0;
}

static int read_freelist(struct walk *walk, struct error *err)
{
	struct bbolt_page page;
	uint8_t first[sizeof(uint64_t)];
	uint64_t offset, n, room;
	int r;

	if (walk->view.meta.freelist == BBOLT_NO_FREELIST)
		return 0;
	r = bbolt_page_open(&walk->view, walk->view.meta.freelist, &page, err);
	if (r < 0)
		return r;
	if (page.type != BBOLT_FREELIST)
		return bbolt_damaged(&walk->view, page.id, err, "is no freelist");
	offset = page.start + PAGE_HEADER_BYTES;
	room = (page.size - PAGE_HEADER_BYTES) / sizeof(uint64_t);
	n = page.count;
	if (n == COUNT_ELSEWHERE) {
		r = bbolt_view_read(&walk->view, offset, first, sizeof(first), err);
		if (r < 0)
			return r;
		n = bytes_host64(first);
		offset += sizeof(first);
		room--;
	}
	if (n > room)
		return bbolt_damaged(&walk->view, page.id, err,
				     "counts more elements than it has room for");
	r = read_free_ids(walk, &page, offset, n, err);
	return r < 0 ? r : claim(walk, &page, err);
}

static void count_lost(struct walk *walk)
{
	if (walk->view.meta.freelist == BBOLT_NO_FREELIST)
		return;
	for (uint64_t id = METAS; id < walk->view.meta.high_water; id++)
		walk->found.lost_pages += !bit(walk->reached, id) && !bit(walk->free, id);
}

static int walk_all(struct walk *walk, struct error *err)
{
	CLEANUP(order_done) struct order order = { 0 };
	uint64_t pages = walk->view.meta.high_water;
	int r;

	if (pages > PAGES_MAX)
		return error_set(err, -EFBIG, "%s has more than %u pages", walk->view.file->name,
				 PAGES_MAX);
	walk->reached = calloc(1, (size_t)(pages / 8 + 1));
	walk->free = calloc(1, (size_t)(pages / 8 + 1));
	if (!walk->reached || !walk->free)
		return error_oom(err);
	r = read_freelist(walk, err);
	if (r == 0)
		r = walk_child(walk, walk->view.meta.root, &order, 0, err);
	if (r == 0)
		count_lost(walk);
	return r;
}

int bbolt_check(const struct bytes_at *file, struct bbolt_walk *ret, struct error *err)
{
	struct walk *walk = calloc(1, sizeof(*walk));
	int r;

	if (!walk)
		return error_oom(err);
	r = bbolt_view_open(file, &walk->view, err);
	if (r == 0)
		r = walk_all(walk, err);
	if (r == 0) {
		walk->found.meta = walk->view.meta;
		*ret = walk->found;
	}
	walk_done(walk);
	free(walk);
	return r;
}

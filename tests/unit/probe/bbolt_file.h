/* SPDX-License-Identifier: MIT */
/* A small file of every shape that bbolt writes, made page by page. */
#ifndef COLDSWAP_TESTS_PROBE_BBOLT_FILE_H
#define COLDSWAP_TESTS_PROBE_BBOLT_FILE_H

#include <stdbool.h>

#include "bytes.h"

#define PAGE 1024u
#define PAGES 12u
#define NONE UINT64_MAX

enum { BRANCH = 1, LEAF = 2, META = 4, FREELIST = 16 };

/*
 *	0, 1	metas		5	leaf "c".."d", "d" a bucket at 8
 *	2	freelist	6-7	leaf "m" with a value of two pages
 *	3	branch		8	leaf of bucket "d": "x", inline bucket "y"
 *	4	leaf "a","b"	9	lost	10, 11	free
 */
struct file {
	uint8_t bytes[PAGES * PAGE];
	struct bytes_buffer buffer;
	struct bytes_at at;
};

static inline void put16(uint8_t *at, uint16_t value)
{
	memcpy(at, &value, sizeof(value));
}

static inline void put32(uint8_t *at, uint32_t value)
{
	memcpy(at, &value, sizeof(value));
}

static inline void put64(uint8_t *at, uint64_t value)
{
	memcpy(at, &value, sizeof(value));
}

static inline void page_header(uint8_t *page, uint64_t id, uint16_t flags, uint16_t count,
			       uint32_t overflow)
{
	put64(page, id);
	put16(page + 8, flags);
	put16(page + 10, count);
	put32(page + 12, overflow);
}

static inline void sum_meta(uint8_t *page)
{
	uint64_t sum = 0xcbf29ce484222325u;

	for (unsigned i = 0; i < 56; i++)
		sum = (sum ^ page[16 + i]) * 0x100000001b3u;
	put64(page + 16 + 56, sum);
}

static inline void meta(uint8_t *page, uint64_t id, uint64_t txid)
{
	page_header(page, id, META, 0, 0);
	put32(page + 16, 0xed0cdaed);
	put32(page + 20, 2);
	put32(page + 24, PAGE);
	put64(page + 32, 3);     /* root */
	put64(page + 48, 2);     /* freelist */
	put64(page + 56, PAGES); /* high-water mark */
	put64(page + 64, txid);
	sum_meta(page);
}

struct item {
	const char *key;
	const void *value;
	uint32_t len;
	bool bucket;
};

/* Elements, then keys and values one behind the other. */
static inline uint32_t leaf(uint8_t *page, uint64_t id, uint32_t overflow, const struct item *items,
			    uint16_t n)
{
	uint32_t at = 16 + 16u * n;

	page_header(page, id, LEAF, n, overflow);
	for (unsigned i = 0; i < n; i++) {
		uint8_t *element = page + 16 + 16 * i;
		uint32_t key_len = (uint32_t)strlen(items[i].key);

		put32(element, items[i].bucket);
		put32(element + 4, at - (16 + 16 * i));
		put32(element + 8, key_len);
		put32(element + 12, items[i].len);
		memcpy(page + at, items[i].key, key_len);
		if (items[i].len)
			memcpy(page + at + key_len, items[i].value, items[i].len);
		at += key_len + items[i].len;
	}
	return at;
}

static inline void branch(uint8_t *page, uint64_t id, const char *const *keys,
			  const uint64_t *children, uint16_t n)
{
	uint32_t at = 16 + 16u * n;

	page_header(page, id, BRANCH, n, 0);
	for (unsigned i = 0; i < n; i++) {
		uint8_t *element = page + 16 + 16 * i;

		put32(element, at - (16 + 16 * i));
		put32(element + 4, (uint32_t)strlen(keys[i]));
		put64(element + 8, children[i]);
		memcpy(page + at, keys[i], strlen(keys[i]));
		at += (uint32_t)strlen(keys[i]);
	}
}

static inline void make_buckets(uint8_t *bytes)
{
	static uint8_t big[PAGE + 100];
	uint8_t inlined[16 + 64] = { 0 }, root[16] = { 0 };
	uint32_t len = leaf(inlined + 16, 0, 0, (struct item[]){ { "in", "side", 4, false } }, 1);

	put64(root, 8);
	memset(big, 'v', sizeof(big));
	leaf(bytes + 4 * PAGE, 4, 0,
	     (struct item[]){ { "a", "1", 1, false }, { "b", "", 0, false } }, 2);
	leaf(bytes + 5 * PAGE, 5, 0,
	     (struct item[]){ { "c", "3", 1, false }, { "d", root, 16, true } }, 2);
	leaf(bytes + 6 * PAGE, 6, 1, (struct item[]){ { "m", big, sizeof(big), false } }, 1);
	leaf(bytes + 8 * PAGE, 8, 0,
	     (struct item[]){ { "x", "value of x", 10, false }, { "y", inlined, 16 + len, true } },
	     2);
}

static inline void file_make(struct file *file)
{
	*file = (struct file){ .buffer = { file->bytes, sizeof(file->bytes), 0 } };
	file->at = bytes_of_buffer(&file->buffer);
	meta(file->bytes, 0, 40);
	meta(file->bytes + PAGE, 1, 41);
	page_header(file->bytes + 2 * PAGE, 2, FREELIST, 2, 0);
	put64(file->bytes + 2 * PAGE + 16, 10);
	put64(file->bytes + 2 * PAGE + 24, 11);
	branch(file->bytes + 3 * PAGE, 3, (const char *const[]){ "a", "c", "m" },
	       (const uint64_t[]){ 4, 5, 6 }, 3);
	make_buckets(file->bytes);
}

static inline uint8_t *page(struct file *file, unsigned id)
{
	return file->bytes + id * PAGE;
}

/* The metas again, after one of them was changed. */
static inline void seal(struct file *file)
{
	sum_meta(page(file, 0));
	sum_meta(page(file, 1));
}

static inline void set_both(struct file *file, unsigned at, uint64_t value)
{
	put64(page(file, 0) + at, value);
	put64(page(file, 1) + at, value);
	seal(file);
}

#endif

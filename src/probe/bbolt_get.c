/* SPDX-License-Identifier: MIT */
/* One key of a bbolt file. */
#include <errno.h>
#include <string.h>

#include "probe/bbolt_page.h"

struct search {
	struct bbolt_view view;
	const char *key;
	size_t len;
	uint8_t seen[BBOLT_KEY_MAX];
};

/* The order of the searched key and an element's: below, equal or above 0. */
static int compare(struct search *search, const struct bbolt_element *element, int *ret,
		   struct error *err)
{
	size_t len = search->len < element->key_len ? search->len : element->key_len;
	int r = bbolt_view_read(&search->view, element->key, search->seen, element->key_len, err);

	if (r < 0)
		return r;
	*ret = memcmp(search->key, search->seen, len);
	if (*ret == 0)
		*ret = search->len < element->key_len ? -1 : search->len > element->key_len;
	return 0;
}

/*
 * In a leaf the element of that key, or -ENOENT; in a branch the last one that
 * is not above it.
 */
static int find_in_page(struct search *search, struct bbolt_page *page, struct bbolt_element *ret,
			struct error *err)
{
	struct bbolt_element element;
	int way = 0;

	for (unsigned i = 0; i < page->count; i++) {
		int r = bbolt_element_read(&search->view, page, i, &element, err);

		if (r == 0)
			r = compare(search, &element, &way, err);
		if (r < 0)
			return r;
		if (way == 0 || (page->type == BBOLT_BRANCH && (way > 0 || i == 0)))
			*ret = element;
		if (way <= 0)
			break;
	}
	return page->type == BBOLT_BRANCH || (page->count && way == 0) ? 0 : -ENOENT;
}

/* `page` becomes the leaf. */
static int find(struct search *search, struct bbolt_page *page, const char *key,
		struct bbolt_element *ret, struct error *err)
{
	search->key = key;
	search->len = strlen(key);
	for (unsigned depth = 0; depth <= BBOLT_DEPTH_MAX; depth++) {
		int r;

		if (page->type == BBOLT_FREELIST)
			return bbolt_damaged(&search->view, page->id, err, "is no page of a tree");
		r = find_in_page(search, page, ret, err);
		if (r < 0 || page->type == BBOLT_LEAF)
			return r;
		r = bbolt_page_open(&search->view, ret->child, page, err);
		if (r < 0)
			return r;
	}
	return bbolt_damaged(&search->view, page->id, err, "lies deeper than any tree is");
}

static int read_value(struct search *search, const struct bbolt_element *element, size_t max,
		      struct buf *ret, struct error *err)
{
	AUTO_FREE char *value = NULL;
	int r;

	if (element->value_len > max)
		return error_set(err, -EFBIG, "the value of %s in %s is larger than %zu bytes",
				 search->key, search->view.file->name, max);
	value = malloc(element->value_len + 1u);
	if (!value)
		return error_oom(err);
	r = bbolt_view_read(&search->view, element->value, value, element->value_len, err);
	if (r == 0 && buf_add(ret, value, element->value_len) < 0)
		r = error_oom(err);
	explicit_bzero(value, element->value_len); /* Vault keeps keys here, encrypted or not */
	return r;
}

static int get(struct search *search, const char *bucket, const char *key, size_t max,
	       struct buf *ret, struct error *err)
{
	struct bbolt_element element = { 0 };
	struct bbolt_page page;
	int r = bbolt_page_open(&search->view, search->view.meta.root, &page, err);

	if (r == 0)
		r = find(search, &page, bucket, &element, err);
	if (r == -ENOENT || (r == 0 && !element.bucket))
		return error_set(err, -ENOENT, "%s has no bucket %s", search->view.file->name,
				 bucket);
	if (r == 0)
		r = bbolt_bucket_open(&search->view, &page, &element, &page, err);
	if (r == 0)
		r = find(search, &page, key, &element, err);
	if (r == -ENOENT || (r == 0 && element.bucket))
		return error_set(err, -ENOENT, "%s has no key %s in its bucket %s",
				 search->view.file->name, key, bucket);
	return r < 0 ? r : read_value(search, &element, max, ret, err);
}

int bbolt_get(const struct bytes_at *file, const char *bucket, const char *key, size_t max,
	      struct buf *ret, struct error *err)
{
	struct search *search = calloc(1, sizeof(*search));
	int r;

	if (!search)
		return error_oom(err);
	r = bbolt_view_open(file, &search->view, err);
	if (r == 0)
		r = get(search, bucket, key, max, ret, err);
	bbolt_view_done(&search->view);
	explicit_bzero(search, sizeof(*search));
	free(search);
	return r;
}

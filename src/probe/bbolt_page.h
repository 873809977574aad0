/* SPDX-License-Identifier: MIT */
/*
 * The pages of a bbolt file, read through one small window: a page with its
 * overflow may be as large as the file.
 *
 * Whatever a page says of itself is checked against the room that it has
 * before it is followed; what does not fit is -EBADMSG.
 */
#ifndef COLDSWAP_PROBE_BBOLT_PAGE_H
#define COLDSWAP_PROBE_BBOLT_PAGE_H

#include <stdbool.h>

#include "attr.h"
#include "probe/bbolt.h"

#define BBOLT_NO_FREELIST UINT64_MAX
#define BBOLT_KEY_MAX 32768
/* Pages and buckets, one inside the other.  A real tree has a few levels. */
#define BBOLT_DEPTH_MAX 100

struct bbolt_view {
	const struct bytes_at *file;
	struct bbolt_meta meta;
	uint8_t *window;
	size_t capacity, len;
	uint64_t start; /* of the window in the file, a multiple of its capacity */
};
/* Reads the meta, and looks whether the file is as long as that says. */
int bbolt_view_open(const struct bytes_at *file, struct bbolt_view *ret, struct error *err);
void bbolt_view_done(struct bbolt_view *view);
int bbolt_view_read(struct bbolt_view *view, uint64_t offset, void *into, size_t len,
		    struct error *err);

enum bbolt_page_type { BBOLT_BRANCH = 1, BBOLT_LEAF = 2, BBOLT_META = 4, BBOLT_FREELIST = 16 };

struct bbolt_page {
	uint64_t id;          /* of an inline bucket: that of the page which holds it */
	uint64_t start, size; /* in the file, with header and overflow */
	enum bbolt_page_type type;
	uint16_t count;
	uint32_t overflow;
	uint64_t data; /* where the next element's key may begin */
};
int bbolt_page_open(struct bbolt_view *view, uint64_t id, struct bbolt_page *ret,
		    struct error *err);

struct bbolt_element {
	bool bucket;
	uint64_t child; /* of a branch */
	uint64_t key, value;
	uint32_t key_len, value_len;
};
/* Elements are asked for in order, each once: none may reach into another. */
int bbolt_element_read(struct bbolt_view *view, struct bbolt_page *page, unsigned index,
		       struct bbolt_element *ret, struct error *err);
/* The root of a bucket: 0 and a page of the tree or, inside the value, an inline one. */
int bbolt_bucket_open(struct bbolt_view *view, const struct bbolt_page *holder,
		      const struct bbolt_element *element, struct bbolt_page *ret,
		      struct error *err);

/* "PATH is damaged: page N ..." with what to do.  Returns -EBADMSG. */
int bbolt_damaged(const struct bbolt_view *view, uint64_t page, struct error *err, const char *how);

#endif

/* SPDX-License-Identifier: MIT */
#include "probe/bbolt_page.h"

#include <errno.h>

#include "base/bytes.h"

#define HEADER_BYTES 16
#define ELEMENT_BYTES 16
#define BUCKET_BYTES 16 /* root and sequence: what a bucket's value begins with */
#define BUCKET_FLAG 1
#define FIRST_PAGE 2 /* behind the metas */
#define WINDOW_MIN 4096u
#define WINDOW_MAX 65536u

int bbolt_damaged(const struct bbolt_view *view, uint64_t page, struct error *err, const char *how)
{
	error_set(err, -EBADMSG, "%s is damaged: page %llu %s", view->file->name,
		  (unsigned long long)page, how);
	error_hint(err, "keep it, and restore the database from a snapshot or an earlier copy");
	return -EBADMSG;
}

void bbolt_view_done(struct bbolt_view *view)
{
	free(view->window);
	view->window = NULL;
}

int bbolt_view_open(const struct bytes_at *file, struct bbolt_view *ret, struct error *err)
{
	struct bbolt_view view = { .file = file };
	uint32_t page_size;
	int r = bbolt_meta_read(file, &view.meta, err);

	if (r < 0)
		return r;
	page_size = view.meta.page_size;
	if (view.meta.high_water > file->size / page_size) {
		error_set(err, -EBADMSG,
			  "%s is cut off: %llu pages of %u bytes should be there, "
			  "and it has %llu bytes",
			  file->name, (unsigned long long)view.meta.high_water, page_size,
			  (unsigned long long)file->size);
		error_hint(err,
			   "keep it, and restore the database from a snapshot or an earlier copy");
		return -EBADMSG;
	}
	view.capacity = page_size < WINDOW_MIN   ? WINDOW_MIN
			: page_size > WINDOW_MAX ? WINDOW_MAX
						 : page_size;
	view.window = malloc(view.capacity);
	if (!view.window)
		return error_oom(err);
	*ret = view;
	return 0;
}

static int load(struct bbolt_view *view, uint64_t offset, struct error *err)
{
	uint64_t start = offset - offset % view->capacity, left = view->file->size - start;
	size_t len = left < view->capacity ? (size_t)left : view->capacity;
	int r;

	if (view->len && view->start == start)
		return 0;
	view->len = 0;
	r = bytes_read(view->file, start, view->window, len, err);
	if (r < 0)
		return r;
	view->start = start;
	view->len = len;
	return 0;
}

int bbolt_view_read(struct bbolt_view *view, uint64_t offset, void *into, size_t len,
		    struct error *err)
{
	uint8_t *to = into;

	if (offset > view->file->size || len > view->file->size - offset)
		return error_set(err, -ENODATA, "%s ends early", view->file->name);
	while (len > 0) {
		size_t at, part;
		int r = load(view, offset, err);

		if (r < 0)
			return r;
		at = (size_t)(offset - view->start);
		part = view->len - at < len ? view->len - at : len;
		memcpy(to, view->window + at, part);
		to += part;
		offset += part;
		len -= part;
	}
	return 0;
}

/* The header at page->start, of a page that may take up page->size bytes as yet. */
static int read_header(struct bbolt_view *view, struct bbolt_page *page, uint64_t *ret_id,
		       struct error *err)
{
	uint8_t header[HEADER_BYTES];
	int r = bbolt_view_read(view, page->start, header, sizeof(header), err);

	if (r < 0)
		return r;
	*ret_id = bytes_host64(header);
	page->type = (enum bbolt_page_type)bytes_host16(header + 8);
	page->count = bytes_host16(header + 10);
	page->overflow = bytes_host32(header + 12);
	return 0;
}

/* Is there room for the elements, and is it a page of a tree? */
static int check_tree_page(const struct bbolt_view *view, struct bbolt_page *page,
			   struct error *err)
{
	if (page->type != BBOLT_BRANCH && page->type != BBOLT_LEAF)
		return bbolt_damaged(view, page->id, err, "is no page of a tree");
	if (page->type == BBOLT_BRANCH && page->count == 0)
		return bbolt_damaged(view, page->id, err, "is a branch that leads nowhere");
	if ((uint64_t)page->count * ELEMENT_BYTES > page->size - HEADER_BYTES)
		return bbolt_damaged(view, page->id, err,
				     "counts more elements than it has room for");
	page->data = page->start + HEADER_BYTES + (uint64_t)page->count * ELEMENT_BYTES;
	return 0;
}

int bbolt_page_open(struct bbolt_view *view, uint64_t id, struct bbolt_page *ret, struct error *err)
{
	struct bbolt_page page = { .id = id };
	uint64_t own;
	int r;

	if (id < FIRST_PAGE || id >= view->meta.high_water)
		return bbolt_damaged(view, id, err, "is referred to and is none");
	page.start = id * view->meta.page_size;
	r = read_header(view, &page, &own, err);
	if (r < 0)
		return r;
	if (own != id)
		return bbolt_damaged(view, id, err, "bears the number of another");
	if (page.overflow >= view->meta.high_water - id)
		return bbolt_damaged(view, id, err, "reaches past the last page");
	page.size = ((uint64_t)page.overflow + 1) * view->meta.page_size;
	if (page.type != BBOLT_FREELIST)
		r = check_tree_page(view, &page, err);
	if (r == 0)
		*ret = page;
	return r;
}

int bbolt_element_read(struct bbolt_view *view, struct bbolt_page *page, unsigned index,
		       struct bbolt_element *ret, struct error *err)
{
	uint64_t at = page->start + HEADER_BYTES + (uint64_t)index * ELEMENT_BYTES;
	bool leaf = page->type == BBOLT_LEAF;
	uint8_t bytes[ELEMENT_BYTES];
	struct bbolt_element element = { 0 };
	int r = bbolt_view_read(view, at, bytes, sizeof(bytes), err);

	if (r < 0)
		return r;
	element.key = at + bytes_host32(bytes + (leaf ? 4 : 0));
	element.key_len = bytes_host32(bytes + (leaf ? 8 : 4));
	element.value = element.key + element.key_len;
	if (leaf) {
		element.value_len = bytes_host32(bytes + 12);
		element.bucket = bytes_host32(bytes) == BUCKET_FLAG;
		if (bytes_host32(bytes) > BUCKET_FLAG)
			return bbolt_damaged(view, page->id, err,
					     "has an element of no known type");
	} else {
		element.child = bytes_host64(bytes + 8);
	}
	if (element.key_len > BBOLT_KEY_MAX)
		return bbolt_damaged(view, page->id, err, "has a key that is too long");
	if (element.value + element.value_len > page->start + page->size)
		return bbolt_damaged(view, page->id, err, "has an element that reaches out of it");
	/* Written one behind the other; where two share bytes, a walk could take for ever. */
	if (element.key < page->data)
		return bbolt_damaged(view, page->id, err, "has elements that overlap");
	page->data = element.value + element.value_len;
	*ret = element;
	return 0;
}

static int open_inline(struct bbolt_view *view, const struct bbolt_page *holder,
		       const struct bbolt_element *element, struct bbolt_page *ret,
		       struct error *err)
{
	struct bbolt_page page = { .id = holder->id,
				   .start = element->value + BUCKET_BYTES,
				   .size = element->value_len - BUCKET_BYTES };
	uint64_t own;
	int r;

	if (page.size < HEADER_BYTES)
		return bbolt_damaged(view, holder->id, err, "holds a bucket that is cut off");
	r = read_header(view, &page, &own, err);
	if (r < 0)
		return r;
	if (page.type != BBOLT_LEAF || page.overflow)
		return bbolt_damaged(view, holder->id, err, "holds a bucket that is no leaf");
	r = check_tree_page(view, &page, err);
	if (r == 0)
		*ret = page;
	return r;
}

int bbolt_bucket_open(struct bbolt_view *view, const struct bbolt_page *holder,
		      const struct bbolt_element *element, struct bbolt_page *ret,
		      struct error *err)
{
	uint8_t bucket[BUCKET_BYTES];
	int r;

	if (element->value_len < sizeof(bucket))
		return bbolt_damaged(view, holder->id, err, "holds a bucket that is cut off");
	r = bbolt_view_read(view, element->value, bucket, sizeof(bucket), err);
	if (r < 0)
		return r;
	if (bytes_host64(bucket) == 0)
		return open_inline(view, holder, element, ret, err);
	return bbolt_page_open(view, bytes_host64(bucket), ret, err);
}

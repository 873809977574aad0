/* SPDX-License-Identifier: MIT */
#include "capture/entries.h"

#include <errno.h>
#include <string.h>

struct entry *entries_find(const struct entries *entries, const char *path)
{
	const size_t *place = strmap_find(&entries->places, path);

	return place ? &entries->items[*place] : NULL;
}

static int make_room(struct entries *entries)
{
	size_t capacity = entries->capacity ? entries->capacity * 2 : 256;
	struct entry *more;

	if (entries->n < entries->capacity)
		return 0;
	more = reallocarray(entries->items, capacity, sizeof(*more));
	if (!more)
		return -ENOMEM;
	entries->items = more;
	entries->capacity = capacity;
	return 0;
}

int entries_add(struct entries *entries, const char *path, enum entry_type type, const char *data,
		size_t len)
{
	struct entry entry = { .type = type, .len = len };

	if (entries_find(entries, path))
		return 0;
	if (len > ENTRIES_MAX_BYTES - entries->bytes)
		return -EFBIG;
	if (make_room(entries) < 0)
		return -ENOMEM;
	entry.path = strdup(path);
	entry.data = malloc(len + 1);
	if (!entry.path || !entry.data || strmap_add(&entries->places, path, entries->n) < 0) {
		free(entry.path);
		free(entry.data);
		return -ENOMEM;
	}
	if (len)
		memcpy(entry.data, data, len);
	entry.data[len] = '\0';
	entries->items[entries->n++] = entry;
	entries->bytes += len;
	return 0;
}

void entry_replace(struct entry *entry, char *data, size_t len)
{
	free(entry->data);
	entry->data = data;
	entry->len = len;
}

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->path, ((const struct entry *)b)->path);
}

void entries_sort(struct entries *entries)
{
	/* The places no longer hold. */
	strmap_done(&entries->places);
	if (entries->n)
		qsort(entries->items, entries->n, sizeof(*entries->items), compare);
}

void entries_done(struct entries *entries)
{
	for (size_t i = 0; i < entries->n; i++) {
		free(entries->items[i].path);
		free(entries->items[i].data);
	}
	free(entries->items);
	strmap_done(&entries->places);
	*entries = (struct entries){ 0 };
}

/* SPDX-License-Identifier: MIT */
/* Devices by name, number and key, and disks by whatever an operator calls them. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "probe/block_load.h"

#define HINT_NAMES 6

bool blocks_have_disk(const struct blocks *blocks)
{
	for (size_t i = 0; i < blocks->n; i++)
		if (block_is_disk(blocks->items[i]))
			return true;
	return false;
}

/* The devices stand in the order of their names. */
const struct block *blocks_by_name(const struct blocks *blocks, const char *name)
{
	size_t low = 0, high = blocks->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strverscmp(blocks->items[middle]->name, name);

		if (order == 0)
			return blocks->items[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

const struct block *blocks_by_devno(const struct blocks *blocks, unsigned major, unsigned minor)
{
	for (size_t i = 0; i < blocks->n; i++)
		if (blocks->items[i]->major == major && blocks->items[i]->minor == minor)
			return blocks->items[i];
	return NULL;
}

const struct block *blocks_by_key(const struct blocks *blocks, const char *key)
{
	for (size_t i = 0; i < blocks->n; i++)
		if (same_text(blocks->items[i]->key, key))
			return blocks->items[i];
	return NULL;
}

/* A WWN without the prefix that its writer chose: "wwn-", "0x", "naa.", "eui.". */
static const char *wwn_digits(const char *text)
{
	static const char *const prefixes[] = { "wwn-", "nvme-", "0x", "naa.", "eui." };

	for (size_t i = 0; i < ELEMENTS(prefixes); i++)
		if (strncasecmp(text, prefixes[i], strlen(prefixes[i])) == 0)
			text += strlen(prefixes[i]);
	return text;
}

static bool is_wwn(const struct block *disk, const char *text)
{
	return disk->wwn && strcasecmp(wwn_digits(disk->wwn), wwn_digits(text)) == 0;
}

static bool has_by_id(const struct block *disk, const char *text)
{
	size_t len = strlen("disk/by-id/");

	for (char **link = disk->links; link && *link; link++)
		if (strncmp(*link, "disk/by-id/", len) == 0 && strcmp(*link + len, text) == 0)
			return true;
	return false;
}

static bool is_model_and_serial(const struct block *disk, const char *text)
{
	size_t len = disk->serial ? strlen(disk->serial) : 0, all = strlen(text);

	/* "ata-MODEL_SERIAL" and "MODEL_SERIAL", should no link say so. */
	return len > 0 && all > len + 1 && text[all - len - 1] == '_' &&
	       strcmp(text + all - len, disk->serial) == 0 && disk->model &&
	       strncmp(text + (strncmp(text, "ata-", 4) == 0 ? 4 : 0), disk->model,
		       strcspn(disk->model, " ")) == 0;
}

static bool is_called(const struct block *disk, const char *text)
{
	return same_text(disk->key, text) || same_text(disk->serial, text) || is_wwn(disk, text) ||
	       has_by_id(disk, text) || is_model_and_serial(disk, text);
}

static size_t edit_distance(const char *a, const char *b)
{
	size_t n = strnlen(b, 63), row[64];

	for (size_t k = 0; k <= n; k++)
		row[k] = k;
	for (size_t i = 1; i < 64 && a[i - 1]; i++) {
		size_t corner = row[0];

		row[0] = i;
		for (size_t k = 1; k <= n; k++) {
			size_t change = corner + (a[i - 1] != b[k - 1]);
			size_t shift = (row[k] < row[k - 1] ? row[k] : row[k - 1]) + 1;

			corner = row[k];
			row[k] = change < shift ? change : shift;
		}
	}
	return row[n];
}

static const char *calling_name(const struct block *disk)
{
	if (disk->serial && !disk->key_shared)
		return disk->serial;
	return disk->key && !disk->key_shared ? disk->key : disk->name;
}

static int list_disk(struct buf *list, const struct block *disk)
{
	AUTO_FREE char *place = NULL;

	if (place_describe(disk, &place) < 0)
		return -ENOMEM;
	return buf_addf(list, "%s%s (%s, %s)", list->len > 0 ? "; " : "", calling_name(disk),
			disk->name, place);
}

/* The nearest names first, by edit distance; a name is shown once. */
static void hint_names(const struct blocks *blocks, const char *text, struct error *err)
{
	AUTO_BUF list = BUF_INIT;
	size_t shown = 0;

	for (size_t distance = 0; distance < 64 && shown < HINT_NAMES; distance++)
		for (size_t i = 0; i < blocks->n && shown < HINT_NAMES; i++) {
			const struct block *disk = blocks->items[i];

			if (!block_is_disk(disk) ||
			    edit_distance(calling_name(disk), text) != distance)
				continue;
			list_disk(&list, disk);
			shown++;
		}
	if (shown > 0)
		error_hint(err, "the disks here are: %s", buf_text(&list));
	else
		error_hint(err, "this host shows no disk");
}

/* One disk, or why not. */
static int one_of(const struct blocks *blocks, const char *text, const struct block *const *found,
		  size_t n, const struct block **ret, struct error *err)
{
	AUTO_BUF list = BUF_INIT;
	int r;

	if (n == 1) {
		*ret = found[0];
		return 0;
	}
	if (n == 0) {
		r = error_set(err, -ENOENT, "no disk is called '%s'", text);
		hint_names(blocks, text, err);
		return r;
	}
	for (size_t i = 0; i < n && i < HINT_NAMES; i++)
		list_disk(&list, found[i]);
	r = error_set(err, -ENOTUNIQ, "'%s' means %zu disks: %s", text, n, buf_text(&list));
	error_hint(err, "name one of them by its kernel name or its WWN");
	return r;
}

static int not_a_disk(const struct block *block, const char *text, struct error *err)
{
	int r;

	if (block->disk != block) {
		r = error_set(err, -ENOENT, "'%s' is a partition, not a disk", text);
		error_hint(err, "its disk is %s", calling_name(block->disk));
		return r;
	}
	if (block->optical)
		return error_set(err, -ENOENT, "'%s' is an optical drive, not a disk", text);
	r = error_set(err, -ENOENT, "'%s' is made of other devices and has no cable", text);
	if (block->n_disks > 0)
		error_hint(err, "name a disk below it, such as %s", calling_name(block->disks[0]));
	return r;
}

static size_t disks_called(const struct blocks *blocks, const char *text, const struct block **ret,
			   size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < blocks->n; i++) {
		if (!block_is_disk(blocks->items[i]) || !is_called(blocks->items[i], text))
			continue;
		if (n < max)
			ret[n] = blocks->items[i];
		n++;
	}
	return n;
}

int blocks_find_disk(const struct blocks *blocks, const char *text, const struct block **ret,
		     struct error *err)
{
	const struct block *found[HINT_NAMES] = { NULL };
	size_t n;

	if (!*text)
		return error_set(err, -EINVAL, "a disk must be named; the name is empty");
	if (*text == '/') {
		n = blocks_by_path(blocks, text, found, HINT_NAMES);
	} else {
		n = disks_called(blocks, text, found, HINT_NAMES);
		if (n == 0 && (found[0] = blocks_by_name(blocks, text)))
			n = 1;
	}
	if (n == 1 && !block_is_disk(found[0]))
		return not_a_disk(found[0], text, err);
	return one_of(blocks, text, found, n, ret, err);
}

/* SPDX-License-Identifier: MIT */
#include "capture/redact.h"

#include <errno.h>
#include <string.h>

#include "probe/paths.h"

/* A host that is called "server": only where nothing else is meant by it. */
static bool is_of_host(const char *path)
{
	static const char *const files[] = { CAPTURED "host.json", PATH_HOSTNAME,
					     PATH_KERNEL_HOSTNAME };

	for (size_t i = 0; i < ELEMENTS(files); i++)
		if (strcmp(path, files[i]) == 0)
			return true;
	return false;
}

struct placing {
	const struct renames *renames;
	const char *done;
	struct buf *ret;
};

/* A common word as a label: only here is it one. */
static int place(void *data, enum id_type type, const char *at, size_t len)
{
	struct placing *placing = data;
	AUTO_FREE char *new = NULL;
	int r;

	if ((type != ID_LABEL && type != ID_SERIAL) || redact_is_distinct(at, len) ||
	    memchr(at, '\\', len) || at < placing->done || renames_keeps(placing->renames, at, len))
		return 0;
	new = malloc(len + 1);
	r = new ? renames_text_of(placing->renames, at, len, new) : -ENOMEM;
	if (r < 0)
		return r;
	buf_add(placing->ret, placing->done, (size_t)(at - placing->done));
	placing->done = at + len;
	return buf_add(placing->ret, new, len);
}

static int rename_bytes(const struct renames *renames, const char *bytes, size_t len,
			struct buf *ret)
{
	AUTO_BUF placed = BUF_INIT_MAX(ENTRIES_MAX_BYTES);
	struct placing placing = { renames, bytes, &placed };
	int r = contexts_scan(bytes, len, place, &placing);

	if (r == 0)
		r = buf_add(&placed, placing.done, (size_t)(bytes + len - placing.done));
	return r == 0 ? renames_apply(renames, buf_text(&placed), placed.len, ret) : r;
}

static int entry_take(struct entry *entry, struct buf *data)
{
	size_t len = data->len;
	char *bytes = buf_take(data);

	if (!bytes)
		return -ENOMEM;
	entry_replace(entry, bytes, len);
	return 0;
}

/* 1 when `ret` holds the entry without the host's common name. */
static int rename_host(const struct capture *capture, const struct renames *renames,
		       const struct entry *entry, struct buf *ret)
{
	const char *name = capture->host_name, *at, *end = entry->data + entry->len;
	AUTO_FREE char *new = NULL;
	size_t len = name ? strlen(name) : 0;

	if (!len || redact_is_distinct_host(name, len) || !is_of_host(entry->path))
		return 0;
	at = memmem(entry->data, entry->len, name, len);
	new = malloc(len + 1);
	if (!new || renames_text_of(renames, name, len, new) < 0)
		return -ENOMEM;
	if (!at)
		return 0;
	buf_add(ret, entry->data, (size_t)(at - entry->data));
	buf_add(ret, new, len);
	return buf_add(ret, at + len, (size_t)(end - at) - len) < 0 ? -ENOMEM : 1;
}

static int rename_entry(const struct capture *capture, const struct renames *renames,
			struct entry *entry)
{
	AUTO_BUF special = BUF_INIT_MAX(ENTRIES_MAX_BYTES), path = BUF_INIT;
	AUTO_BUF data = BUF_INIT_MAX(ENTRIES_MAX_BYTES);
	int r = special_replace(renames, entry, &special);

	if (r == 0)
		r = rename_host(capture, renames, entry, &special);
	if (r == 0)
		r = rename_bytes(renames, entry->data, entry->len, &data);
	else if (r == 1)
		r = rename_bytes(renames, buf_text(&special), special.len, &data);
	if (r == 0)
		r = rename_bytes(renames, entry->path, strlen(entry->path), &path);
	if (r == 0 && (buf_error(&path) < 0 || buf_error(&data) < 0))
		r = -ENOMEM;
	if (r < 0)
		return r;
	free(entry->path);
	entry->path = buf_take(&path);
	r = entry->path ? 0 : -ENOMEM;
	return r < 0 ? r : entry_take(entry, &data);
}

int capture_redact(struct capture *capture, struct error *err)
{
	struct renames renames;
	int r = renames_init(&renames, err);

	if (r < 0)
		return r;
	r = redact_find(capture, &renames);
	for (size_t i = 0; r == 0 && i < capture->entries.n; i++)
		r = rename_entry(capture, &renames, &capture->entries.items[i]);
	renames_done(&renames);
	if (r == -ENOMEM)
		return error_oom(err);
	return r < 0 ? error_set(err, r, "cannot give other names: %s", strerror(-r)) : 0;
}

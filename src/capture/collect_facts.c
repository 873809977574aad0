/* SPDX-License-Identifier: MIT */
/* What has no file on a host, in the files that a capture has for it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/strv.h"
#include "capture/collect.h"
#include "probe/paths.h"

#define SWAPS_HEADER "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
#define UDEV_MAX ((size_t)64 << 10)

/* Where a capture holds a fact, around its name. */
static const struct {
	const char *before, *after;
} places[] = {
	[HOST_FACT_IDENTITY] = { CAPTURED "host", ".json" },
	[HOST_FACT_KERNEL_LOG] = { CAPTURED "kernel", ".log" },
	[HOST_FACT_STATVFS] = { CAPTURED "statvfs", ".json" },
	[HOST_FACT_SMART] = { CAPTURED "smart/", ".json" },
	[HOST_FACT_UNIT] = { CAPTURED "systemd/", ".json" },
	[HOST_FACT_MEASURES] = { CAPTURED "measures", ".json" },
	[HOST_FACT_TAGS] = { PATH_DEV "/", "" },
	[HOST_FACT_FILES] = { CAPTURED "files", ".json" },
};

static int ask(struct capture *capture, enum host_fact fact, const char *name)
{
	AUTO_BUF text = BUF_INIT;

	/* The answer is in the recording, a refusal too. */
	return host_fact(capture->host, fact, name, &text, NULL, NULL) == -ENOMEM ? -ENOMEM : 0;
}

int collect_ask(struct capture *capture, struct error *err)
{
	static const enum host_fact of_host[] = { HOST_FACT_IDENTITY, HOST_FACT_KERNEL_LOG,
						  HOST_FACT_STATVFS, HOST_FACT_MEASURES,
						  HOST_FACT_FILES };
	const struct blocks *blocks;
	int r = 0;

	for (size_t i = 0; r == 0 && i < ELEMENTS(of_host); i++)
		r = ask(capture, of_host[i], NULL);
	if (r == 0 && facts_blocks(capture->facts, &blocks, NULL) == 0)
		for (size_t i = 0; r == 0 && i < blocks->n; i++) {
			if (block_is_disk(blocks->items[i]))
				r = ask(capture, HOST_FACT_SMART, blocks->items[i]->name);
			/* A running device would be opened, and woken, for what udev knows. */
			if (r == 0 && !host_is_live(capture->host))
				r = ask(capture, HOST_FACT_TAGS, blocks->items[i]->name);
		}
	return r < 0 ? error_oom(err) : 0;
}

/* Room of a mount point that was asked by its name joins the table of all. */
static int merge_room(json_t *all, const struct told *told)
{
	AUTO_JSON one = NULL;

	if (json_parse(told->text, told->len, "statvfs", &one, NULL) < 0)
		return 0;
	return json_object_update_missing(all, one) < 0 ? -ENOMEM : 0;
}

static int put_room(struct capture *capture, const struct recording *recording, struct error *err)
{
	AUTO_JSON all = NULL;
	AUTO_BUF text = BUF_INIT;
	int r = 0;

	for (size_t i = 0; i < recording->n_facts; i++) {
		const struct told *told = &recording->facts[i];

		if (told->fact == HOST_FACT_STATVFS && !told->name && told->code == 0) {
			if (!host_is_live(capture->host))
				return collect_add(capture, CAPTURED "statvfs.json", told->text,
						   told->len, err);
			json_parse(told->text, told->len, "statvfs", &all, NULL);
		}
	}
	if (!all)
		return 0;
	for (size_t i = 0; r == 0 && i < recording->n_facts; i++)
		if (recording->facts[i].fact == HOST_FACT_STATVFS && recording->facts[i].name &&
		    recording->facts[i].code == 0)
			r = merge_room(all, &recording->facts[i]);
	if (r == 0)
		r = json_print(all, &text, err);
	return r < 0 ? error_oom(err)
		     : collect_add(capture, CAPTURED "statvfs.json", buf_text(&text), text.len,
				   err);
}

/* The list of a capture that is captured; its rows come first. */
static int put_files(struct capture *capture, const struct told *told, struct error *err)
{
	AUTO_JSON rows = NULL;
	const json_t *row;
	size_t i;

	if (json_parse(told->text, told->len, CAPTURED_FILES, &rows, NULL) < 0)
		return collect_add(capture, CAPTURED_FILES, told->text, told->len, err);
	json_array_foreach (rows, i, row) {
		const char *path = json_text(row, "path");

		if (json_array_append(capture->files, (json_t *)(uintptr_t)row) < 0)
			return error_oom(err);
		if (path && !strmap_find(&capture->file_places, path) &&
		    strmap_add(&capture->file_places, path, 0) < 0)
			return error_oom(err);
	}
	return 0;
}

static int put_fact(struct capture *capture, const struct told *told, struct error *err)
{
	AUTO_FREE char *path = NULL;

	if (told->fact == HOST_FACT_STATVFS && told->name)
		return 0;
	if (told->fact == HOST_FACT_STATVFS && told->code == 0)
		return 0; /* put_room() */
	if (told->fact == HOST_FACT_FILES && told->code == 0)
		return put_files(capture, told, err);
	if (asprintf(&path, "%s%s%s", places[told->fact].before, told->name ? told->name : "",
		     places[told->fact].after) < 0) {
		path = NULL;
		return error_oom(err);
	}
	if (told->code == 0)
		return collect_add(capture, path, told->text, told->len, err);
	/* Not there, and a name that no host has, need no entry to fail again. */
	if (told->code == -ENOENT || told->code == -EINVAL)
		return 0;
	return collect_unread(capture, path, told->code, err);
}

/* dev/NAME as lsblk --sysroot reads it: what udev knows of the device. */
static int put_device(struct capture *capture, const struct block *block, struct error *err)
{
	AUTO_BUF text = BUF_INIT, path = BUF_INIT, to = BUF_INIT;
	int r;

	buf_addf(&path, PATH_UDEV_DATA "/b%u:%u", block->major, block->minor);
	buf_addf(&to, PATH_DEV "/%s", block->name);
	if (buf_error(&path) < 0 || buf_error(&to) < 0)
		return error_oom(err);
	if (host_read(capture->host, buf_text(&path), UDEV_MAX, &text, NULL) < 0)
		return 0;
	buf_clear(&path);
	for (const char *line = buf_text(&text); *line; line += *line == '\n') {
		size_t len = strcspn(line, "\n");

		if (strncmp(line, "E:", 2) == 0)
			buf_addf(&path, "%.*s\n", (int)len - 2, line + 2);
		line += len;
	}
	r = buf_error(&path);
	return r < 0 ? error_oom(err)
		     : collect_add(capture, buf_text(&to), buf_text(&path), path.len, err);
}

static int put_devices(struct capture *capture, struct error *err)
{
	const struct blocks *blocks;
	int r = 0;

	if (!host_is_live(capture->host) || facts_blocks(capture->facts, &blocks, NULL) < 0)
		return 0;
	for (size_t i = 0; r == 0 && i < blocks->n; i++)
		r = put_device(capture, blocks->items[i], err);
	return r;
}

/* A kernel without swap has no table of it; a capture must say so. */
static int put_swaps(struct capture *capture, struct error *err)
{
	if (!host_is_live(capture->host) || host_exists(capture->host, PATH_SWAPS, NULL) != 0)
		return 0;
	return collect_add(capture, PATH_SWAPS, SWAPS_HEADER, strlen(SWAPS_HEADER), err);
}

int collect_facts(struct capture *capture, const struct recording *recording, struct error *err)
{
	int r = put_room(capture, recording, err);

	for (size_t i = 0; r == 0 && i < recording->n_facts; i++)
		r = put_fact(capture, &recording->facts[i], err);
	if (r == 0)
		r = put_devices(capture, err);
	return r == 0 ? put_swaps(capture, err) : r;
}

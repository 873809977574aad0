/* SPDX-License-Identifier: MIT */
#include "probe/block.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "probe/block_load.h"

#define SECTOR 512u
#define BLOCKS_MAX 8192

static void block_free(struct block *block)
{
	if (!block)
		return;
	free(block->name);
	free(block->devpath);
	free(block->model);
	free(block->serial);
	free(block->wwn);
	free(block->table_uuid);
	free(block->key);
	free(block->place.controller);
	free(block->fs_type);
	free(block->fs_usage);
	free(block->fs_uuid);
	free(block->fs_uuid_sub);
	free(block->fs_label);
	free(block->part_uuid);
	free(block->part_label);
	free(block->part_type);
	free(block->id_path);
	strv_free(block->links);
	free(block->dm_name);
	free(block->dm_uuid);
	free(block->md_name);
	free(block->md_uuid);
	free(block->slaves);
	free(block->disks);
	free(block);
}

void blocks_free(struct blocks *blocks)
{
	if (!blocks)
		return;
	for (size_t i = 0; i < blocks->n; i++)
		block_free(blocks->items[i]);
	free(blocks->items);
	free(blocks);
}

int block_attribute(struct host *host, const struct block *block, const char *name, char **ret)
{
	AUTO_BUF path = BUF_INIT;
	AUTO_FREE char *line = NULL;
	int r;

	*ret = NULL;
	r = buf_addf(&path, "%s/%s", block->devpath, name);
	if (r == 0)
		r = host_read_line(host, buf_text(&path), &line, NULL);
	if (r == -ENOMEM)
		return r;
	if (r == 0 && *line)
		*ret = TAKE(line);
	return 0;
}

uint64_t block_number(struct host *host, const struct block *block, const char *name,
		      uint64_t fallback)
{
	AUTO_FREE char *line = NULL;
	uint64_t value;

	if (block_attribute(host, block, name, &line) < 0 || !line || parse_u64(line, &value) < 0)
		return fallback;
	return value;
}

/* 1 = a block device, 0 = none: a hidden path of a multipath namespace has no number. */
static int block_devno(struct host *host, struct block *block)
{
	AUTO_FREE char *line = NULL;
	char *colon;
	int r;

	r = block_attribute(host, block, "dev", &line);
	if (r < 0)
		return r;
	colon = line ? strchr(line, ':') : NULL;
	if (!colon)
		return 0;
	*colon = '\0';
	if (parse_unsigned(line, &block->major) < 0 || parse_unsigned(colon + 1, &block->minor) < 0)
		return 0;
	return block_number(host, block, "hidden", 0) == 0;
}

/* 1 = there, 0 = it went away or is no device. */
static int block_open(struct host *host, const char *name, struct block **ret, struct error *err)
{
	AUTO_BUF path = BUF_INIT;
	struct block *block = calloc(1, sizeof(*block));
	int r;

	if (!block || !(block->name = strdup(name)) ||
	    buf_addf(&path, PATH_CLASS_BLOCK "/%s", name) < 0) {
		block_free(block);
		return error_oom(err);
	}
	r = host_realpath(host, buf_text(&path), &block->devpath, NULL);
	if (r == 0)
		r = block_devno(host, block);
	else if (r != -ENOMEM)
		r = 0;
	if (r <= 0) {
		block_free(block);
		return r < 0 ? error_oom(err) : 0;
	}
	*ret = block;
	return 1;
}

static void block_measures(struct host *host, struct block *block)
{
	uint64_t sectors = block_number(host, block, "size", 0);

	block->size = sectors <= UINT64_MAX / SECTOR ? sectors * SECTOR : 0;
	block->partition = (unsigned)block_number(host, block, "partition", 0);
	block->removable = block_number(host, block, "removable", 0) == 1;
	block->rotational = (int)block_number(host, block, "queue/rotational", (uint64_t)-1);
	if (block->rotational > 1)
		block->rotational = -1;
}

static int open_all(struct host *host, struct blocks *blocks, struct error *err)
{
	AUTO_STRV char **names = NULL;
	int r;

	r = host_list(host, PATH_CLASS_BLOCK, &names, err);
	if (r < 0) {
		error_wrap(err, "cannot list the block devices");
		return r;
	}
	if (strv_length(names) > BLOCKS_MAX)
		return error_set(err, -EFBIG, "there are more than %d block devices", BLOCKS_MAX);
	blocks->items = calloc(strv_length(names) + 1, sizeof(struct block *));
	if (!blocks->items)
		return error_oom(err);
	for (char **name = names; name && *name; name++) {
		r = block_open(host, *name, &blocks->items[blocks->n], err);
		if (r < 0)
			return r;
		blocks->n += (size_t)r;
	}
	return 0;
}

/*
 * A partition lies in its disk's directory, and so do an eMMC's boot areas,
 * which are no disks either: they share its serial.
 */
static int find_disk(const struct blocks *blocks, struct block *block)
{
	AUTO_FREE char *directory = strdup(block->devpath);
	char *slash = directory ? strrchr(directory, '/') : NULL;
	const struct block *above = NULL;

	if (!directory)
		return -ENOMEM;
	block->disk = block;
	if (!slash)
		return 0;
	*slash = '\0';
	slash = strrchr(directory, '/');
	above = slash ? blocks_by_name(blocks, slash + 1) : NULL;
	if (above && strcmp(above->devpath, directory) == 0)
		block->disk = above;
	return 0;
}

static int load_one(struct host *host, struct blocks *blocks, struct block *block,
		    struct error *err)
{
	CLEANUP(cleanup_udev_entry) struct udev_entry *udev = NULL;
	int r;

	block_measures(host, block);
	r = block_place(host, block, err);
	if (r == 0)
		r = block_tags(host, block, &udev, err);
	if (r == 0 && block->disk == block)
		r = block_identity(host, block, udev, err);
	if (r == 0)
		r = block_stack(host, blocks, block, udev, err);
	return r;
}

/* A partition is where its disk is. */
static int inherit(struct block *block)
{
	if (block->disk == block)
		return 0;
	free(block->place.controller);
	block->place = block->disk->place;
	block->bus = block->disk->bus;
	block->rotational = block->disk->rotational;
	block->removable = block->disk->removable;
	block->optical = block->disk->optical;
	block->place.controller = NULL;
	if (!block->disk->place.controller)
		return 0;
	block->place.controller = strdup(block->disk->place.controller);
	return block->place.controller ? 0 : -ENOMEM;
}

int blocks_load(struct host *host, struct blocks **ret, struct error *err)
{
	CLEANUP(cleanup_blocks) struct blocks *blocks = calloc(1, sizeof(*blocks));
	int r;

	if (!blocks)
		return error_oom(err);
	r = open_all(host, blocks, err);
	for (size_t i = 0; r == 0 && i < blocks->n; i++)
		r = find_disk(blocks, blocks->items[i]) < 0 ? error_oom(err) : 0;
	for (size_t i = 0; r == 0 && i < blocks->n; i++)
		r = load_one(host, blocks, blocks->items[i], err);
	for (size_t i = 0; r == 0 && i < blocks->n; i++)
		r = inherit(blocks->items[i]) < 0 ? error_oom(err) : 0;
	if (r == 0)
		r = blocks_links(host, blocks, err);
	if (r == 0)
		r = blocks_find_disks(blocks, err);
	if (r < 0)
		return r;
	blocks_mark_shared_keys(blocks);
	*ret = TAKE(blocks);
	return 0;
}

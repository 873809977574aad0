/* SPDX-License-Identifier: MIT */
/* Devices made of other devices: names, parts, and the physical disks below. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "probe/block_load.h"

static int keep(char **to, const char *value)
{
	if (*to || !value || !*value)
		return 0;
	*to = strdup(value);
	return *to ? 0 : -ENOMEM;
}

/* As mdadm writes it, "5d1bab39:13f15161:9a69d111:51f37bf5"; sysfs has the dashes of a UUID. */
static int md_uuid(const char *text, char **ret)
{
	char digits[33];
	size_t n = 0;

	for (; *text && n < 32; text++)
		if (isxdigit((unsigned char)*text))
			digits[n++] = (char)tolower((unsigned char)*text);
	if (n < 32)
		return 0;
	digits[n] = '\0';
	return asprintf(ret, "%.8s:%.8s:%.8s:%.8s", digits, digits + 8, digits + 16, digits + 24) <
			       0
		       ? -ENOMEM
		       : 0;
}

static int md_names(struct host *host, struct block *block, const struct udev_entry *udev)
{
	AUTO_FREE char *uuid = NULL;
	int r;

	for (char **link = block->links; link && *link; link++)
		if (strncmp(*link, "md/", 3) == 0 && keep(&block->md_name, *link + 3) < 0)
			return -ENOMEM;
	r = keep(&block->md_name, udev_get(udev, "MD_DEVNAME"));
	if (r == 0 && udev_get(udev, "MD_UUID"))
		r = md_uuid(udev_get(udev, "MD_UUID"), &block->md_uuid);
	if (r == 0 && !block->md_uuid)
		r = block_attribute(host, block, "md/uuid", &uuid);
	return r == 0 && uuid ? md_uuid(uuid, &block->md_uuid) : r;
}

static int dm_names(struct host *host, struct block *block, const struct udev_entry *udev)
{
	int r;

	r = block_attribute(host, block, "dm/name", &block->dm_name);
	if (r == 0)
		r = keep(&block->dm_name, udev_get(udev, "DM_NAME"));
	if (r == 0)
		r = block_attribute(host, block, "dm/uuid", &block->dm_uuid);
	return r == 0 ? keep(&block->dm_uuid, udev_get(udev, "DM_UUID")) : r;
}

static int find_slaves(struct host *host, const struct blocks *blocks, struct block *block)
{
	AUTO_BUF path = BUF_INIT;
	AUTO_STRV char **names = NULL;
	int r;

	r = buf_addf(&path, "%s/slaves", block->devpath);
	if (r == 0)
		r = host_list(host, buf_text(&path), &names, NULL);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	block->slaves = calloc(strv_length(names) + 1, sizeof(struct block *));
	if (!block->slaves)
		return -ENOMEM;
	for (char **name = names; name && *name; name++) {
		const struct block *slave = blocks_by_name(blocks, *name);

		if (slave && slave != block)
			block->slaves[block->n_slaves++] = slave;
	}
	return 0;
}

int block_stack(struct host *host, struct blocks *blocks, struct block *block,
		const struct udev_entry *udev, struct error *err)
{
	int r = 0;

	if (block->disk != block)
		return 0;
	if (strncmp(block->name, "md", 2) == 0)
		r = md_names(host, block, udev);
	else if (strncmp(block->name, "dm-", 3) == 0)
		r = dm_names(host, block, udev);
	if (r == 0)
		r = find_slaves(host, blocks, block);
	return r < 0 ? error_oom(err) : 0;
}

/* One walk down from a device; `seen` has a flag for each device of `blocks`. */
struct descent {
	const struct blocks *blocks;
	bool *seen;
	const struct block **queue;
	size_t n, at;
};

static void visit(struct descent *descent, const struct block *block)
{
	for (size_t i = 0; i < descent->blocks->n; i++)
		if (descent->blocks->items[i] == block && !descent->seen[i]) {
			descent->seen[i] = true;
			descent->queue[descent->n++] = block;
		}
}

static void visit_below(struct descent *descent, const struct block *block)
{
	const struct blocks *blocks = descent->blocks;

	for (size_t i = 0; i < block->n_slaves; i++)
		visit(descent, block->slaves[i]);
	for (size_t i = 0; block_is_pool_member(block) && i < blocks->n; i++)
		if (same_text(blocks->items[i]->fs_type, block->fs_type) &&
		    same_text(blocks->items[i]->fs_uuid, block->fs_uuid))
			visit(descent, blocks->items[i]);
	/* Other parts of a physical disk are no part of this device. */
	if (block->disk != block && block->disk->bus == BUS_VIRTUAL)
		visit(descent, block->disk);
}

static void add_disk(struct block *to, const struct block *disk)
{
	for (size_t i = 0; i < to->n_disks; i++)
		if (to->disks[i] == disk)
			return;
	to->disks[to->n_disks++] = disk;
}

static int find_disks_of(const struct blocks *blocks, struct block *block, struct descent *descent)
{
	block->disks = calloc(blocks->n, sizeof(struct block *));
	if (!block->disks)
		return -ENOMEM;
	memset(descent->seen, 0, blocks->n * sizeof(bool));
	descent->n = descent->at = 0;
	visit(descent, block);
	while (descent->at < descent->n) {
		const struct block *part = descent->queue[descent->at++];

		visit_below(descent, part);
		if (part->disk->bus != BUS_VIRTUAL)
			add_disk(block, part->disk);
	}
	return 0;
}

int blocks_find_disks(struct blocks *blocks, struct error *err)
{
	struct descent descent = { .blocks = blocks };
	int r = 0;

	descent.seen = calloc(blocks->n + 1, sizeof(bool));
	descent.queue = calloc(blocks->n + 1, sizeof(struct block *));
	if (!descent.seen || !descent.queue)
		r = -ENOMEM;
	for (size_t i = 0; r == 0 && i < blocks->n; i++)
		r = find_disks_of(blocks, blocks->items[i], &descent);
	free(descent.seen);
	free(descent.queue);
	return r < 0 ? error_oom(err) : 0;
}

size_t blocks_disks_of(const struct blocks *blocks, const struct block *block,
		       const struct block **ret, size_t max)
{
	(void)blocks;
	for (size_t i = 0; i < block->n_disks && i < max; i++)
		ret[i] = block->disks[i];
	return block->n_disks;
}

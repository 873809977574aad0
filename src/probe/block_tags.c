/* SPDX-License-Identifier: MIT */
/* What a device carries: signature, partition entry, links; and who shares a tag. */
#include <errno.h>
#include <string.h>

#include "probe/block_load.h"

/*
 * udev makes label and UUID safe for a file name and keeps the true bytes in
 * the _ENC form, which is asked first.
 */
static const struct tag_field {
	size_t offset;
	const char *names[2];
} tag_fields[] = {
	{ offsetof(struct block, fs_type), { "ID_FS_TYPE", NULL } },
	{ offsetof(struct block, fs_usage), { "ID_FS_USAGE", NULL } },
	{ offsetof(struct block, fs_uuid), { "ID_FS_UUID_ENC", "ID_FS_UUID" } },
	{ offsetof(struct block, fs_uuid_sub), { "ID_FS_UUID_SUB_ENC", "ID_FS_UUID_SUB" } },
	{ offsetof(struct block, fs_label), { "ID_FS_LABEL_ENC", "ID_FS_LABEL" } },
	{ offsetof(struct block, part_uuid), { "ID_PART_ENTRY_UUID", NULL } },
	{ offsetof(struct block, part_label), { "ID_PART_ENTRY_NAME", NULL } },
	{ offsetof(struct block, part_type), { "ID_PART_ENTRY_TYPE", NULL } },
	{ offsetof(struct block, table_uuid), { "ID_PART_TABLE_UUID", NULL } },
	{ offsetof(struct block, id_path), { "ID_PATH", NULL } },
};

static int fill(struct block *block, const struct udev_entry *udev)
{
	for (size_t i = 0; i < ELEMENTS(tag_fields); i++) {
		const struct tag_field *field = &tag_fields[i];
		char **to = (char **)(void *)((char *)block + field->offset);

		for (size_t k = 0; k < ELEMENTS(field->names) && !*to; k++)
			if (field->names[k] && udev_decode(udev_get(udev, field->names[k]), to) < 0)
				return -ENOMEM;
	}
	/* A partition repeats the table of its disk. */
	if (block->disk != block) {
		free(block->table_uuid);
		block->table_uuid = NULL;
	}
	return 0;
}

/*
 * No udev data (mdev, smdev): ask the device itself, or the text that a
 * capture holds in its place.  Not one without a medium, and no
 * optical or floppy drive, whose motors take seconds to say "none".
 */
static int probe_device(struct host *host, const struct block *block, struct udev_entry **ret)
{
	AUTO_BUF text = BUF_INIT;
	int r;

	if (block->size == 0 || strncmp(block->name, "sr", 2) == 0 ||
	    strncmp(block->name, "fd", 2) == 0)
		return -ENOENT;
	r = host_fact(host, HOST_FACT_TAGS, block->name, &text, NULL, NULL);
	if (r < 0)
		return r;
	return udev_parse(buf_text(&text), text.len, true, ret, NULL);
}

int block_tags(struct host *host, struct block *block, struct udev_entry **ret_udev,
	       struct error *err)
{
	CLEANUP(cleanup_udev_entry) struct udev_entry *udev = NULL;
	int r;

	r = udev_load(host, block->major, block->minor, &udev, NULL);
	if (r < 0 && r != -ENOMEM)
		r = probe_device(host, block, &udev);
	if (r == -ENOMEM)
		return error_oom(err);
	block->tags_known = r == 0;
	if (!udev)
		return 0;
	if (fill(block, udev) < 0 || strv_copy(udev->links, &block->links) < 0)
		return error_oom(err);
	*ret_udev = TAKE(udev);
	return 0;
}

bool block_is_pool_member(const struct block *block)
{
	static const char *const pools[] = { "btrfs", "zfs_member", "bcachefs" };

	for (size_t i = 0; i < ELEMENTS(pools); i++)
		if (same_text(block->fs_type, pools[i]))
			return block->fs_uuid != NULL;
	return false;
}

static bool is_slave_of(const struct block *block, const struct block *device)
{
	for (size_t i = 0; i < device->n_slaves; i++)
		if (device->slaves[i] == block)
			return true;
	return false;
}

bool block_is_multipath_path(const struct blocks *blocks, const struct block *block)
{
	for (size_t i = 0; i < blocks->n; i++) {
		const struct block *above = blocks->items[i];

		if (above->dm_uuid && strncmp(above->dm_uuid, "mpath-", 6) == 0 &&
		    is_slave_of(block->disk, above))
			return true;
	}
	return false;
}

bool block_shares_filesystem(const struct block *a, const struct block *b)
{
	bool raid = same_text(a->fs_usage, "raid") && same_text(b->fs_usage, "raid");

	if (a == b)
		return true;
	if (!same_text(a->fs_type, b->fs_type) || !same_text(a->fs_uuid, b->fs_uuid))
		return false;
	if (!raid && !(block_is_pool_member(a) && block_is_pool_member(b)))
		return false;
	return !a->fs_uuid_sub || !b->fs_uuid_sub || strcmp(a->fs_uuid_sub, b->fs_uuid_sub) != 0;
}

/*
 * The disks of an array with its metadata at the end show the array's own
 * partitions; what lies above is what is mounted.
 */
static bool is_below(const struct block *block, const struct block *device)
{
	return block->disk != device->disk &&
	       (is_slave_of(block, device) || is_slave_of(block->disk, device->disk));
}

/* The array made of this member, or the member. */
static const struct block *array_of(const struct blocks *blocks, const struct block *member)
{
	for (size_t i = 0; i < blocks->n; i++)
		if (same_text(member->fs_usage, "raid") &&
		    blocks->items[i]->disk == blocks->items[i] &&
		    blocks->items[i]->bus == BUS_VIRTUAL && is_slave_of(member, blocks->items[i]))
			return blocks->items[i];
	return member;
}

static const struct tag_name {
	const char *tag;
	size_t offset;
	bool filesystem; /* members of a pool may share it */
} tag_names[] = {
	{ "UUID", offsetof(struct block, fs_uuid), true },
	{ "LABEL", offsetof(struct block, fs_label), true },
	{ "PARTUUID", offsetof(struct block, part_uuid), false },
	{ "PARTLABEL", offsetof(struct block, part_label), false },
};

static bool carries(const struct block *block, const struct tag_name *name, const char *value)
{
	return same_text(*(char *const *)(const void *)((const char *)block + name->offset), value);
}

static bool is_clone(const struct block *a, const struct block *b)
{
	return same_text(a->fs_type, b->fs_type) && same_text(a->fs_uuid, b->fs_uuid) &&
	       same_text(a->fs_uuid_sub, b->fs_uuid_sub);
}

/* Is `block` only another view of a device that is counted anyway? */
static bool is_counted_elsewhere(const struct blocks *blocks, size_t at,
				 const struct tag_name *name, const char *value)
{
	const struct block *block = blocks->items[at];
	bool shared = false, cloned = false;

	if (block_is_multipath_path(blocks, block))
		return true;
	for (size_t i = 0; i < blocks->n; i++) {
		const struct block *other = blocks->items[i];

		if (i == at || !carries(other, name, value))
			continue;
		if (is_below(block, other))
			return true;
		if (i > at || !name->filesystem)
			continue;
		/* A clone of one member shares by right with the others all the same. */
		shared |= block_shares_filesystem(other, block);
		cloned |= is_clone(other, block);
	}
	return shared && !cloned;
}

size_t blocks_by_tag(const struct blocks *blocks, const char *tag, const char *value,
		     const struct block **ret, size_t max)
{
	const struct tag_name *name = NULL;
	size_t count = 0;

	for (size_t i = 0; i < ELEMENTS(tag_names); i++)
		if (strcmp(tag_names[i].tag, tag) == 0)
			name = &tag_names[i];
	for (size_t i = 0; name && i < blocks->n; i++) {
		if (!carries(blocks->items[i], name, value) ||
		    is_counted_elsewhere(blocks, i, name, value))
			continue;
		if (count < max)
			ret[count] = name->filesystem ? array_of(blocks, blocks->items[i])
						      : blocks->items[i];
		count++;
	}
	return count;
}

/* SPDX-License-Identifier: MIT */
#include "report/ports_disk.h"

#include <errno.h>
#include <string.h>

#include "base/strv.h"
#include "work/advice.h"

void disk_use_done(struct disk_use *use)
{
	strv_free(use->mounts);
	strv_free(use->places);
	*use = (struct disk_use){ .used_bytes = -1, .boot = -1 };
}

const char *disk_outer_name(const struct block *disk)
{
	if (disk->serial != NULL)
		return disk->serial;
	return disk->key != NULL ? disk->key : disk->name;
}

/* A filesystem is counted at its first mount: binds show it again. */
static bool is_first_mount(const struct mounts *mounts, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (mounts->items[i].major == mounts->items[index].major &&
		    mounts->items[i].minor == mounts->items[index].minor)
			return false;
	return true;
}

/* What is spread over several disks cannot be told apart. */
static bool lies_on_one_disk(const struct blocks *blocks, const struct mount *mount)
{
	const struct block *device = blocks_by_devno(blocks, mount->major, mount->minor);

	return device == NULL || blocks_disks_of(blocks, device, NULL, 0) <= 1;
}

static void add_used(struct facts *facts, const struct blocks *blocks, const struct mount *mount,
		     struct disk_use *use, bool *complete)
{
	struct space space;

	if (!lies_on_one_disk(blocks, mount) ||
	    facts_space(facts, mount->target, &space, NULL) < 0) {
		*complete = false;
		return;
	}
	use->used_bytes += (int64_t)(space.total - space.free);
	space_done(&space);
}

/* A bind mount shows a directory of a filesystem; btrfs mounts subvolumes so. */
static bool is_bind(const struct mounts *mounts, size_t index)
{
	const struct mount *mount = &mounts->items[index];

	return !is_first_mount(mounts, index) && mount->root != NULL &&
	       strcmp(mount->root, "/") != 0 && mount->fstype != NULL &&
	       strcmp(mount->fstype, "btrfs") != 0;
}

static int add_target(const struct mounts *mounts, size_t index, struct disk_use *use)
{
	const char *target = mounts->items[index].target;

	if (strv_has(use->mounts, target))
		return 0;
	if (strv_add(&use->mounts, target) < 0)
		return -ENOMEM;
	return is_bind(mounts, index) ? 0 : strv_add(&use->places, target);
}

int disk_use_load(struct facts *facts, const struct block *disk, struct disk_use *ret,
		  struct error *err)
{
	const struct blocks *blocks;
	const struct mounts *mounts;
	struct disk_use use = { .boot = -1 };
	bool boot, complete = true;

	*ret = (struct disk_use){ .used_bytes = -1, .boot = -1 };
	if (facts_blocks(facts, &blocks, NULL) < 0 || facts_mounts(facts, &mounts, NULL) < 0)
		return 0;
	if (disk_is_boot(facts, disk, &boot, NULL) == 0)
		use.boot = boot;
	for (size_t i = 0; i < mounts->n; i++) {
		const struct mount *mount = &mounts->items[i];

		if (!mount_lies_on(blocks, mount, disk))
			continue;
		if (add_target(mounts, i, &use) < 0) {
			disk_use_done(&use);
			return error_oom(err);
		}
		if (is_first_mount(mounts, i))
			add_used(facts, blocks, mount, &use, &complete);
	}
	if (!complete)
		use.used_bytes = -1;
	*ret = use;
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Is a disk one that the system needs to come up? */
#include <errno.h>
#include <string.h>

#include "work/advice.h"

#define BELOW_MAX 64

static const char *const system_mounts[] = { "/", "/boot", "/boot/efi", "/efi", "/usr", "/var" };

static bool is_system_mount(const char *target)
{
	for (size_t i = 0; i < ELEMENTS(system_mounts); i++)
		if (strcmp(system_mounts[i], target) == 0)
			return true;
	return false;
}

static bool lies_on(const struct blocks *blocks, const struct block *device,
		    const struct block *disk)
{
	const struct block *below[BELOW_MAX];
	size_t n = blocks_disks_of(blocks, device, below, BELOW_MAX);

	for (size_t i = 0; i < n && i < BELOW_MAX; i++)
		if (below[i] == disk)
			return true;
	return false;
}

/* btrfs and the like have no device number of their own; their source names one. */
static bool source_lies_on(const struct blocks *blocks, const char *source,
			   const struct block *disk)
{
	const struct block *claims[BELOW_MAX];

	if (source == NULL || source[0] != '/')
		return false;
	size_t n = blocks_by_path(blocks, source, claims, BELOW_MAX);
	for (size_t i = 0; i < n && i < BELOW_MAX; i++)
		if (lies_on(blocks, claims[i], disk))
			return true;
	return false;
}

bool mount_lies_on(const struct blocks *blocks, const struct mount *mount, const struct block *disk)
{
	const struct block *device = blocks_by_devno(blocks, mount->major, mount->minor);

	return device != NULL ? lies_on(blocks, device, disk)
			      : source_lies_on(blocks, mount->source, disk);
}

static bool swap_lies_on(const struct blocks *blocks, const struct mounts *mounts,
			 const struct swap *swap, const struct block *disk)
{
	if (!swap->file)
		return source_lies_on(blocks, swap->source, disk);
	const struct mount *mount = mounts_over(mounts, swap->source);
	return mount != NULL && mount_lies_on(blocks, mount, disk);
}

int disk_is_boot(struct facts *facts, const struct block *disk, bool *ret, struct error *err)
{
	const struct blocks *blocks;
	const struct mounts *mounts;
	const struct swaps *swaps;
	int r;

	if ((r = facts_blocks(facts, &blocks, err)) < 0 ||
	    (r = facts_mounts(facts, &mounts, err)) < 0)
		return r;
	*ret = false;
	for (size_t i = 0; !*ret && i < mounts->n; i++)
		*ret = is_system_mount(mounts->items[i].target) &&
		       mount_lies_on(blocks, &mounts->items[i], disk);
	if (*ret)
		return 0;
	if ((r = facts_swaps(facts, &swaps, err)) < 0)
		return r;
	for (size_t i = 0; !*ret && i < swaps->n; i++)
		*ret = swap_lies_on(blocks, mounts, &swaps->items[i], disk);
	return 0;
}

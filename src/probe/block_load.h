/* SPDX-License-Identifier: MIT */
/*
 * The stages of blocks_load(), in their order; private to block*.c.
 *
 * Each stage fills its own fields of one block, or of all.  A fact that is
 * not there leaves its field empty; only a list that cannot be read and a
 * lack of memory are errors.
 */
#ifndef COLDSWAP_PROBE_BLOCK_LOAD_H
#define COLDSWAP_PROBE_BLOCK_LOAD_H

#include "base/same_text.h"
#include "base/strv.h"
#include "buf.h"
#include "probe/block.h"
#include "probe/paths.h"
#include "probe/udev.h"

/* A line of sysfs below the device; NULL when it cannot be read or is empty. */
int block_attribute(struct host *host, const struct block *block, const char *name, char **ret);
/* The number in it, or `fallback`. */
uint64_t block_number(struct host *host, const struct block *block, const char *name,
		      uint64_t fallback);

/* bus, place: from the path in sysfs. */
int block_place(struct host *host, struct block *block, struct error *err);
/* signature, links: from udev's data or the device itself.  `ret_udev` may be NULL after. */
int block_tags(struct host *host, struct block *block, struct udev_entry **ret_udev,
	       struct error *err);
/* model, serial, wwn, key, optical, max_generation: of a whole disk. */
int block_identity(struct host *host, struct block *block, const struct udev_entry *udev,
		   struct error *err);
void blocks_mark_shared_keys(struct blocks *blocks);
/* dm and md names, slaves. */
int block_stack(struct host *host, struct blocks *blocks, struct block *block,
		const struct udev_entry *udev, struct error *err);
/* the physical disks below each device; after all slaves and signatures are known. */
int blocks_find_disks(struct blocks *blocks, struct error *err);
/* links below /dev that no device claims in udev's data. */
int blocks_links(struct host *host, struct blocks *blocks, struct error *err);

/* Do members of such a signature share one UUID by right (btrfs, ZFS)? */
bool block_is_pool_member(const struct block *block);
/* Is it one path of several to the same disk, taken by device mapper? */
bool block_is_multipath_path(const struct blocks *blocks, const struct block *block);

#endif

/* SPDX-License-Identifier: MIT */
/* Devices made of others, names that several carry, and names below /dev. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "disks.h"
#include "probe/block.h"

static struct blocks *load(const struct tree *tree)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	struct blocks *blocks = NULL;

	cr_assert_eq(host_open(tree->root, &host, NULL), 0);
	cr_assert_eq(blocks_load(host, &blocks, NULL), 0);
	return blocks;
}

static const struct block *named(const struct blocks *blocks, const char *name)
{
	const struct block *block = blocks_by_name(blocks, name);

	cr_assert(block, "no %s", name);
	return block;
}

static size_t count(const struct blocks *blocks, const char *tag, const char *value)
{
	return blocks_by_tag(blocks, tag, value, NULL, 0);
}

static const struct block *by_path(const struct blocks *blocks, const char *path)
{
	const struct block *found[1] = { NULL };

	return blocks_by_path(blocks, path, found, 1) == 1 ? found[0] : NULL;
}

static void add_disks(const struct tree *tree)
{
	disk_at(tree, PORT("1", "0") "sda", "8:0", "8");
	disk_at(tree, PORT("2", "1") "sdb", "8:16", "8");
	disk_at(tree, PORT("3", "2") "sdc", "8:32", "8");
	disk_part(tree, PORT("1", "0") "sda/sda1", "1", "8:1");
	disk_part(tree, PORT("2", "1") "sdb/sdb1", "1", "8:17");
}

Test(block_stack, an_array_of_two_disks)
{
	static const char member[] = "E:ID_FS_TYPE=linux_raid_member\nE:ID_FS_USAGE=raid\n"
				     "E:ID_FS_UUID=array\nE:ID_FS_UUID_SUB=%c\n";
	CLEANUP(cleanup_blocks) struct blocks *blocks = NULL;
	AUTO_TREE tree = tree_new();
	const struct block *found[4] = { NULL };
	char text[256];

	add_disks(&tree);
	disk_at(&tree, "virtual/block/md127", "9:127", "8");
	disk_part(&tree, "virtual/block/md127/md127p1", "1", "259:0");
	tree_file(&tree, "sys/devices/virtual/block/md127/md/uuid",
		  "B2DE8F9C-b86e-524b-ac24-9c83b7ceaa03\n");
	disk_slave(&tree, "md127", PORT("1", "0") "sda/sda1");
	disk_slave(&tree, "md127", PORT("2", "1") "sdb/sdb1");
	snprintf(text, sizeof(text), member, 'a');
	disk_udev(&tree, "8:1", text);
	snprintf(text, sizeof(text), member, 'b');
	disk_udev(&tree, "8:17", text);
	disk_udev(&tree, "9:127", "S:md/archive\n");
	disk_udev(&tree, "259:0", "E:ID_FS_UUID=inner\nE:ID_FS_TYPE=ext4\n");
	blocks = load(&tree);
	cr_assert_eq(named(blocks, "md127")->n_slaves, 2);
	cr_assert_str_eq(named(blocks, "md127")->md_uuid, "b2de8f9c:b86e524b:ac249c83:b7ceaa03");
	cr_assert_str_eq(named(blocks, "md127")->md_name, "archive");
	cr_assert_eq(by_path(blocks, "/dev/md/archive"), named(blocks, "md127"));
	cr_assert_eq(blocks_by_tag(blocks, "UUID", "array", found, 4), 1, "members are spared");
	cr_assert_eq(found[0], named(blocks, "md127"));
	cr_assert_eq(blocks_disks_of(blocks, named(blocks, "md127p1"), found, 4), 2);
	cr_assert_eq(found[0], named(blocks, "sda"));
	cr_assert_eq(found[1], named(blocks, "sdb"));
	cr_assert_eq(blocks_disks_of(blocks, named(blocks, "sda1"), found, 4), 1);
}

Test(block_stack, members_of_a_pool_and_a_clone)
{
	CLEANUP(cleanup_blocks) struct blocks *blocks = NULL;
	AUTO_TREE tree = tree_new();
	const struct block *found[4] = { NULL };

	add_disks(&tree);
	disk_udev(&tree, "8:1", "E:ID_FS_TYPE=btrfs\nE:ID_FS_UUID=u\nE:ID_FS_UUID_SUB=a\n");
	disk_udev(&tree, "8:17", "E:ID_FS_TYPE=btrfs\nE:ID_FS_UUID=u\nE:ID_FS_UUID_SUB=b\n");
	blocks = load(&tree);
	cr_assert_eq(count(blocks, "UUID", "u"), 1);
	cr_assert_eq(blocks_disks_of(blocks, named(blocks, "sdb1"), found, 4), 2,
		     "the members count as one filesystem's disks");
	cr_assert(block_shares_filesystem(named(blocks, "sda1"), named(blocks, "sdb1")));

	disk_udev(&tree, "8:32", "E:ID_FS_TYPE=btrfs\nE:ID_FS_UUID=u\nE:ID_FS_UUID_SUB=a\n");
	blocks_free(blocks);
	blocks = load(&tree);
	cr_assert_eq(count(blocks, "UUID", "u"), 2, "the same sub-UUID twice is a clone");
}

Test(block_stack, a_label_of_a_pool_and_of_another_filesystem)
{
	CLEANUP(cleanup_blocks) struct blocks *blocks = NULL;
	AUTO_TREE tree = tree_new();

	add_disks(&tree);
	disk_udev(&tree, "8:1", "E:ID_FS_TYPE=ext4\nE:ID_FS_UUID=v\nE:ID_FS_LABEL=data\n");
	disk_udev(&tree, "8:17",
		  "E:ID_FS_TYPE=btrfs\nE:ID_FS_UUID=u\nE:ID_FS_UUID_SUB=a\nE:ID_FS_LABEL=data\n");
	disk_udev(&tree, "8:32",
		  "E:ID_FS_TYPE=btrfs\nE:ID_FS_UUID=u\nE:ID_FS_UUID_SUB=b\nE:ID_FS_LABEL=data\n");
	blocks = load(&tree);
	cr_assert_eq(count(blocks, "LABEL", "data"), 2);
}

Test(block_stack, a_cloned_filesystem_is_counted_twice)
{
	CLEANUP(cleanup_blocks) struct blocks *blocks = NULL;
	AUTO_TREE tree = tree_new();

	add_disks(&tree);
	disk_udev(&tree, "8:1", "E:ID_FS_TYPE=ext4\nE:ID_FS_UUID=u\nE:ID_PART_ENTRY_UUID=p\n");
	disk_udev(&tree, "8:17", "E:ID_FS_TYPE=ext4\nE:ID_FS_UUID=u\nE:ID_PART_ENTRY_UUID=P\n");
	blocks = load(&tree);
	cr_assert_eq(count(blocks, "UUID", "u"), 2);
	cr_assert_eq(count(blocks, "UUID", "U"), 0, "mount compares the case too");
	cr_assert_eq(count(blocks, "PARTUUID", "p"), 1);
	cr_assert_eq(count(blocks, "LABEL", "u"), 0);
	cr_assert_eq(count(blocks, "COLOUR", "u"), 0);
}

Test(block_stack, the_paths_of_a_multipath_disk_are_one)
{
	CLEANUP(cleanup_blocks) struct blocks *blocks = NULL;
	AUTO_TREE tree = tree_new();
	const struct block *found[1] = { NULL };

	add_disks(&tree);
	disk_at(&tree, "virtual/block/dm-0", "253:0", "8");
	tree_file(&tree, "sys/devices/virtual/block/dm-0/dm/uuid", "mpath-3500\n");
	disk_slave(&tree, "dm-0", PORT("1", "0") "sda");
	disk_slave(&tree, "dm-0", PORT("2", "1") "sdb");
	disk_at(&tree, "virtual/block/dm-1", "253:1", "8");
	tree_file(&tree, "sys/devices/virtual/block/dm-1/dm/uuid", "part1-mpath-3500\n");
	disk_slave(&tree, "dm-1", "virtual/block/dm-0");
	disk_udev(&tree, "8:1", "E:ID_FS_UUID=u\n");
	disk_udev(&tree, "8:17", "E:ID_FS_UUID=u\n");
	disk_udev(&tree, "253:1", "E:ID_FS_UUID=u\n");
	blocks = load(&tree);
	cr_assert_eq(blocks_by_tag(blocks, "UUID", "u", found, 1), 1);
	cr_assert_eq(found[0], named(blocks, "dm-1"));
}

Test(block_stack, volumes_by_all_their_names)
{
	CLEANUP(cleanup_blocks) struct blocks *blocks = NULL;
	AUTO_TREE tree = tree_new();
	const struct block *dm, *found[2] = { NULL };

	add_disks(&tree);
	disk_at(&tree, "virtual/block/dm-3", "253:3", "8");
	tree_file(&tree, "sys/devices/virtual/block/dm-3/dm/name", "my--vg-data--lv\n");
	tree_file(&tree, "sys/devices/virtual/block/dm-3/dm/uuid", "LVM-abc\n");
	disk_slave(&tree, "dm-3", PORT("2", "1") "sdb/sdb1");
	blocks = load(&tree);
	dm = named(blocks, "dm-3");
	cr_assert_eq(by_path(blocks, "/dev/mapper/my--vg-data--lv"), dm);
	cr_assert_eq(by_path(blocks, "/dev/my-vg/data-lv"), dm);
	cr_assert_eq(by_path(blocks, "/dev/dm-3"), dm);
	cr_assert_null(by_path(blocks, "/dev/my/vg-data-lv"));
	cr_assert_null(by_path(blocks, "/dev/my-vg/data"));
	cr_assert_eq(blocks_disks_of(blocks, dm, found, 2), 1);
	cr_assert_eq(found[0], named(blocks, "sdb"));
}

Test(block_stack, links_that_udev_does_not_tell_of)
{
	CLEANUP(cleanup_blocks) struct blocks *blocks = NULL;
	AUTO_TREE tree = tree_new();

	add_disks(&tree);
	tree_link(&tree, "dev/disk/by-id/ata-X", "../../sdb");
	tree_link(&tree, "dev/disk/by-label/data", "../../sdb1");
	tree_link(&tree, "dev/disk/by-label/gone", "../../sdz1");
	disk_udev(&tree, "8:0", "S:disk/by-id/ata-X\n");
	blocks = load(&tree);
	cr_assert_eq(by_path(blocks, "/dev/disk/by-id/ata-X"), named(blocks, "sda"),
		     "udev's claim comes first");
	cr_assert_eq(by_path(blocks, "/dev/disk/by-label/data"), named(blocks, "sdb1"));
	cr_assert_null(by_path(blocks, "/dev/disk/by-label/gone"));
	cr_assert_null(by_path(blocks, "/dev/"));
	cr_assert_null(by_path(blocks, "/etc/sda"));
	cr_assert_eq(by_path(blocks, "/dev//sda"), named(blocks, "sda"));
}

Test(block_stack, devices_in_a_circle_come_to_an_end)
{
	CLEANUP(cleanup_blocks) struct blocks *blocks = NULL;
	AUTO_TREE tree = tree_new();

	add_disks(&tree);
	disk_at(&tree, "virtual/block/dm-0", "253:0", "8");
	disk_at(&tree, "virtual/block/dm-1", "253:1", "8");
	disk_slave(&tree, "dm-0", "virtual/block/dm-1");
	disk_slave(&tree, "dm-1", "virtual/block/dm-0");
	disk_slave(&tree, "dm-1", PORT("1", "0") "sda");
	blocks = load(&tree);
	cr_assert_eq(named(blocks, "dm-0")->n_disks, 1);
}

/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "disks.h"
#include "probe/block.h"

#define ATA_LINK(name) "sys/class/ata_link/" name "/sata_spd"

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

/* sda with sda1 on port 5, as udev tells of it. */
static void add_sda(const struct tree *tree)
{
	disk_at(tree, PORT("6", "5") "sda", "8:0", "488397168");
	disk_part(tree, PORT("6", "5") "sda/sda1", "1", "8:1");
	tree_file(tree, "sys/class/ata_port/ata6/port_no", "6\n");
	disk_udev(tree, "8:0",
		  "S:disk/by-id/ata-Samsung_SSD_860_EVO_250GB_S3YJ\nE:ID_WWN=0x5002538e\n"
		  "E:ID_WWN_WITH_EXTENSION=0x5002538e40000000\nE:ID_SERIAL_SHORT=S3YJ\n"
		  "E:ID_MODEL=Samsung_SSD_860_EVO_250GB\nE:ID_PART_TABLE_UUID=table\n"
		  "E:ID_MODEL_ENC=Samsung\\x20SSD\\x20860\\x20EVO\\x20250GB\\x20\\x20\n");
	disk_udev(tree, "8:1",
		  "S:disk/by-uuid/u1\nE:ID_FS_TYPE=ext4\nE:ID_FS_UUID=u1\nE:ID_FS_LABEL=my_data\n"
		  "E:ID_FS_LABEL_ENC=my\\x20data\nE:ID_PART_ENTRY_UUID=p1\n"
		  "E:ID_PART_ENTRY_NAME=Linux\\x20data\nE:ID_PART_TABLE_UUID=table\n");
}

Test(block, a_sata_disk_and_its_partition)
{
	CLEANUP(cleanup_blocks) struct blocks *blocks = NULL;
	AUTO_FREE char *words = NULL, *place = NULL;
	AUTO_TREE tree = tree_new();
	const struct block *sda, *sda1;

	add_sda(&tree);
	blocks = load(&tree);
	sda = named(blocks, "sda");
	sda1 = named(blocks, "sda1");
	cr_assert(block_is_disk(sda));
	cr_assert_not(block_is_disk(sda1));
	cr_assert_eq(sda->bus, BUS_ATA);
	cr_assert_eq(sda->size, 488397168ull * 512);
	cr_assert_str_eq(sda->place.controller, "0000:00:1f.2");
	cr_assert_eq(sda->place.ata, 6);
	cr_assert_eq(sda->place.port, 5, "port_no counts from 1");
	cr_assert_eq(sda->place.pmp, -1);
	cr_assert_str_eq(sda->key, "0x5002538e40000000");
	cr_assert_str_eq(sda->table_uuid, "table");
	cr_assert_eq(sda1->disk, sda);
	cr_assert_eq(sda1->partition, 1);
	cr_assert_eq(sda1->bus, BUS_ATA);
	cr_assert_eq(sda1->place.port, 5);
	cr_assert_null(sda1->key);
	cr_assert_null(sda1->table_uuid);
	cr_assert_str_eq(sda1->fs_label, "my data");
	cr_assert_str_eq(sda1->part_label, "Linux data");
	cr_assert(sda1->tags_known);
	cr_assert_eq(block_describe(sda, &words), 0);
	cr_assert_str_eq(words, "Samsung SSD 860 EVO 250GB (S3YJ)");
	cr_assert_eq(place_describe(sda, &place), 0);
	cr_assert_str_eq(place, "port 5 of 0000:00:1f.2");
}

Test(block, buses)
{
	static const struct {
		const char *device, *name, *controller;
		enum bus bus;
	} rows[] = {
		{ "pci0000:00/0000:00:1d.0/0000:03:00.0/nvme/nvme0/nvme0n1", "nvme0n1",
		  "0000:03:00.0", BUS_NVME },
		{ "pci0000:00/0000:00:14.0/usb2/2-3/2-3:1.0/host6/target6:0:0/6:0:0:0/block/sdb",
		  "sdb", "0000:00:14.0", BUS_USB },
		{ "pci0000:00/0000:05:00.0/host1/port-1:0/end_device-1:0/target1:0:0/1:0:0:0/block/"
		  "sdc",
		  "sdc", "0000:05:00.0", BUS_SCSI },
		{ "pci0000:00/0000:00:02.0/virtio1/block/vda", "vda", "0000:00:02.0", BUS_VIRTIO },
		{ "pci0000:00/0000:00:03.0/virtio2/host2/target2:0:0/2:0:0:0/block/sdd", "sdd",
		  "0000:00:03.0", BUS_SCSI },
		{ "platform/soc/3f202000.mmc/mmc_host/mmc0/mmc0:aaaa/block/mmcblk0", "mmcblk0",
		  NULL, BUS_MMC },
		{ "virtual/block/loop0", "loop0", NULL, BUS_VIRTUAL },
		{ "platform/f2540000.sata/ata1/host0/target0:0:0/0:0:0:0/block/sde", "sde",
		  "f2540000.sata", BUS_ATA },
		{ "pci0000:00/0000:00:0e.0/pci10000:e0/10000:e0:17.0/ata9/host7/target7:0:0/"
		  "7:0:0:0/"
		  "block/sdf",
		  "sdf", "10000:e0:17.0", BUS_ATA },
	};
	CLEANUP(cleanup_blocks) struct blocks *blocks = NULL;
	AUTO_TREE tree = tree_new();

	for (size_t i = 0; i < ELEMENTS(rows); i++) {
		char devno[16];

		snprintf(devno, sizeof(devno), "7:%zu", i);
		disk_at(&tree, rows[i].device, devno, "8");
	}
	blocks = load(&tree);
	for (size_t i = 0; i < ELEMENTS(rows); i++) {
		const struct block *block = named(blocks, rows[i].name);

		cr_assert_eq(block->bus, rows[i].bus, "%s is %s", rows[i].name,
			     bus_name(block->bus));
		if (rows[i].controller)
			cr_assert_str_eq(block->place.controller, rows[i].controller);
		cr_assert_not(block->tags_known, "there is no udev data");
	}
}

Test(block, an_nvme_namespace_with_several_controllers)
{
	CLEANUP(cleanup_blocks) struct blocks *blocks = NULL;
	AUTO_TREE tree = tree_new();

	disk_at(&tree, "virtual/nvme-subsystem/nvme-subsys0/nvme0n1", "259:0", "8");
	tree_file(&tree, "sys/devices/pci0000:00/0000:03:00.0/nvme/nvme0/model", "X\n");
	tree_link(&tree, "sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0",
		  "../../../pci0000:00/0000:03:00.0/nvme/nvme0");
	disk_at(&tree, "pci0000:00/0000:03:00.0/nvme/nvme0/nvme0c0n1", "0:0", "8");
	tree_file(&tree, "sys/devices/pci0000:00/0000:03:00.0/nvme/nvme0/nvme0c0n1/hidden", "1\n");
	blocks = load(&tree);
	cr_assert_eq(blocks->n, 1, "a hidden path is no device");
	cr_assert_eq(blocks->items[0]->bus, BUS_NVME);
	cr_assert_str_eq(blocks->items[0]->place.controller, "0000:03:00.0");
}

Test(block, identity_without_udev)
{
	CLEANUP(cleanup_blocks) struct blocks *blocks = NULL;
	AUTO_TREE tree = tree_new();
	const struct block *nvme, *sda;

	disk_at(&tree, "pci0000:00/0000:03:00.0/nvme/nvme0/nvme0n1", "259:0", "8");
	tree_file(&tree, "sys/devices/pci0000:00/0000:03:00.0/nvme/nvme0/nvme0n1/device/serial",
		  "S5GX  \n");
	tree_file(&tree, "sys/devices/pci0000:00/0000:03:00.0/nvme/nvme0/nvme0n1/device/model",
		  "Fast  NVMe\n");
	tree_file(&tree, "sys/devices/pci0000:00/0000:03:00.0/nvme/nvme0/nvme0n1/wwid",
		  "nvme.144d-00\n");
	disk_at(&tree, PORT("1", "0") "sda", "8:0", "8");
	tree_file(&tree, "sys/devices/" PORT("1", "0") "sda/device/vpd_pg80", "AB  Z4YD  ");
	tree_file(&tree, "sys/devices/" PORT("1", "0") "sda/device/wwid", "naa.5000c500aa\n");
	disk_at(&tree, "pci0000:00/0000:00:02.0/virtio1/block/vda", "254:0", "8");
	tree_file(&tree, "sys/devices/pci0000:00/0000:00:02.0/virtio1/block/vda/serial",
		  "00000000\n");
	blocks = load(&tree);
	nvme = named(blocks, "nvme0n1");
	sda = named(blocks, "sda");
	cr_assert_str_eq(nvme->serial, "S5GX");
	cr_assert_str_eq(nvme->key, "Fast_NVMe_S5GX", "a vendor's number is no world-wide name");
	cr_assert_str_eq(sda->serial, "Z4YD");
	cr_assert_str_eq(sda->key, "0x5000c500aa");
	cr_assert_null(named(blocks, "vda")->serial, "zeros name nothing");
	cr_assert_null(named(blocks, "vda")->key);
}

Test(block, doubled_keys_are_flagged_on_all)
{
	CLEANUP(cleanup_blocks) struct blocks *blocks = NULL;
	CLEANUP(error_done) struct error err = ERROR_INIT;
	AUTO_TREE tree = tree_new();
	const struct block *found = NULL;

	disk_at(&tree, PORT("1", "0") "sda", "8:0", "8");
	disk_at(&tree, PORT("2", "1") "sdb", "8:16", "8");
	disk_at(&tree, PORT("3", "2") "sdc", "8:32", "8");
	disk_udev(&tree, "8:0", "E:ID_MODEL=X\nE:ID_SERIAL_SHORT=0123\n");
	disk_udev(&tree, "8:16", "E:ID_MODEL=X\nE:ID_SERIAL_SHORT=0123\n");
	disk_udev(&tree, "8:32", "E:ID_MODEL=X\nE:ID_SERIAL_SHORT=4567\n");
	blocks = load(&tree);
	cr_assert(named(blocks, "sda")->key_shared);
	cr_assert(named(blocks, "sdb")->key_shared);
	cr_assert_not(named(blocks, "sdc")->key_shared);
	cr_assert_eq(blocks_find_disk(blocks, "0123", &found, &err), -ENOTUNIQ);
	cr_assert(strstr(err.message, "sda") && strstr(err.message, "sdb"));
	cr_assert_null(strstr(err.message, "sdc"));
	cr_assert_eq(blocks_find_disk(blocks, "sdb", &found, NULL), 0);
	cr_assert_eq(found, named(blocks, "sdb"));
}

Test(block, behind_a_port_multiplier)
{
	CLEANUP(cleanup_blocks) struct blocks *blocks = NULL;
	AUTO_FREE char *place = NULL;
	AUTO_TREE tree = tree_new();
	const struct block *found[4] = { NULL };

	disk_at(&tree, "pci0000:00/0000:02:00.0/ata2/host1/target1:0:0/1:0:0:0/block/sdb", "8:16",
		"8");
	disk_at(&tree, "pci0000:00/0000:02:00.0/ata2/host1/target1:3:0/1:3:0:0/block/sdc", "8:32",
		"8");
	disk_at(&tree, "pci0000:00/0000:00:1f.1/ata7/host6/target6:0:1/6:0:1:0/block/sdd", "8:48",
		"8");
	tree_file(&tree, "sys/class/ata_port/ata2/port_no", "2\n");
	tree_file(&tree, ATA_LINK("link2.0"), "3.0 Gbps\n");
	tree_file(&tree, ATA_LINK("link2.3"), "3.0 Gbps\n");
	disk_udev(&tree, "8:16", "S:disk/by-path/pci-0000:02:00.0-ata-2\n");
	/* An older udev: one path for all, and the link is another disk's. */
	disk_udev(&tree, "8:32", "E:ID_PATH=pci-0000:02:00.0-ata-2\n");
	blocks = load(&tree);
	cr_assert_eq(named(blocks, "sdb")->place.pmp, 0);
	cr_assert_eq(named(blocks, "sdc")->place.pmp, 3);
	cr_assert_eq(named(blocks, "sdd")->place.device, 1, "the second device of one ata number");
	cr_assert_eq(named(blocks, "sdd")->place.pmp, -1);
	cr_assert_eq(place_describe(named(blocks, "sdc"), &place), 0);
	cr_assert_str_eq(place, "port 1 of 0000:02:00.0, multiplier port 3");
	cr_assert_eq(blocks_by_path(blocks, "/dev/disk/by-path/pci-0000:02:00.0-ata-2", found, 4),
		     2);
	cr_assert_eq(found[1], named(blocks, "sdc"));
}

Test(block, what_an_operator_may_call_a_disk)
{
	static const char *const names[] = {
		"S3YJ",
		"0x5002538e40000000",
		"5002538E40000000",
		"wwn-0x5002538e40000000",
		"naa.5002538e40000000",
		"ata-Samsung_SSD_860_EVO_250GB_S3YJ",
		"Samsung_SSD_860_EVO_250GB_S3YJ",
		"/dev/disk/by-id/ata-Samsung_SSD_860_EVO_250GB_S3YJ",
		"sda",
		"/dev/sda",
	};
	CLEANUP(cleanup_blocks) struct blocks *blocks = NULL;
	AUTO_TREE tree = tree_new();
	const struct block *found = NULL;

	add_sda(&tree);
	blocks = load(&tree);
	for (size_t i = 0; i < ELEMENTS(names); i++) {
		found = NULL;
		cr_assert_eq(blocks_find_disk(blocks, names[i], &found, NULL), 0, "%s", names[i]);
		cr_assert_eq(found, named(blocks, "sda"));
	}
}

Test(block, names_that_mean_no_disk_get_a_hint)
{
	CLEANUP(cleanup_blocks) struct blocks *blocks = NULL;
	CLEANUP(error_done) struct error err = ERROR_INIT;
	AUTO_TREE tree = tree_new();
	const struct block *found = NULL;

	add_sda(&tree);
	blocks = load(&tree);
	cr_assert_eq(blocks_find_disk(blocks, "S3YK", &found, &err), -ENOENT);
	cr_assert(strstr(err.hint, "S3YJ"), "%s", err.hint);
	cr_assert_eq(blocks_find_disk(blocks, "/dev/sda1", &found, &err), -ENOENT);
	cr_assert(strstr(err.message, "partition"));
	cr_assert(strstr(err.hint, "S3YJ"));
	cr_assert_eq(blocks_find_disk(blocks, "", &found, &err), -EINVAL);
	cr_assert_null(found);
}

Test(block, hostile_bytes_stay_as_they_are)
{
	CLEANUP(cleanup_blocks) struct blocks *blocks = NULL;
	AUTO_FREE char *words = NULL;
	AUTO_TREE tree = tree_new();

	disk_at(&tree, PORT("1", "0") "sda", "8:0", "8");
	disk_udev(&tree, "8:0",
		  "E:ID_MODEL_ENC=\\x1b[31mEvil\nE:ID_SERIAL_SHORT=\xff\xe2\x80\xae\n");
	blocks = load(&tree);
	cr_assert_eq(block_describe(named(blocks, "sda"), &words), 0);
	cr_assert_str_eq(words, "\x1b[31mEvil (\xff\xe2\x80\xae)");
}

Test(block, an_emmc_boot_area_is_no_disk_of_its_own)
{
	CLEANUP(cleanup_blocks) struct blocks *blocks = NULL;
	AUTO_TREE tree = tree_new();

	disk_at(&tree, "platform/soc/mmc_host/mmc0/mmc0:1/block/mmcblk0", "179:0", "8");
	disk_at(&tree, "platform/soc/mmc_host/mmc0/mmc0:1/block/mmcblk0/mmcblk0boot0", "179:8",
		"8");
	disk_udev(&tree, "179:0", "E:ID_SERIAL=0x1234\n");
	disk_udev(&tree, "179:8", "E:ID_SERIAL=0x1234\n");
	blocks = load(&tree);
	cr_assert_not(block_is_disk(named(blocks, "mmcblk0boot0")));
	cr_assert_not(named(blocks, "mmcblk0")->key_shared);
}

Test(block, the_drives_own_word_on_its_speed)
{
	CLEANUP(cleanup_blocks) struct blocks *blocks = NULL;
	AUTO_TREE tree = tree_new();
	AUTO_BUF id = BUF_INIT;

	disk_at(&tree, PORT("6", "5") "sda", "8:0", "8");
	disk_at(&tree, PORT("7", "6") "sdb", "8:16", "8");
	for (int i = 0; i < 256; i++)
		buf_addf(&id, "%04x%c", i == 76 ? 0x850e : 0x0000, i % 8 == 7 ? '\n' : ' ');
	tree_file(&tree, "sys/class/ata_device/dev6.0/id", buf_text(&id));
	tree_file(&tree, "sys/class/ata_device/dev7.0/id", "0040 3fff\n");
	blocks = load(&tree);
	cr_assert_eq(named(blocks, "sda")->max_generation, 3);
	cr_assert_eq(named(blocks, "sdb")->max_generation, 0, "word 76 is not there");
}

Test(block, no_sysfs_is_an_error)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	AUTO_TREE tree = tree_new();
	struct blocks *blocks = NULL;

	cr_assert_eq(host_open(tree.root, &host, NULL), 0);
	cr_assert_eq(blocks_load(host, &blocks, NULL), -ENOENT);
}

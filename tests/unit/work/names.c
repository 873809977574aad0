/* SPDX-License-Identifier: MIT */
#include "work/names.h"

#include <string.h>

#include "machine.h"
#include "work/names_form.h"

#define BY_PATH "/dev/disk/by-path/pci-0000:00:1f.2-ata-"
#define BY_ID "/dev/disk/by-id/"

static enum ref_fate fate(struct machine *machine, const char *spec)
{
	enum ref_fate result;
	struct ref ref;

	cr_assert_eq(ref_resolve(machine->facts, machine->work, spec, &ref, NULL), 0);
	cr_assert_not_null(ref.why, "%s", spec);
	result = ref.fate;
	ref_done(&ref);
	return result;
}
#define FATE(spec, wanted)                                                                         \
	cr_assert_eq(fate(&machine, spec), wanted, "%s is %s", spec,                               \
		     ref_fate_name(fate(&machine, spec)))

Test(names, forms)
{
	static const struct {
		const char *spec;
		enum ref_form form;
		const char *value;
	} rows[] = {
		{ "UUID=7A1C-33F0", REF_TAG, "7A1C-33F0" },
		{ "UUID=\"x y\"", REF_TAG, "x y" },
		{ "\"LABEL=x\"", REF_TAG, "x" },
		{ "PARTUUID=1593a0c4-02", REF_TAG, "1593a0c4-02" },
		{ "/dev/disk/by-label/my\\x20disk\\x2f1", REF_TAG, "my disk/1" },
		{ "/dev/disk/by-partlabel/EFI", REF_TAG, "EFI" },
		{ "/dev//disk/./by-uuid/a", REF_TAG, "a" },
		{ "/dev/sda", REF_KERNEL_NAME, NULL },
		{ "/dev/sdaa12", REF_KERNEL_NAME, NULL },
		{ "/dev/nvme0n1", REF_KERNEL_NAME, NULL },
		{ "/dev/nvme10n1p3", REF_KERNEL_NAME, NULL },
		{ "/dev/mmcblk0p1", REF_KERNEL_NAME, NULL },
		{ "/dev/vda1", REF_KERNEL_NAME, NULL },
		{ "/dev/xvda", REF_KERNEL_NAME, NULL },
		{ "/dev/hda3", REF_KERNEL_NAME, NULL },
		{ "/dev/disk/by-diskseq/4", REF_KERNEL_NAME, NULL },
		{ "/dev/dm-3", REF_DM_NUMBER, NULL },
		{ "/dev/md127p1", REF_MD_NUMBER, NULL },
		{ "/dev/md/archive", REF_MD_NAME, NULL },
		{ "/dev/mapper/vg--data-home", REF_MAPPER, NULL },
		{ BY_PATH "3-part1", REF_BY_PATH, NULL },
		{ BY_ID "wwn-0x1", REF_BY_ID, NULL },
		{ "ID=wwn-0x1", REF_BY_ID, NULL },
		{ "/dev/vg0/root", REF_OTHER, NULL },
		{ "/dev/zvol/tank/x", REF_OTHER, NULL },
		{ "/dev/sr0", REF_NOT_A_DEVICE, NULL },
		{ "/dev/cdrom", REF_NOT_A_DEVICE, NULL },
		{ "/dev/root", REF_NOT_A_DEVICE, NULL },
		{ "/dev/ram0", REF_NOT_A_DEVICE, NULL },
		{ "/dev/loop0", REF_NOT_A_DEVICE, NULL },
		{ "nas:/export", REF_NOT_A_DEVICE, NULL },
		{ "//nas/share", REF_NOT_A_DEVICE, NULL },
		{ "tank/home", REF_NOT_A_DEVICE, NULL },
		{ "/srv/a/www", REF_NOT_A_DEVICE, NULL },
		{ "/swapfile", REF_NOT_A_DEVICE, NULL },
		{ "overlay", REF_NOT_A_DEVICE, NULL },
		{ "", REF_NOT_A_DEVICE, NULL },
	};

	for (size_t i = 0; i < ELEMENTS(rows); i++) {
		struct ref_name name;

		cr_assert_eq(ref_name_parse(rows[i].spec, &name, NULL), 0);
		cr_assert_eq(name.form, rows[i].form, "%s is %s", rows[i].spec,
			     ref_form_name(name.form));
		if (rows[i].value)
			cr_assert_str_eq(name.value, rows[i].value);
		ref_name_done(&name);
	}
}

Test(names, by_path_sockets)
{
	struct by_path at;

	cr_assert_eq(by_path_parse("/x/pci-0000:00:1f.2-ata-3-part2", &at), 1);
	cr_assert_str_eq(at.controller, "0000:00:1f.2");
	cr_assert(at.port == 2 && at.whole_port && at.partition == 2);
	by_path_done(&at);
	cr_assert_eq(by_path_parse("/x/platform-f2540000.sata-ata-1.0", &at), 1);
	cr_assert_str_eq(at.controller, "f2540000.sata");
	cr_assert(at.port == 0 && !at.whole_port && at.pmp == -1 && at.partition == 0);
	by_path_done(&at);
	cr_assert_eq(by_path_parse("/x/platform-a.pcie-pci-0001:01:00.0-ata-2.4.0-part1", &at), 1);
	cr_assert_str_eq(at.controller, "0001:01:00.0");
	cr_assert(at.port == 1 && at.pmp == 4 && at.partition == 1);
	by_path_done(&at);
	cr_assert_eq(by_path_parse("/x/pci-0000:01:00.0-nvme-1-part1", &at), 0);
	cr_assert_eq(by_path_parse("/x/pci-0000:00:14.0-usb-0:2:1.0-scsi-0:0:0:0", &at), 0);
	cr_assert_eq(by_path_parse("/x/pci-0000:00:1f.2-ata-99999999999", &at), 0);
	cr_assert_eq(by_path_parse("/x/pci-0000:00:1f.2-ata-0", &at), 0);
	cr_assert_eq(by_path_parse("/x/pci-0000:00:1f.2-ata-1.", &at), 0);
}

Test(names, an_exchange_turns_a_by_path_name_into_another_disk)
{
	AUTO_TREE tree = machine_new();
	AUTO_MACHINE machine = machine_open(&tree);
	struct ref ref;

	WORK(&machine, EXCHANGE("SERb", "SERc"));
	cr_assert_eq(ref_resolve(machine.facts, machine.work, BY_PATH "2-part1", &ref, NULL), 0);
	cr_assert_eq(ref.fate, FATE_OTHER_DISK);
	cr_assert_str_eq(ref.before[0]->name, "sdb1");
	cr_assert_str_eq(ref.after->name, "sdc1");
	cr_assert(ref.touched);
	ref_done(&ref);
	FATE(BY_PATH "3.0-part1", FATE_OTHER_DISK);
	FATE(BY_PATH "1-part1", FATE_SAME);
	FATE(BY_PATH "4", FATE_ABSENT);
	FATE("UUID=" MACHINE_UUID("b"), FATE_SAME);
	FATE(BY_ID "ata-MODEL_SERb-part1", FATE_SAME);
	FATE(BY_ID "wwn-0x500000000000000b", FATE_SAME);
	FATE("/dev/sda1", FATE_KERNEL_NAME);
}

Test(names, a_move_leaves_a_by_path_name_empty_or_lends_it_to_another)
{
	AUTO_TREE tree = machine_new();
	AUTO_MACHINE machine = machine_open(&tree);
	struct ref ref;

	WORK(&machine, MOVE("SERb", "port 3"));
	FATE(BY_PATH "2-part1", FATE_NOTHING);
	FATE(BY_PATH "3-part1", FATE_SAME);
	cr_assert_eq(ref_resolve(machine.facts, machine.work, BY_PATH "4-part1", &ref, NULL), 0);
	cr_assert_eq(ref.fate, FATE_ABSENT, "it is not there today");
	cr_assert_str_eq(ref.after->name, "sdb1");
	ref_done(&ref);
	WORK(&machine, MOVE("SERb", "port 3"), MOVE("SERc", "port 1"));
	FATE(BY_PATH "2-part1", FATE_OTHER_DISK);
	FATE(BY_PATH "3-part1", FATE_NOTHING);
}

Test(names, the_other_disk_may_lack_the_partition)
{
	AUTO_TREE tree = machine_new();
	AUTO_MACHINE machine = { 0 };

	disk_part(&tree, PORT("2", "1") "sdb/sdb2", "2", "8:18");
	machine_udev(&tree, 2, 2, "");
	machine = machine_open(&tree);
	WORK(&machine, EXCHANGE("SERb", "SERc"));
	FATE(BY_PATH "2-part2", FATE_NOTHING);
	FATE(BY_PATH "2", FATE_OTHER_DISK);
}

Test(names, removal_takes_every_name_with_it)
{
	AUTO_TREE tree = machine_new();
	AUTO_MACHINE machine = machine_open(&tree);

	WORK(&machine, REMOVE("SERb"));
	FATE("UUID=" MACHINE_UUID("b"), FATE_REMOVED);
	FATE(BY_ID "ata-MODEL_SERb", FATE_REMOVED);
	FATE(BY_PATH "2-part1", FATE_REMOVED);
	FATE("/dev/sdb1", FATE_REMOVED);
	FATE("UUID=" MACHINE_UUID("c"), FATE_SAME);
	WORK(&machine, REMOVE("SERb"), MOVE("SERc", "port 1"));
	FATE(BY_PATH "2-part1", FATE_OTHER_DISK);
}

Test(names, a_clone_makes_a_uuid_ambiguous_until_it_is_gone)
{
	AUTO_TREE tree = machine_new();
	AUTO_MACHINE machine = { 0 };
	struct ref ref;

	machine_udev(&tree, 3, 1, MACHINE_FS("b"));
	machine = machine_open(&tree);
	WORK(&machine, EXCHANGE("SERa", "SERb"));
	cr_assert_eq(
		ref_resolve(machine.facts, machine.work, "UUID=" MACHINE_UUID("b"), &ref, NULL), 0);
	cr_assert_eq(ref.fate, FATE_AMBIGUOUS);
	cr_assert_eq(ref.n_before, 2);
	cr_assert(strstr(ref.why, "/dev/sdb1") && strstr(ref.why, "/dev/sdc1"), "%s", ref.why);
	ref_done(&ref);
	WORK(&machine, REMOVE("SERc"));
	FATE("UUID=" MACHINE_UUID("b"), FATE_SAME);
	WORK(&machine, REMOVE("SERb"));
	FATE("UUID=" MACHINE_UUID("b"), FATE_OTHER_DISK);
	WORK(&machine, REPLACE("SERb", "SERc"));
	FATE("UUID=" MACHINE_UUID("b"), FATE_SAME);
	WORK(&machine, REMOVE("SERb"), REMOVE("SERc"));
	FATE("UUID=" MACHINE_UUID("b"), FATE_REMOVED);
}

Test(names, btrfs_members_are_no_duplicates_and_all_needed)
{
	static const char *const member = "E:ID_FS_TYPE=btrfs\nE:ID_FS_USAGE=filesystem\n"
					  "E:ID_FS_UUID=pool\nE:ID_FS_UUID_SUB=%d\n";
	AUTO_TREE tree = machine_new();
	AUTO_MACHINE machine = { 0 };
	char text[256];

	for (unsigned ata = 2; ata <= 3; ata++) {
		snprintf(text, sizeof(text), member, (int)ata);
		machine_udev(&tree, ata, 1, text);
	}
	machine = machine_open(&tree);
	WORK(&machine, EXCHANGE("SERb", "SERc"));
	FATE("UUID=pool", FATE_SAME);
	WORK(&machine, REMOVE("SERc"));
	FATE("UUID=pool", FATE_REMOVED);
}

Test(names, a_bus_prefix_does_not_survive_another_bus)
{
	AUTO_TREE tree = machine_new();
	AUTO_MACHINE machine = { 0 };

	disk_at(&tree,
		"pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0/host9/target9:0:0/9:0:0:0/block/sdu",
		"8:320", "1000");
	disk_udev(&tree, "8:320",
		  "S:disk/by-id/usb-BOX_USB1-0:0\nS:disk/by-id/ata-REAL_R1\n"
		  "S:disk/by-path/pci-0000:00:14.0-usb-0:1:1.0-scsi-0:0:0:0\nE:ID_BUS=usb\n"
		  "E:ID_SERIAL_SHORT=USB1\nE:ID_MODEL=BOX\n");
	tree_file(&tree, "sys/bus/pci/devices/0000:03:00.0/class", "0x010700\n");
	machine = machine_open(&tree);
	WORK(&machine, MOVE("USB1", "port 3"));
	FATE(BY_ID "usb-BOX_USB1-0:0", FATE_BUS_CHANGE);
	FATE(BY_ID "ata-REAL_R1", FATE_SAME);
	FATE("/dev/disk/by-path/pci-0000:00:14.0-usb-0:1:1.0-scsi-0:0:0:0", FATE_NOTHING);
	WORK(&machine, MOVE("SERb", "port 1 of 0000:03:00.0"));
	FATE(BY_ID "ata-MODEL_SERb", FATE_BUS_CHANGE);
	FATE(BY_ID "wwn-0x500000000000000b", FATE_SAME);
	FATE(BY_PATH "2", FATE_NOTHING);
}

static void array(const struct tree *tree, const char *name, const char *devno, const char *uuid,
		  const char *member)
{
	char path[256], text[256];

	snprintf(path, sizeof(path), "virtual/block/%s", name);
	disk_at(tree, path, devno, "1000");
	disk_slave(tree, name, member);
	snprintf(text, sizeof(text),
		 "S:md/%s\nE:MD_UUID=%s\nE:ID_FS_UUID=fs-%s\nE:ID_FS_TYPE=ext4\n", name + 2, uuid,
		 name);
	disk_udev(tree, devno, text);
}

Test(names, array_numbers_are_stable_when_they_are_listed)
{
	AUTO_TREE tree = machine_new();
	AUTO_MACHINE machine = { 0 };

	array(&tree, "md126", "9:126", "00000000:00000000:00000000:0000000a",
	      PORT("2", "1") "sdb/sdb1");
	array(&tree, "md127", "9:127", "00000000:00000000:00000000:0000000b",
	      PORT("3", "2") "sdc/sdc1");
	machine = machine_open(&tree);
	WORK(&machine, EXCHANGE("SERb", "SERc"));
	FATE("/dev/md126", FATE_MD_UNLISTED);
	FATE("/dev/md/127", FATE_MD_UNLISTED);
	FATE("/dev/md5", FATE_ABSENT);
	tree_file(&tree, "etc/mdadm/mdadm.conf",
		  "ARRAY /dev/md126 UUID=00000000:00000000:00000000:0000000a\n"
		  "ARRAY /dev/md127 UUID=00000000:00000000:00000000:0000000a\n");
	FATE("/dev/md126", FATE_SAME);
	FATE("/dev/md127", FATE_OTHER_DISK);
	WORK(&machine, REMOVE("SERb"));
	FATE("/dev/md126", FATE_REMOVED);
	FATE("UUID=fs-md126", FATE_REMOVED);
}

Test(names, a_redundant_array_outlives_a_member)
{
	AUTO_TREE tree = machine_new();
	AUTO_MACHINE machine = { 0 };

	array(&tree, "md0", "9:0", "0:0:0:1", PORT("2", "1") "sdb/sdb1");
	disk_slave(&tree, "md0", PORT("3", "2") "sdc/sdc1");
	machine = machine_open(&tree);
	WORK(&machine, REMOVE("SERb"));
	FATE("UUID=fs-md0", FATE_UNKNOWN);
	tree_file(&tree, "sys/devices/virtual/block/md0/md/level", "raid1\n");
	FATE("UUID=fs-md0", FATE_SAME);
	tree_file(&tree, "sys/devices/virtual/block/md0/md/level", "raid0\n");
	FATE("UUID=fs-md0", FATE_REMOVED);
}

Test(names, volumes_by_name)
{
	AUTO_TREE tree = machine_new();
	AUTO_MACHINE machine = { 0 };

	disk_at(&tree, "virtual/block/dm-0", "253:0", "1000");
	tree_file(&tree, "sys/devices/virtual/block/dm-0/dm/name", "vg0-data\n");
	disk_slave(&tree, "dm-0", PORT("2", "1") "sdb/sdb1");
	disk_udev(&tree, "253:0", "S:mapper/vg0-data\nS:vg0/data\nE:DM_NAME=vg0-data\n");
	machine = machine_open(&tree);
	WORK(&machine, EXCHANGE("SERb", "SERc"));
	FATE("/dev/mapper/vg0-data", FATE_SAME);
	FATE("/dev/vg0/data", FATE_SAME);
	FATE("/dev/vg0/gone", FATE_ABSENT);
	FATE("/dev/dm-0", FATE_KERNEL_NAME);
	FATE("/dev/zvol/tank/x", FATE_NO_DEVICE);
	WORK(&machine, REMOVE("SERb"));
	FATE("/dev/vg0/data", FATE_REMOVED);
}

Test(names, a_rule_of_the_host_is_not_guessed_at)
{
	AUTO_TREE tree = machine_new();
	AUTO_MACHINE machine = { 0 };

	machine_udev(&tree, 2, 1, "S:backup-disk\n");
	machine = machine_open(&tree);
	WORK(&machine, EXCHANGE("SERb", "SERc"));
	FATE("/dev/backup-disk", FATE_UNKNOWN);
	WORK(&machine, EXCHANGE("SERa", "SERc"));
	FATE("/dev/backup-disk", FATE_SAME);
}

Test(names, what_could_not_be_read_is_not_absent)
{
	AUTO_TREE tree = machine_new();
	AUTO_MACHINE machine = { 0 };

	char path[512];

	machine_disk(&tree, 5, "");
	tree_path(&tree, "run/udev/data/b8:65", path);
	cr_assert_eq(remove(path), 0);
	machine = machine_open(&tree);
	WORK(&machine, EXCHANGE("SERb", "SERc"));
	FATE("UUID=nowhere", FATE_UNKNOWN);
	FATE("UUID=" MACHINE_UUID("b"), FATE_UNKNOWN);
}

Test(names, disks_behind_one_port_share_the_older_name)
{
	AUTO_TREE tree = machine_new();
	AUTO_MACHINE machine = { 0 };

	machine_udev(&tree, 3, 1, "S:disk/by-path/pci-0000:00:1f.2-ata-2-part1\n");
	machine = machine_open(&tree);
	WORK(&machine, EXCHANGE("SERa", "SERb"));
	FATE(BY_PATH "2-part1", FATE_SHARED_PORT);
}

Test(names, two_disks_with_one_id)
{
	AUTO_TREE tree = machine_new();
	AUTO_MACHINE machine = { 0 };

	machine_udev(&tree, 3, 1, "S:disk/by-id/ata-MODEL_SERb-part1\n");
	machine = machine_open(&tree);
	WORK(&machine, EXCHANGE("SERa", "SERb"));
	FATE(BY_ID "ata-MODEL_SERb-part1", FATE_AMBIGUOUS);
	WORK(&machine, REMOVE("SERc"));
	FATE(BY_ID "ata-MODEL_SERb-part1", FATE_SAME);
}

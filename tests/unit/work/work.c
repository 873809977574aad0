/* SPDX-License-Identifier: MIT */
#include "work/work.h"

#include <errno.h>
#include <string.h>

#include "machine.h"

static const struct block *disk(struct machine *machine, const char *name)
{
	const struct blocks *blocks = NULL;

	cr_assert_eq(facts_blocks(machine->facts, &blocks, NULL), 0);
	return blocks_by_name(blocks, name);
}

static struct place_after after(struct machine *machine, const char *name)
{
	struct place_after place;

	work_place_after(machine->work, disk(machine, name), &place);
	return place;
}

static void usb_disk(const struct tree *tree)
{
	disk_at(tree,
		"pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0/host9/target9:0:0/9:0:0:0/block/sdu",
		"8:320", "1000");
	disk_udev(tree, "8:320",
		  "S:disk/by-id/usb-BOX_USB1-0:0\nE:ID_BUS=usb\nE:ID_MODEL=BOX\n"
		  "E:ID_SERIAL=BOX_USB1-0:0\nE:ID_SERIAL_SHORT=USB1\n");
}

static void nvme_disk(const struct tree *tree)
{
	disk_at(tree, "pci0000:00/0000:01:00.0/nvme/nvme0/nvme0n1", "259:0", "1000");
	disk_udev(tree, "259:0", "E:ID_SERIAL_SHORT=NV1\nE:ID_MODEL=NV\n");
}

/* Disks sdx and sdy behind a multiplier on port 4. */
static void multiplier(const struct tree *tree)
{
	static const char *const at = "pci0000:00/0000:00:1f.2/ata5/host4/target4:%d:0/4:%d:0:0/"
				      "block/sd%c";
	char path[256], devno[16], text[256];

	machine_port(tree, 5);
	for (int i = 1; i <= 2; i++) {
		snprintf(path, sizeof(path), at, i, i, 'w' + i);
		snprintf(devno, sizeof(devno), "65:%d", i * 16);
		disk_at(tree, path, devno, "1000");
		snprintf(text, sizeof(text),
			 "S:disk/by-path/pci-0000:00:1f.2-ata-5\n"
			 "S:disk/by-path/pci-0000:00:1f.2-ata-5.%d.0\n"
			 "E:ID_SERIAL_SHORT=PMP%d\nE:ID_SERIAL=P_PMP%d\nE:ID_MODEL=P\n",
			 i, i, i);
		disk_udev(tree, devno, text);
		snprintf(path, sizeof(path), "sys/class/ata_link/link5.%d/sata_spd", i);
		tree_file(tree, path, "3.0 Gbps\n");
	}
}

Test(work, nothing_named_is_a_power_cycle)
{
	AUTO_TREE tree = machine_new();
	AUTO_MACHINE machine = machine_open(&tree);
	AUTO_BUF text = BUF_INIT;

	cr_assert_eq(work_resolve(machine.facts, NULL, 0, &machine.work, NULL), 0);
	cr_assert_eq(machine.work->origin, WORK_POWER_CYCLE);
	cr_assert_not(work_touches(machine.work, disk(&machine, "sda")));
	cr_assert_eq(after(&machine, "sdb").port, 1);
	cr_assert_eq(work_describe(machine.work, &text), 0);
	cr_assert(strstr(buf_text(&text), "power"));
}

Test(work, an_exchange_trades_places_and_leaves_the_rest)
{
	AUTO_TREE tree = machine_new();
	AUTO_MACHINE machine = machine_open(&tree);

	WORK(&machine, EXCHANGE("SERb", "wwn-0x500000000000000c"));
	cr_assert_eq(machine.work->origin, WORK_GIVEN);
	cr_assert_eq(after(&machine, "sdb").port, 2);
	cr_assert_eq(after(&machine, "sdc").port, 1);
	cr_assert(after(&machine, "sdc").moved);
	cr_assert_eq(after(&machine, "sda").port, 0);
	cr_assert_not(after(&machine, "sda").moved);
	cr_assert(work_touches_device(machine.work, disk(&machine, "sdc1")));
}

Test(work, targets_in_every_spelling)
{
	static const char *const targets[] = { "port 3 of 0000:00:1f.2", "Port 3 of 00:1F.2",
					       "port 3", " port  3 of 0000:00:1f.2 ", "ata4" };

	for (size_t i = 0; i < ELEMENTS(targets); i++) {
		AUTO_TREE tree = machine_new();
		AUTO_MACHINE machine = machine_open(&tree);

		WORK(&machine, MOVE("SERb", targets[i]));
		cr_assert_eq(after(&machine, "sdb").port, 3, "%s", targets[i]);
		cr_assert_str_eq(after(&machine, "sdb").controller, "0000:00:1f.2");
	}
}

Test(work, targets_that_cannot_be_read)
{
	static const char *const targets[] = { "",
					       "3",
					       "port",
					       "port x of 0000:00:1f.2",
					       "port 3 of",
					       "port 3 0000:00:1f.2",
					       "port 3 of 0000:00:1f.2 x",
					       "port -1" };
	AUTO_TREE tree = machine_new();
	AUTO_MACHINE machine = machine_open(&tree);

	for (size_t i = 0; i < ELEMENTS(targets); i++)
		REFUSE(&machine, -EINVAL, "cannot read the port", MOVE("SERb", targets[i]));
	REFUSE(&machine, -ENOENT, "no ata9", MOVE("SERb", "ata9"));
}

Test(work, what_cannot_be_done_is_refused)
{
	AUTO_TREE tree = machine_new();
	AUTO_MACHINE machine = { 0 };

	nvme_disk(&tree);
	usb_disk(&tree);
	machine = machine_open(&tree);
	REFUSE(&machine, -ENOENT, "NOBODY", REMOVE("NOBODY"));
	REFUSE(&machine, -EINVAL, "itself", EXCHANGE("SERa", "SERa"));
	REFUSE(&machine, -EINVAL, "named twice", EXCHANGE("SERa", "SERb"), REMOVE("SERb"));
	REFUSE(&machine, -EINVAL, "both to go to port 3", MOVE("SERa", "port 3"),
	       MOVE("SERb", "port 3"));
	REFUSE(&machine, -EINVAL, "both to go to port 0", EXCHANGE("SERa", "SERb"),
	       MOVE("SERc", "port 0"));
	REFUSE(&machine, -EINVAL, "already", MOVE("SERb", "port 1"));
	REFUSE(&machine, -EINVAL, "not on a SATA port", EXCHANGE("SERa", "NV1"));
	REFUSE(&machine, -EINVAL, "not on a SATA port", EXCHANGE("SERa", "USB1"));
	REFUSE(&machine, -EINVAL, "not on a SATA port", MOVE("NV1", "port 3"));
}

Test(work, a_taken_target_is_for_the_port_map_to_judge)
{
	AUTO_TREE tree = machine_new();
	AUTO_MACHINE machine = machine_open(&tree);

	WORK(&machine, MOVE("SERb", "port 2"));
	cr_assert_eq(after(&machine, "sdb").port, 2);
	WORK(&machine, MOVE("SERb", "port 2"), MOVE("SERc", "port 1"));
	cr_assert_eq(after(&machine, "sdc").port, 1);
}

Test(work, a_disk_may_come_out_of_its_usb_case)
{
	AUTO_TREE tree = machine_new();
	AUTO_MACHINE machine = { 0 };

	usb_disk(&tree);
	machine = machine_open(&tree);
	WORK(&machine, MOVE("USB1", "port 3"));
	cr_assert_eq(after(&machine, "sdu").bus, BUS_ATA);
	cr_assert_eq(after(&machine, "sdu").port, 3);
}

Test(work, an_adapter_that_is_no_sata_has_no_ports)
{
	AUTO_TREE tree = machine_new();
	AUTO_MACHINE machine = { 0 };

	tree_file(&tree, "sys/bus/pci/devices/0000:03:00.0/class", "0x010700\n");
	machine = machine_open(&tree);
	WORK(&machine, MOVE("SERb", "port 2 of 0000:03:00.0"));
	cr_assert_eq(after(&machine, "sdb").bus, BUS_SCSI);
	cr_assert_eq(after(&machine, "sdb").port, -1);
}

Test(work, removal_and_replacement)
{
	AUTO_TREE tree = machine_new();
	AUTO_MACHINE machine = { 0 };

	usb_disk(&tree);
	machine = machine_open(&tree);
	WORK(&machine, REMOVE("SERb"));
	cr_assert_not(after(&machine, "sdb").present);
	WORK(&machine, REPLACE("SERb", "a new disk"));
	cr_assert_not(after(&machine, "sdb").present);
	cr_assert_null(machine.work->ops[0].other);
	cr_assert_str_eq(machine.work->ops[0].new_text, "a new disk");
	WORK(&machine, REPLACE("SERb", "USB1"));
	cr_assert_eq(after(&machine, "sdu").port, 1, "the clone takes the port");
}

Test(work, the_disks_of_a_multiplier_move_together_or_one_alone)
{
	AUTO_TREE tree = machine_new();
	AUTO_MACHINE machine = { 0 };

	multiplier(&tree);
	machine = machine_open(&tree);
	cr_assert_eq(disk(&machine, "sdx")->place.pmp, 1);
	WORK(&machine, MOVE("PMP1", "port 3"), MOVE("PMP2", "port 3"));
	cr_assert_eq(after(&machine, "sdx").port, 3);
	cr_assert_eq(after(&machine, "sdx").pmp, 1);
	cr_assert_eq(after(&machine, "sdy").pmp, 2);
	WORK(&machine, MOVE("PMP1", "port 3"));
	cr_assert_eq(after(&machine, "sdx").pmp, -1);
	cr_assert_eq(after(&machine, "sdy").port, 4);
	cr_assert(machine.work->warnings && strstr(machine.work->warnings[0], "multiplier"));
	WORK(&machine, EXCHANGE("PMP1", "SERb"));
	cr_assert_eq(after(&machine, "sdb").pmp, 1);
	cr_assert_eq(after(&machine, "sdx").port, 1);
	REFUSE(&machine, -EINVAL, "both to go", MOVE("PMP1", "port 3"), MOVE("SERb", "port 3"));
}

Test(work, a_kernel_name_is_bound_to_its_key_at_once)
{
	AUTO_TREE tree = machine_new();
	AUTO_MACHINE machine = machine_open(&tree);

	WORK(&machine, REMOVE("/dev/sdb"));
	cr_assert_not_null(machine.work->warnings);
	cr_assert(strstr(machine.work->warnings[0], "/dev/sdb"));
	WORK(&machine, REMOVE("/srv/b"));
	cr_assert_null(machine.work->warnings);
	cr_assert_str_eq(machine.work->ops[0].disk->name, "sdb");
}

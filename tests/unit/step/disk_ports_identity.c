/* SPDX-License-Identifier: MIT */
/* disk.ports: disks that cannot be told apart. */
#include "ports_run.h"

Test(disk_ports_identity, doubled_serials)
{
	AUTO_TREE tree = sata_new(ALL_WELL);
	machine_udev(&tree, 2, 0, "");
	tree_file(&tree, "run/udev/data/b8:32",
		  "E:ID_BUS=ata\nE:ID_MODEL=MODEL\nE:ID_SERIAL_SHORT=SERb\n"
		  "E:ID_WWN=0x500000000000000b\n");
	AUTO_CHECK check = RUN_WITH(&tree, REMOVE("sdc"));

	only(&check, "key-shared", VERDICT_FAIL);
}

Test(disk_ports_identity, an_advice_that_doubled_serials_keep_back)
{
	AUTO_TREE tree = sata_new(SATA_START SATA_HEADER("6", "0x1f") SATA_FAST("1") SATA_FAST("2")
					  SATA_SLOW("3"));
	tree_file(&tree, "run/udev/data/b8:32",
		  "E:ID_BUS=ata\nE:ID_MODEL=MODEL\nE:ID_SERIAL_SHORT=SERb\n"
		  "E:ID_WWN=0x500000000000000b\n");
	AUTO_CHECK check = RUN(&tree);
	const struct finding *finding = found(&check, "advice-kept-back");

	cr_assert_not_null(finding);
	cr_assert_eq(finding->verdict, VERDICT_WARN);
	cr_assert_str_eq(finding->subject, "sdc, sdb");
	cr_assert_eq(finding->n_evidence, 2);
	cr_assert_not_null(finding->remedy);
}

/* vda, and vdb where asked for: neither tells a serial number. */
static struct tree virtual_disks(size_t n)
{
	struct tree tree = tree_new();

	disk_at(&tree, "pci0000:00/0000:00:04.0/virtio1/block/vda", "254:0", "1000000");
	if (n > 1)
		disk_at(&tree, "pci0000:00/0000:00:05.0/virtio2/block/vdb", "254:16", "1000000");
	tree_file(&tree, "proc/self/mountinfo", "29 1 254:0 / / rw - ext4 /dev/vda rw\n");
	return tree;
}

Test(disk_ports_identity, the_only_disk_needs_no_serial)
{
	AUTO_TREE tree = virtual_disks(1);
	AUTO_CHECK check = RUN_WITH(&tree, REMOVE("vda"));
	const struct finding *finding = found(&check, "only-one");

	cr_assert_eq(check.result.verdict, VERDICT_PASS);
	cr_assert_not_null(finding);
	cr_assert_str_eq(finding->evidence[0].source, "/sys/class/block/vda");
	cr_assert_str_eq(finding->evidence[0].observed, "serial number none, WWN none");
}

Test(disk_ports_identity, one_of_two_without_serial_is_ambiguous)
{
	AUTO_TREE tree = virtual_disks(2);
	AUTO_CHECK check = RUN_WITH(&tree, REMOVE("vda"));
	const struct finding *finding = only(&check, "key-shared", VERDICT_FAIL);

	cr_assert_not_null(strstr(finding->summary, "vdb"));
	cr_assert_eq(finding->n_evidence, 2);
}

/* SPDX-License-Identifier: MIT */
/* disk.ports: holes in the port map. */
#include "ports_run.h"

/* What makes a hole: a path that goes, or its new text. */
static const struct finding *hole(struct check *check, struct tree *tree, const char *path,
				  const char *text)
{
	char full[4096];

	tree_path(tree, path, full);
	cr_assert_eq(unlink(full), 0, "%s", full);
	if (text)
		tree_file(tree, path, text);
	*check = run(tree, NULL, 0);
	cr_assert_eq(check->result.verdict, VERDICT_UNKNOWN);
	return found(check, "map-incomplete");
}
#define HOLE(path, text, wanted)                                                                   \
	({                                                                                         \
		AUTO_TREE tree_ = sata_new(ALL_WELL);                                              \
		AUTO_CHECK check_ = { 0 };                                                         \
		const struct finding *finding_ = hole(&check_, &tree_, path, text);                \
		cr_assert_not_null(finding_);                                                      \
		cr_assert_str_eq(finding_->subject, wanted);                                       \
		cr_assert(finding_->remedy && finding_->n_evidence > 0);                           \
	})

Test(disk_ports_gaps, a_port_that_sysfs_does_not_list)
{
	HOLE("sys/class/ata_port/ata5", NULL, SATA_ADDRESS);
	HOLE(SATA_DEVICE "ata5/ata_port/ata5/port_no", NULL, SATA_ADDRESS);
	HOLE(SATA_DEVICE "ata5/ata_port/ata5/port_no", "0\n", SATA_ADDRESS);
	HOLE(SATA_DEVICE "ata5/ata_port/ata5/port_no", "4294967296\n", SATA_ADDRESS);
}

Test(disk_ports_gaps, two_ports_of_one_number)
{
	HOLE(SATA_DEVICE "ata3/ata_port/ata3/port_no", "2\n", "port 1 of " SATA_ADDRESS);
}

Test(disk_ports_gaps, a_disk_whose_port_is_not_told)
{
	HOLE("sys/class/ata_port/ata3", NULL, "sdc");
	HOLE(SATA_DEVICE "ata3/ata_port/ata3/port_no", "", "sdc");
}

Test(disk_ports_gaps, a_drive_that_is_no_block_device)
{
	AUTO_TREE tree = sata_new(ALL_WELL "[    1.6] ata3.00: ATA-11: MODEL, FW, max UDMA/133\n");
	AUTO_CHECK check = { 0 };
	const struct finding *finding = hole(&check, &tree, "sys/class/block/sdc", NULL);

	cr_assert_not_null(finding);
	cr_assert_str_eq(finding->subject, "port 2 of " SATA_ADDRESS);
}

Test(disk_ports_gaps, a_link_of_an_optical_drive_is_no_hole)
{
	AUTO_TREE tree = sata_new(
		ALL_WELL "[    1.6] ata4: SATA link up 1.5 Gbps (SStatus 113 SControl 300)\n"
			 "[    1.7] ata4.00: ATAPI: HL-DT-ST DVDRAM, KS03, max UDMA/100\n");
	AUTO_CHECK check = run(&tree, NULL, 0);

	cr_assert_null(found(&check, "map-incomplete"));
}

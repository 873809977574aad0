/* SPDX-License-Identifier: MIT */
/* disk.ports: holes in the port map. */
#include <criterion/criterion.h>
#include <string.h>

#include "sata.h"
#include "step/kinds.h"

struct check {
	struct machine machine;
	struct result result;
};

static void check_done(struct check *check)
{
	result_done(&check->result);
	machine_done(&check->machine);
}
#define AUTO_CHECK CLEANUP(check_done) struct check

static struct check run(const struct tree *tree, struct work_request *requests, size_t n)
{
	struct check check = { .machine = machine_open(tree) };
	struct step step = { .id = "ports" };

	cr_assert_eq(machine_work(&check.machine, requests, n, NULL), 0);
	step.host = check.machine.host;
	step.facts = check.machine.facts;
	step.work = check.machine.work;
	result_init(&check.result, &kind_disk_ports);
	cr_assert_eq(kind_disk_ports.run(&step, NULL, &check.result, NULL), 0);
	cr_assert_eq(check.result.failed, 0);
	return check;
}
#define RUN(tree) run(tree, NULL, 0)
static const struct finding *found(const struct check *check, const char *id)
{
	for (size_t i = 0; i < check->result.n_findings; i++)
		if (strcmp(strchr(check->result.findings[i].id, '/') + 1, id) == 0)
			return &check->result.findings[i];
	return NULL;
}

#define ALL_WELL                                                                                   \
	SATA_START SATA_HEADER("6", "0x1f") SATA_FAST("1") SATA_FAST("2") SATA_FAST("3")           \
		SATA_DOWN("4", "0") SATA_DOWN("5", "0")

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

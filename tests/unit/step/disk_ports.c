/* SPDX-License-Identifier: MIT */
#include "ports_run.h"

Test(disk_ports, nothing_to_say)
{
	AUTO_TREE tree = sata_new(ALL_WELL);
	AUTO_CHECK check = RUN(&tree);

	cr_assert_eq(check.result.verdict, VERDICT_PASS);
	cr_assert_not_null(found(&check, "ports-read"));
	cr_assert_not_null(check.result.summary);
}

Test(disk_ports, held_back_by_its_port)
{
	AUTO_TREE tree = sata_new(SATA_HELD);
	AUTO_CHECK check = RUN(&tree);
	const struct finding *finding = found(&check, "held-back-by-port");
	const struct finding *disabled = found(&check, "maybe-disabled");

	cr_assert_eq(check.result.verdict, VERDICT_WARN);
	cr_assert_str_eq(finding->subject, "port 2 of 0000:00:1f.2");
	cr_assert_str_eq(finding->evidence[0].source, "coldswap/kernel.log:7");
	cr_assert_not_null(strstr(finding->evidence[0].observed, "ata3: SATA link up 3.0"));
	cr_assert_not_null(strstr(finding->evidence[0].formula, "min(drive 6.0, controller 6.0)"));
	cr_assert_not_null(strstr(finding->remedy, "SERb"));
	cr_assert_not_null(disabled);
	cr_assert_str_eq(disabled->evidence[0].observed, "ata4: DUMMY");
}

Test(disk_ports, held_back_by_its_cable)
{
	AUTO_TREE tree = sata_new(SATA_HELD);
	sata_smart(&tree, "sdc", "6.0", "3.0", 57);
	AUTO_CHECK check = RUN(&tree);
	const struct finding *finding = only(&check, "held-back-by-cable", VERDICT_WARN);

	cr_assert_str_eq(finding->evidence[finding->n_evidence - 1].source,
			 "coldswap/smart/sdc.json:9");
}

Test(disk_ports, limited_by_scontrol)
{
	AUTO_TREE tree = sata_new(
		SATA_HELD "[    2.0] ata3: SATA link up 3.0 Gbps (SStatus 123 SControl 320)\n");
	AUTO_CHECK check = RUN(&tree);

	only(&check, "limited-by-software", VERDICT_WARN);
}

Test(disk_ports, a_limit_that_was_asked_for_is_no_finding)
{
	AUTO_TREE tree = sata_new(
		SATA_HELD "[    2.0] ata3: SATA link up 3.0 Gbps (SStatus 123 SControl 320)\n");
	tree_file(&tree, "proc/cmdline", "ro libata.force=3.0Gbps\n");
	AUTO_CHECK check = RUN(&tree);

	cr_assert_eq(check.result.verdict, VERDICT_PASS);
}

Test(disk_ports, slowed_down_by_the_kernel)
{
	AUTO_TREE tree = sata_new(
		SATA_HELD "[    5.0] ata3: SError: { UnrecovData }\n"
			  "[    5.2] ata3: limiting SATA link speed to 1.5 Gbps\n"
			  "[    5.9] ata3: SATA link up 1.5 Gbps (SStatus 113 SControl 310)\n");
	AUTO_CHECK check = RUN(&tree);
	const struct finding *finding = only(&check, "slowed-by-errors", VERDICT_WARN);

	cr_assert_eq(finding->n_evidence, 3, "slow-down, link, error");
	cr_assert_str_eq(finding->evidence[0].source, "coldswap/kernel.log:9");
}

Test(disk_ports, errors_at_full_speed)
{
	AUTO_TREE tree = sata_new(ALL_WELL "[    5.0] ata2: SError: { BadCRC }\n");
	AUTO_CHECK check = RUN(&tree);

	only(&check, "link-errors", VERDICT_WARN);
}

Test(disk_ports, a_drive_that_nobody_knows)
{
	AUTO_TREE tree = sata_new(SATA_HELD);
	char path[512];

	tree_path(&tree, "coldswap/smart/sdc.json", path);
	unlink(path);
	AUTO_CHECK check = RUN(&tree);

	only(&check, "drive-unknown", VERDICT_UNKNOWN);
}

Test(disk_ports, a_log_that_is_gone_cut_or_without_its_mask)
{
	static const char *const logs[] = {
		NULL,
		SATA_HEADER("6", "0x1f") SATA_FAST("1") SATA_FAST("2") SATA_FAST("3"),
		SATA_START SATA_FAST("1") SATA_FAST("2") SATA_FAST("3"),
	};

	for (size_t i = 0; i < ELEMENTS(logs); i++) {
		AUTO_TREE tree = sata_new(logs[i]);
		AUTO_CHECK check;

		sata_link_file(&tree, "link1", "sata_spd", "6.0 Gbps\n");
		sata_link_file(&tree, "link2", "sata_spd", "6.0 Gbps\n");
		sata_link_file(&tree, "link3", "sata_spd", "6.0 Gbps\n");
		check = RUN(&tree);
		only(&check, "log-incomplete", VERDICT_UNKNOWN);
	}
}

Test(disk_ports, a_mask_with_phantoms)
{
	AUTO_TREE tree = sata_new(
		SATA_START "[    1.0] ahci 0000:00:1f.2: AHCI vers 0001.0301, 32 command slots, 6 "
			   "Gbps, SATA mode\n"
			   "[    1.1] ahci 0000:00:1f.2: 30/32 ports implemented (port mask "
			   "0xffffff3f)\n" SATA_FAST("1") SATA_FAST("2") SATA_FAST("3"));
	AUTO_CHECK check = RUN(&tree);
	const struct finding *finding = only(&check, "phantom-mask", VERDICT_WARN);

	cr_assert_str_eq(finding->evidence[0].source, "coldswap/kernel.log:3");
}

/* ---- the work ---------------------------------------------------------------- */

Test(disk_ports, targets)
{
	static const struct {
		const char *log, *id;
		enum verdict verdict;
	} rows[] = {
		{ ALL_WELL, NULL, VERDICT_PASS },
		{ SATA_START SATA_HEADER("6", "0x7") SATA_FAST("1") SATA_FAST("2")
			  SATA_FAST("3") "[    1.2] ata4: DUMMY\n",
		  "target-dummy", VERDICT_FAIL },
		{ SATA_START SATA_HEADER("6", "0x1f") SATA_FAST("1") SATA_FAST("2") SATA_FAST("3")
			  SATA_DOWN("4", "4"),
		  "target-offline", VERDICT_FAIL },
		{ SATA_START SATA_HEADER("6", "0x1f") SATA_FAST("1") SATA_FAST("2") SATA_FAST("3")
			  SATA_DOWN("4", "1"),
		  "target-no-link", VERDICT_WARN },
		{ SATA_START SATA_HEADER("6", "0x1f") SATA_FAST("1") SATA_FAST("2") SATA_FAST("3")
			  SATA_FAST("4"),
		  "target-occupied", VERDICT_FAIL },
		{ SATA_START SATA_HEADER("6", "0x1f") SATA_FAST("1") SATA_FAST("2") SATA_FAST("3"),
		  "target-unknown", VERDICT_UNKNOWN },
		{ SATA_START SATA_HEADER("6", "0x1f") SATA_FAST("1") SATA_FAST("2") SATA_FAST(
			  "3") "[    1.5] ata4: SATA link down (SStatus 0 SControl 310)\n",
		  "target-slower", VERDICT_WARN },
	};

	for (size_t i = 0; i < ELEMENTS(rows); i++) {
		AUTO_TREE tree = sata_new(rows[i].log);
		AUTO_CHECK check = RUN_WITH(&tree, MOVE("SERc", "port 3 of " SATA_ADDRESS));

		cr_assert_not_null(found(&check, "predicted"));
		if (rows[i].id == NULL)
			cr_assert_eq(check.result.verdict, rows[i].verdict);
		else
			only(&check, rows[i].id, rows[i].verdict);
	}
}

Test(disk_ports, a_port_that_does_not_exist)
{
	AUTO_TREE tree = sata_new(ALL_WELL);
	AUTO_CHECK check = RUN_WITH(&tree, MOVE("SERc", "port 9 of " SATA_ADDRESS));

	only(&check, "target-missing", VERDICT_FAIL);
}

Test(disk_ports, a_port_whose_disk_leaves_is_free)
{
	AUTO_TREE tree = sata_new(ALL_WELL);
	AUTO_CHECK check = RUN_WITH(&tree, MOVE("SERc", "port 1 of " SATA_ADDRESS),
				    MOVE("SERb", "port 3 of " SATA_ADDRESS));

	cr_assert_null(found(&check, "target-occupied"));
}

Test(disk_ports, an_exchange_that_gains_is_predicted)
{
	AUTO_TREE tree = sata_new(SATA_HELD);
	AUTO_CHECK check = RUN_WITH(&tree, EXCHANGE("SERb", "SERc"));
	const struct output *predicted = NULL;

	cr_assert_null(found(&check, "target-slower"));
	for (size_t i = 0; i < check.result.n_outputs; i++)
		if (strcmp(check.result.outputs[i].name, "predicted") == 0)
			predicted = &check.result.outputs[i];
	cr_assert_not_null(predicted);
	cr_assert_not_null(strstr(predicted->value.string, "(SERc) at 6.0 Gb/s"));
	cr_assert_not_null(strstr(predicted->value.string, "(SERb) at 3.0 Gb/s"));
}

/* A drive of 3.0 Gb/s gains nothing by the fast port, and its own is held to 3.0. */
Test(disk_ports, an_exchange_that_only_loses)
{
	AUTO_TREE tree = sata_new(
		ALL_WELL "[    2.0] ata3: SATA link up 3.0 Gbps (SStatus 123 SControl 320)\n");
	sata_smart(&tree, "sdc", "3.0", "3.0", 0);
	AUTO_CHECK check = RUN_WITH(&tree, EXCHANGE("SERb", "SERc"));

	cr_assert_not_null(strstr(only(&check, "target-slower", VERDICT_WARN)->summary, "SERb"));
}

Test(disk_ports, a_port_without_a_socket)
{
	AUTO_TREE tree = sata_new(SATA_START
				  "[    1.1] ahci 0000:00:1f.2: 29/32 ports implemented (port mask "
				  "0xfffffff7)\n" SATA_FAST("1") SATA_FAST("2") SATA_FAST("3")
					  SATA_DOWN("5", "0"));
	AUTO_CHECK check = RUN_WITH(&tree, MOVE("SERc", "port 4 of " SATA_ADDRESS));
	const struct finding *finding = found(&check, "target-phantom");

	cr_assert_eq(check.result.verdict, VERDICT_FAIL);
	cr_assert_not_null(finding);
	cr_assert_not_null(strstr(finding->evidence[0].formula, "4 >= 3 sockets"));
}

/* sdb and sdd hang on one cable, behind a multiplier on port 1. */
static struct tree with_multiplier(const char *flags)
{
	struct tree tree = sata_new(NULL);
	char log[2048];

	snprintf(log, sizeof(log), "%s%s%s%s%s%s", SATA_START SATA_HEADER("6", "0x1f"), flags,
		 SATA_FAST("1") SATA_SLOW("2") SATA_FAST("3"), SATA_DOWN("4", "0"),
		 SATA_DOWN("5", "0"),
		 "[    1.6] ata2.15: Port Multiplier 1.2, 0x197b:0x0325 r0, 5 ports, feat 0x5\n"
		 "[    1.7] ata2.00: SATA link up 3.0 Gbps (SStatus 123 SControl 320)\n");
	tree_file(&tree, "coldswap/kernel.log", log);
	sata_link_file(&tree, "link2.0", "sata_spd", "3.0 Gbps\n");
	sata_link_file(&tree, "link2.1", "sata_spd", "3.0 Gbps\n");
	disk_at(&tree, "pci0000:00/0000:00:1f.2/ata2/host1/target1:1:0/1:1:0:0/block/sdd", "8:48",
		"1000000");
	disk_udev(&tree, "8:48",
		  "E:ID_BUS=ata\nE:ID_MODEL=MODEL\nE:ID_SERIAL_SHORT=SERd\n"
		  "E:ID_WWN=0x500000000000000d\n");
	sata_smart(&tree, "sdd", "6.0", "3.0", 0);
	return tree;
}

Test(disk_ports, one_cable_carries_several_disks)
{
	AUTO_TREE tree = with_multiplier("[    1.1] ahci 0000:00:1f.2: flags: 64bit ncq pmp fbs\n");
	AUTO_CHECK check = RUN_WITH(&tree, MOVE("SERb", "port 3 of " SATA_ADDRESS),
				    MOVE("SERd", "port 3 of " SATA_ADDRESS));
	const struct finding *finding = only(&check, "port-multiplier", VERDICT_WARN);

	cr_assert_not_null(strstr(finding->summary, "sdb, sdd"));
	cr_assert_not_null(strstr(finding->evidence[0].observed, "ata2.15: Port Multiplier"));
	cr_assert_eq(finding->n_evidence, 1, "fan-out links are not at fault");
}

Test(disk_ports, a_multiplier_needs_the_flag)
{
	AUTO_TREE tree = with_multiplier("[    1.1] ahci 0000:00:1f.2: flags: 64bit ncq led\n");
	AUTO_CHECK check = RUN_WITH(&tree, MOVE("SERb", "port 3 of " SATA_ADDRESS),
				    MOVE("SERd", "port 3 of " SATA_ADDRESS));

	cr_assert_eq(check.result.verdict, VERDICT_FAIL);
	cr_assert_not_null(found(&check, "target-without-pmp"));
}

Test(disk_ports, no_sata_is_an_answer)
{
	AUTO_TREE tree = tree_new();
	disk_at(&tree, "pci0000:00/0000:00:1d.0/nvme/nvme0/nvme0n1", "259:0", "1000000");
	disk_udev(&tree, "259:0", "E:ID_SERIAL_SHORT=N1\nE:ID_MODEL=NVME\n");
	tree_file(&tree, "proc/self/mountinfo", "29 1 259:0 / / rw - ext4 /dev/nvme0n1 rw\n");
	AUTO_CHECK check = RUN(&tree);

	cr_assert_eq(check.result.verdict, VERDICT_PASS);
	cr_assert_str_eq(check.result.summary, "No SATA port to exchange.");
	cr_assert_gt(found(&check, "no-sata")->n_evidence, 1);
}

/* SPDX-License-Identifier: MIT */
/* What the pairs of trees of tests/pairs do not have: other buses, disks without a name. */
#include <criterion/criterion.h>

#include "pair.h"
#include "step/kinds.h"

#define LOG                                                                                        \
	SATA_START SATA_HEADER("6", "0x1f") SATA_FAST("1") SATA_FAST("2") SATA_SLOW("3")           \
		SATA_DOWN("4", "0") SATA_DOWN("5", "0")

#define B "MODEL (SERb)"
#define C "MODEL (SERc)"

static struct pair pair_new(void)
{
	return (struct pair){ sata_new(LOG), sata_new(LOG) };
}

/* The disk on a port is another one now; the port keeps its place. */
static void put_disk(const struct tree *tree, unsigned ata, char letter)
{
	char devno[16], text[512];

	snprintf(devno, sizeof(devno), "8:%u", (ata - 1) * 16);
	snprintf(text, sizeof(text),
		 "E:ID_BUS=ata\nE:ID_MODEL=MODEL\nE:ID_SERIAL_SHORT=SER%c\n"
		 "E:ID_WWN=0x500000000000000%c\n",
		 letter, letter);
	disk_udev(tree, devno, text);
}

static void add_usb(const struct tree *tree)
{
	disk_at(tree,
		"pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0/host8/target8:0:0/8:0:0:0/block/sdx",
		"8:240", "2048");
	disk_udev(tree, "8:240", "E:ID_BUS=usb\nE:ID_MODEL=Stick\nE:ID_SERIAL_SHORT=USB1\n");
}

Test(disk_links, names_of_the_kernel_mean_nothing)
{
	CLEANUP(result_done) struct result result;
	struct work_request request = EXCHANGE("SERb", "SERc");
	AUTO_PAIR pair = pair_new();

	put_disk(&pair.now, 2, 'c');
	put_disk(&pair.now, 3, 'b');
	pair_run(&pair, &kind_disk_links, true, &request, &result);
	cr_expect_eq(result.verdict, VERDICT_PASS, "%s", result.summary);
	cr_expect_eq(pair_verdict(&result, "right", B), VERDICT_PASS);
	cr_expect_str_eq(result.summary, "3 of 3 disks are where they should be.");
}

/* At the board the cable stays with its disk; else two things changed at once. */
Test(disk_links, the_end_that_was_exchanged_tells_what_is_proved)
{
	static const char *const rows[][3] = {
		{ "board", "port-changed", "port" },
		{ "drives", "port-and-cable-changed", "port-or-cable" },
		{ "both", "port-and-cable-changed", "port-or-cable" },
	};
	AUTO_PAIR pair = pair_new();

	put_disk(&pair.now, 2, 'c');
	put_disk(&pair.now, 3, 'b');
	for (size_t i = 0; i < ELEMENTS(rows); i++) {
		CLEANUP(result_done) struct result result;
		struct work_request request = EXCHANGE("SERb", "SERc");

		pair_end = rows[i][0];
		pair_run(&pair, &kind_disk_links, true, &request, &result);
		cr_expect_eq(result.verdict, VERDICT_PASS);
		cr_expect_eq(pair_verdict(&result, rows[i][1], B), VERDICT_PASS);
		cr_expect_eq(pair_verdict(&result, rows[i][1], C), VERDICT_PASS);
		cr_expect_null(pair_find(&result, rows[i][1], "MODEL (SERa)"));
		cr_expect_str_eq(pair_find(&result, rows[i][1], B)->evidence[0].observed,
				 rows[i][0]);
		cr_expect_str_eq(result.outputs[0].name, "end");
		cr_expect_str_eq(result.outputs[0].value.string, rows[i][0]);
		cr_expect_str_eq(result.outputs[1].value.string, rows[i][2]);
	}
	CLEANUP(result_done) struct result result;
	struct work_request request = EXCHANGE("SERb", "SERc");

	pair_end = NULL;
	pair_run(&pair, &kind_disk_links, true, &request, &result);
	cr_expect_null(pair_find(&result, "port-changed", NULL));
	cr_expect_null(pair_find(&result, "port-and-cable-changed", NULL));
}

Test(disk_links, the_work_is_of_the_disks_before_it)
{
	CLEANUP(result_done) struct result result;
	struct work_request request = EXCHANGE("/srv/b", "SERc");
	AUTO_PAIR pair = pair_new();

	pair_run(&pair, &kind_disk_links, true, &request, &result);
	cr_expect_eq(pair_verdict(&result, "not-moved", B), VERDICT_FAIL);
	cr_expect_eq(pair_verdict(&result, "not-moved", C), VERDICT_FAIL);
}

/* A disk that should be gone has no port to go to. */
Test(disk_links, a_disk_that_moved_and_should_be_out_is_to_be_taken_out)
{
	CLEANUP(result_done) struct result result;
	struct work_request request = REMOVE("SERb");
	const struct finding *finding;
	AUTO_PAIR pair = pair_new();

	put_disk(&pair.now, 2, 'c');
	put_disk(&pair.now, 3, 'b');
	pair_run(&pair, &kind_disk_links, true, &request, &result);
	finding = pair_find(&result, "wrong-port", B);
	cr_assert_not_null(finding);
	cr_expect_eq(finding->verdict, VERDICT_FAIL);
	cr_expect_not_null(strstr(finding->summary, "should have been taken out"));
	cr_expect_str_eq(finding->remedy, "Power off, and take it out as planned.");
}

Test(disk_links, a_link_below_that_of_before_on_the_same_port_fails)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new();

	tree_file(&pair.now, "coldswap/kernel.log",
		  SATA_START SATA_HEADER("6", "0x1f") SATA_FAST("1") SATA_SLOW("2") SATA_SLOW("3"));
	pair_run(&pair, &kind_disk_links, true, NULL, &result);
	cr_expect_eq(pair_verdict(&result, "slower-than-predicted", "port 1 of 0000:00:1f.2"),
		     VERDICT_FAIL);
	cr_expect_eq(pair_verdict(&result, "link-right", "port 2 of 0000:00:1f.2"), VERDICT_PASS);
}

Test(disk_links, the_fastest_link_of_before_counts_not_the_last)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new();

	tree_file(&pair.before, "coldswap/kernel.log", LOG SATA_SLOW("2"));
	tree_file(&pair.now, "coldswap/kernel.log",
		  SATA_START SATA_HEADER("6", "0x1f") SATA_FAST("1") SATA_SLOW("2") SATA_SLOW("3"));
	pair_run(&pair, &kind_disk_links, true, NULL, &result);
	cr_expect_eq(pair_verdict(&result, "slower-than-predicted", "port 1 of 0000:00:1f.2"),
		     VERDICT_FAIL);
}

Test(disk_links, no_drive_is_expected_to_do_more_than_it_can)
{
	CLEANUP(result_done) struct result result;
	struct work_request request = EXCHANGE("SERb", "SERc");
	AUTO_PAIR pair = pair_new();

	/* The slow drive of port 2 goes to the fast port 1. */
	sata_smart(&pair.before, "sdc", "3.0", "3.0", 0);
	put_disk(&pair.now, 2, 'c');
	put_disk(&pair.now, 3, 'b');
	sata_smart(&pair.now, "sdb", "3.0", "3.0", 0);
	tree_file(&pair.now, "coldswap/kernel.log",
		  SATA_START SATA_HEADER("6", "0x1f") SATA_FAST("1") SATA_SLOW("2") SATA_SLOW("3"));
	pair_run(&pair, &kind_disk_links, true, &request, &result);
	cr_expect_eq(result.verdict, VERDICT_PASS);
}

Test(disk_links, a_usb_disk_that_is_gone_is_a_warning)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new();

	add_usb(&pair.before);
	pair_run(&pair, &kind_disk_links, true, NULL, &result);
	cr_expect_eq(pair_verdict(&result, "missing", "Stick (USB1)"), VERDICT_WARN);
}

Test(disk_links, a_disk_off_sata_has_no_port_to_compare)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new();

	add_usb(&pair.before);
	add_usb(&pair.now);
	pair_run(&pair, &kind_disk_links, true, NULL, &result);
	cr_expect_eq(pair_verdict(&result, "right", "Stick (USB1)"), VERDICT_PASS);
	cr_expect_eq(result.verdict, VERDICT_PASS);
}

Test(disk_links, a_disk_in_the_place_of_another_is_new_unless_the_work_says_so)
{
	CLEANUP(result_done) struct result plain;
	CLEANUP(result_done) struct result replaced;
	struct work_request request = REPLACE("SERb", "SERz");
	AUTO_PAIR pair = pair_new();

	put_disk(&pair.now, 2, 'z');
	pair_run(&pair, &kind_disk_links, true, NULL, &plain);
	cr_expect_eq(pair_verdict(&plain, "new-disk", "MODEL (SERz)"), VERDICT_WARN);
	cr_expect_eq(pair_verdict(&plain, "missing", B), VERDICT_FAIL);
	pair_run(&pair, &kind_disk_links, true, &request, &replaced);
	cr_expect_eq(pair_verdict(&replaced, "new-disk", "MODEL (SERz)"), VERDICT_PASS);
	cr_expect_eq(pair_verdict(&replaced, "right", B), VERDICT_PASS);
}

Test(disk_links, two_disks_with_one_identity_are_not_recognised)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new();

	put_disk(&pair.before, 3, 'b');
	put_disk(&pair.now, 3, 'b');
	pair_run(&pair, &kind_disk_links, true, NULL, &result);
	cr_expect_eq(pair_verdict(&result, "not-recognised", NULL), VERDICT_UNKNOWN);
	cr_expect_null(pair_find(&result, "new-disk", NULL));
}

Test(disk_links, a_capture_without_disks_is_not_known)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE now = sata_new(LOG);
	AUTO_TREE before = tree_new();
	AUTO_MACHINE machine = machine_open(&now);
	AUTO_MACHINE earlier = machine_open(&before);
	struct step step = { .host = machine.host, .facts = machine.facts };

	WORK(&machine, EXCHANGE("SERb", "SERc"));
	step.before = earlier.facts;
	step.work = machine.work;
	result_init(&result, &kind_disk_links);
	cr_assert_eq(kind_disk_links.run(&step, NULL, &result, NULL), 0);
	cr_expect_eq(pair_verdict(&result, "unreadable", "the ports of the earlier capture"),
		     VERDICT_UNKNOWN);
	cr_expect_eq(result.failed, 0);
}

static void drop_smart(const struct tree *tree, const char *disk)
{
	char name[64], path[512];

	snprintf(name, sizeof(name), "coldswap/smart/%s.json", disk);
	tree_path(tree, name, path);
	cr_assert_eq(unlink(path), 0);
}

/* sdb has no count before, sdc neither before nor now. */
Test(disk_links, crc_errors_without_a_count_of_before_are_not_known)
{
	CLEANUP(result_done) struct result result;
	const struct finding *finding;
	AUTO_PAIR pair = pair_new();

	drop_smart(&pair.before, "sdb");
	drop_smart(&pair.before, "sdc");
	drop_smart(&pair.now, "sdc");
	pair_run(&pair, &kind_disk_links, true, NULL, &result);
	cr_expect_eq(result.verdict, VERDICT_UNKNOWN);
	finding = pair_find(&result, "crc-unknown", B);
	cr_assert_not_null(finding);
	cr_expect_not_null(strstr(finding->summary, "no count was recorded before."));
	cr_expect_not_null(strstr(finding->remedy, "Capture now, as root"));
	cr_expect_eq(finding->n_evidence, 1);
	finding = pair_find(&result, "crc-unknown", C);
	cr_assert_not_null(finding);
	cr_expect_not_null(strstr(finding->summary, "and none is told now."));
	cr_expect_eq(finding->n_evidence, 2);
	cr_expect_eq(pair_verdict(&result, "crc-unchanged", "MODEL (SERa)"), VERDICT_PASS);
}

#define NO_COUNT                                                                                   \
	"{\"smartctl\": {\"exit_status\": 0}, \"ata_smart_attributes\": {\"table\": [\n"           \
	"{\"id\": 5, \"name\": \"Reallocated_Sector_Ct\", \"raw\": {\"value\": 3}}]}}\n"

Test(disk_links, a_drive_that_keeps_no_count_has_nothing_to_compare)
{
	CLEANUP(result_done) struct result both;
	CLEANUP(result_done) struct result once;
	AUTO_PAIR pair = pair_new();

	tree_file(&pair.before, "coldswap/smart/sdb.json", NO_COUNT);
	tree_file(&pair.now, "coldswap/smart/sdb.json", NO_COUNT);
	pair_run(&pair, &kind_disk_links, true, NULL, &both);
	cr_expect_eq(pair_verdict(&both, "crc-unknown", B), -1);
	drop_smart(&pair.now, "sdb");
	pair_run(&pair, &kind_disk_links, true, NULL, &once);
	cr_expect_eq(pair_verdict(&once, "crc-unknown", B), VERDICT_UNKNOWN);
}

Test(disk_links, nothing_recorded_skips_each_comparison_and_judges_the_links)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new();

	tree_file(&pair.now, "coldswap/kernel.log", LOG "[ 9.1] ata2: SError: { Handshk }\n");
	pair_run(&pair, &kind_disk_links, false, NULL, &result);
	cr_expect_eq(pair_verdict(&result, "nothing-recorded", "ports"), VERDICT_SKIP);
	cr_expect_eq(pair_verdict(&result, "nothing-recorded", "link speeds"), VERDICT_SKIP);
	cr_expect_eq(pair_verdict(&result, "nothing-recorded", "CRC errors"), VERDICT_SKIP);
	cr_expect_eq(pair_verdict(&result, "slower-than-possible", "port 2 of 0000:00:1f.2"),
		     VERDICT_WARN);
	cr_expect_eq(pair_verdict(&result, "link-errors", "port 1 of 0000:00:1f.2"), VERDICT_WARN);
}

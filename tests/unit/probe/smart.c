/* SPDX-License-Identifier: MIT */
#include "probe/smart.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "base/strv.h"
#include "tree.h"

#define AUTO_SMART CLEANUP(cleanup_smart) struct smart *

static struct smart *parse(const char *text)
{
	struct smart *smart = NULL;

	cr_assert_eq(smart_parse(text, strlen(text), "sda.json", &smart, NULL), 0);
	return smart;
}

/* What the real smartctl said: tests/roots/mk/smart_samples. */
static struct smart *sample(const char *name)
{
	char path[128], text[65536];
	size_t len;
	FILE *file;

	snprintf(path, sizeof(path), "tests/fuzz/corpus/smart/%s", name);
	file = fopen(path, "r");
	cr_assert_not_null(file, "%s", path);
	len = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[len] = '\0';
	return parse(text);
}

static const struct smart_attribute *attribute(const struct smart *smart, unsigned id)
{
	for (size_t i = 0; i < smart->n_attributes; i++)
		if (smart->attributes[i].id == id)
			return &smart->attributes[i];
	cr_assert_fail("no attribute %u", id);
	return NULL;
}

/* The codes of `sata_value` differ: 14 and 2 are no comparison. */
Test(smart, speeds_are_read_from_their_strings)
{
	AUTO_SMART smart = parse("{\"interface_speed\": {\n"
				 "\"max\": {\"sata_value\": 14, \"string\": \"6.0 Gb/s\"},\n"
				 "\"current\": {\"sata_value\": 2, \"string\": \"3.0 Gb/s\"}}}");

	cr_assert_eq(smart->max, 3);
	cr_assert_eq(smart->current, 2);
	cr_assert_eq(smart->max_line, 2);
	cr_assert_eq(smart->current_line, 3);
	cr_assert_eq(smart->crc_errors, -1);
	cr_assert_str_eq(smart->source, "sda.json");
	cr_assert(smart_tells_link(smart));
	cr_assert_eq(smart->gap, SMART_NO_ANSWER, "a link is no health");
}

Test(smart, attributes_by_id_and_name)
{
	AUTO_SMART smart = parse(
		"{\"ata_smart_attributes\": {\"table\": [\n"
		"{\"id\": 5, \"raw\": {\"value\": 393}},\n"
		"{\"id\": 197, \"name\": \"Read_Sectors_Tot_Ct\", \"raw\": {\"value\": 7}},\n"
		"{\"id\": 197, \"name\": \"Bogus_Current_Pend_Sect\", \"raw\": {\"value\": 2}},"
		"{\"id\": 199,\n \"name\": \"UDMA_CRC_Error_Count\", \"raw\": {\n"
		"\"value\": 57}}]}}");

	cr_assert_eq(smart->reallocated, 393);
	cr_assert_eq(smart->crc_errors, 57);
	cr_assert_eq(smart->crc_line, 5);
	cr_assert_eq(attribute(smart, 199)->raw_line, 6);
	cr_assert_eq(attribute(smart, 197)->kind, SMART_OTHER, "the number alone tells nothing");
	cr_assert_eq(smart->attributes[2].kind, SMART_OTHER, "the database knows better");
	cr_assert_eq(smart->gap, SMART_TOLD);
}

/* 64 = the drive's error log has entries, 8 = it is failing: both answered. */
Test(smart, high_exit_bits_leave_the_facts_sound)
{
	AUTO_SMART smart = parse("{\"smartctl\": {\"exit_status\": 72}, "
				 "\"interface_speed\": {\"max\": {\"string\": \"6.0 Gb/s\"}}}");

	cr_assert_eq(smart->max, 3);
	cr_assert_eq(smart->exit_status, SMART_EXIT_FAILING | 64);
	cr_assert_eq(smart->gap, SMART_TOLD, "failing is a verdict");
}

Test(smart, a_drive_that_sleeps_told_nothing)
{
	AUTO_SMART smart = parse("{\"smartctl\": {\"exit_status\": 2, \"messages\": "
				 "[{\"string\": \"Device is in STANDBY mode, exit(2)\", "
				 "\"severity\": \"information\"}]}}");

	cr_assert_not(smart_tells_link(smart));
	cr_assert_eq(smart->gap, SMART_ASLEEP);
	cr_assert_str_eq(smart->why_not, "Device is in STANDBY mode, exit(2)");
	cr_assert_not_null(smart->remedy);
}

Test(smart, switched_off_is_not_the_same_as_absent)
{
	AUTO_SMART off = parse("{\"smart_support\": {\"available\": true, \"enabled\": false}}");
	AUTO_SMART absent =
		parse("{\"smart_support\": {\"available\": false, \"enabled\": false}}");

	cr_assert_eq(off->gap, SMART_SWITCHED_OFF);
	cr_assert_eq(absent->gap, SMART_NO_ANSWER);
}

Test(smart, wrong_types_are_not_told)
{
	AUTO_SMART smart = parse("{\"interface_speed\": [1], \"smartctl\": 3, \"smart_status\": "
				 "{\"passed\": \"yes\"}, \"nvme_smart_health_information_log\": 7, "
				 "\"ata_smart_attributes\": {\"table\": [1, {\"id\": \"199\"}, "
				 "{\"id\": 199, \"raw\": {\"value\": \"57\"}}, {\"id\": 999}]}}");

	cr_assert_eq(smart->max, 0);
	cr_assert_eq(smart->crc_errors, -1);
	cr_assert_eq(smart->passed, -1);
	cr_assert_not(smart->nvme.told);
	cr_assert_eq(smart->n_attributes, 1);
}

Test(smart, no_document_is_an_error)
{
	struct smart *smart = NULL;

	cr_assert_lt(smart_parse("{", 1, "sda.json", &smart, NULL), 0);
	cr_assert_null(smart);
}

/* Hours as "31628h+00m+31.628s", three counts in one word, temperatures with their extremes. */
Test(smart, raw_values_that_pack_several_numbers)
{
	AUTO_SMART smart = sample("seagate-packed");

	cr_assert_eq(attribute(smart, 9)->raw, 135841225669516);
	cr_assert_eq(attribute(smart, 9)->count, 31628);
	cr_assert_eq(attribute(smart, 188)->raw, 4295032833);
	cr_assert_eq(attribute(smart, 188)->count, 1);
	cr_assert(attribute(smart, 188)->packed);
	cr_assert_eq(attribute(smart, 194)->count, 36);
	cr_assert_not(attribute(smart, 1)->packed);
	cr_assert_eq(smart->crc_errors, 3);
	cr_assert_eq(smart->hours, 31628);
	cr_assert_eq(smart->celsius, 36);
	cr_assert_eq(smart->passed, 1);
	cr_assert(smart_tells_link(smart), "4 = one log could not be read");
}

Test(smart, a_count_too_large_is_words_even_without_a_string)
{
	AUTO_SMART smart = parse("{\"ata_smart_attributes\": {\"table\": [{\"id\": 5, \"raw\": "
				 "{\"value\": 8590000130}}]}}");

	cr_assert_eq(smart->reallocated, 2);
}

Test(smart, a_failing_drive)
{
	AUTO_SMART smart = sample("seagate-failing");

	cr_assert_eq(smart->passed, 0);
	cr_assert(smart->exit_status & SMART_EXIT_FAILING);
	cr_assert(attribute(smart, 5)->failing_now);
	cr_assert(attribute(smart, 5)->prefailure);
	cr_assert_gt(smart->passed_line, 0);
}

/* Names of the database, not numbers: 173, 177, 202, 231 of a drive that it does not know. */
Test(smart, wear_by_name)
{
	AUTO_SMART worn = sample("crucial-worn");
	AUTO_SMART nameless = sample("nameless-numbers");

	cr_assert_eq(attribute(worn, 202)->kind, SMART_WEAR);
	cr_assert_eq(attribute(worn, 202)->value, 5);
	cr_assert_eq(attribute(worn, 197)->kind, SMART_OTHER, "an MX500 counts 1 and 0 in turn");
	for (size_t i = 0; i < nameless->n_attributes; i++)
		cr_assert_neq(nameless->attributes[i].kind, SMART_WEAR, "%s",
			      nameless->attributes[i].name);
}

Test(smart, no_drive_no_answer)
{
	static const char *const names[] = { "no-drive", "no-nvme", "no-bridge", "no-raid" };

	for (size_t i = 0; i < ELEMENTS(names); i++) {
		AUTO_SMART smart = sample(names[i]);

		cr_assert_eq(smart->gap, SMART_NO_ANSWER, "%s", names[i]);
		cr_assert_not(smart_tells_link(smart));
		cr_assert_not(smart->lined);
	}
}

Test(smart, nvme_and_scsi)
{
	AUTO_SMART nvme = parse("{\"smart_status\": {\"passed\": true},\n"
				"\"nvme_smart_health_information_log\": {\n"
				"\"critical_warning\": 4, \"available_spare\": 100,\n"
				"\"percentage_used\": 97, \"media_errors\": 0,\n"
				"\"power_on_hours\": 3191}}");
	AUTO_SMART scsi = parse("{\"scsi_grown_defect_list\": 4,\n"
				"\"scsi_error_counter_log\": {\"read\": {\n"
				"\"total_uncorrected_errors\": 3}},\n"
				"\"endurance_used\": {\"current_percent\": 12}}");

	cr_assert_eq(nvme->nvme.critical_warning.n, 4);
	cr_assert_eq(nvme->nvme.used.line, 4);
	cr_assert_eq(nvme->nvme.spare_threshold.n, -1);
	cr_assert_eq(nvme->hours, 3191);
	cr_assert_eq(scsi->scsi.grown_defects.n, 4);
	cr_assert_eq(scsi->scsi.uncorrected[0].n, 3);
	cr_assert_eq(scsi->scsi.uncorrected[0].line, 3);
	cr_assert_eq(scsi->scsi.uncorrected[1].n, -1);
	cr_assert_eq(scsi->scsi.used.n, 12);
	cr_assert_eq(scsi->gap, SMART_TOLD);
}

Test(smart, the_newest_self_test_counts)
{
	AUTO_SMART failed =
		parse("{\"ata_smart_self_test_log\": {\"standard\": {\"table\": [{\"status\": {\n"
		      "\"string\": \"Completed: read failure\", \"passed\": false}},\n"
		      "{\"status\": {\"passed\": true}}]}}}");
	AUTO_SMART mended =
		parse("{\"ata_smart_self_test_log\": {\"standard\": {\"table\": [{\"status\": "
		      "{\"passed\": true}}, {\"status\": {\"passed\": false}}]}}}");

	cr_assert_str_eq(failed->self_test, "Completed: read failure");
	cr_assert_eq(failed->self_test_line, 2);
	cr_assert_null(mended->self_test);
}

Test(smart, gaps_of_a_capture)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	AUTO_TREE tree = tree_new();
	AUTO_SMART absent = NULL;
	AUTO_SMART denied = NULL;
	AUTO_SMART broken = NULL;

	tree_file(&tree, "coldswap/smart/sdc.json", "{\"smartctl\":");
	tree_file(&tree, "coldswap/unreadable.tsv", "/coldswap/smart/sdb.json\tEACCES\n");
	cr_assert_eq(host_open(tree.root, &host, NULL), 0);
	cr_assert_eq(smart_load(host, "sda", &absent, NULL), 0);
	cr_assert_eq(smart_load(host, "sdb", &denied, NULL), 0);
	cr_assert_eq(smart_load(host, "sdc", &broken, NULL), 0);
	cr_expect_eq(absent->gap, SMART_NOT_CAPTURED);
	cr_expect_eq(denied->gap, SMART_NEEDS_ROOT);
	cr_expect_eq(broken->gap, SMART_BROKEN);
	cr_expect_null(absent->source);
	cr_expect_not_null(absent->why_not);
}

Test(smart, drives_behind_a_controller)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	AUTO_TREE tree = tree_new();
	AUTO_STRV char **captured = NULL, **members = NULL;

	tree_file(&tree, "coldswap/smart/sda-megaraid0.json", "{}");
	tree_file(&tree, "coldswap/smart/sda-megaraid1.json", "{}");
	tree_file(&tree, "coldswap/smart/sda.json", "{}");
	tree_file(&tree, "coldswap/smart/sdab-megaraid1.json", "{}");
	cr_assert_eq(host_open(tree.root, &host, NULL), 0);
	cr_assert_eq(smart_captured_members(host, &captured, NULL), 0);
	cr_assert_eq(strv_length(captured), 3);
	cr_assert_eq(smart_members_of(captured, "sda", &members, NULL), 0);
	cr_assert_eq(strv_length(members), 2);
	cr_assert_str_eq(members[1], "sda-megaraid1");
}

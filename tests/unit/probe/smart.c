/* SPDX-License-Identifier: MIT */
#include "probe/smart.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

static struct smart_link parse(const char *text)
{
	struct smart_link link;

	cr_assert_eq(smart_link_parse(text, strlen(text), "sda.json", &link, NULL), 0);
	return link;
}

/* The codes of `sata_value` differ: 14 and 2 are no comparison. */
Test(smart, speeds_are_read_from_their_strings)
{
	CLEANUP(smart_link_done)
	struct smart_link link =
		parse("{\"interface_speed\": {\n"
		      "\"max\": {\"sata_value\": 14, \"string\": \"6.0 Gb/s\"},\n"
		      "\"current\": {\"sata_value\": 2, \"string\": \"3.0 Gb/s\"}}}");

	cr_assert_eq(link.max, 3);
	cr_assert_eq(link.current, 2);
	cr_assert_eq(link.max_line, 2);
	cr_assert_eq(link.current_line, 3);
	cr_assert_eq(link.crc_errors, -1);
	cr_assert_str_eq(link.source, "sda.json");
}

Test(smart, attributes_by_id)
{
	CLEANUP(smart_link_done)
	struct smart_link link = parse("{\"ata_smart_attributes\": {\"table\": [\n"
				       "{\"id\": 5, \"raw\": {\"value\": 393}},\n"
				       "{\"id\": 199, \"raw\": {\"value\": 57}}]}}");

	cr_assert_eq(link.reallocated, 393);
	cr_assert_eq(link.crc_errors, 57);
	cr_assert_eq(link.crc_line, 3);
}

/* 64 = the drive's error log has entries, 8 = it is failing: both answered. */
Test(smart, high_exit_bits_leave_the_facts_sound)
{
	CLEANUP(smart_link_done)
	struct smart_link link =
		parse("{\"smartctl\": {\"exit_status\": 72}, "
		      "\"interface_speed\": {\"max\": {\"string\": \"6.0 Gb/s\"}}}");

	cr_assert_eq(link.max, 3);
	cr_assert_not_null(link.source);
}

Test(smart, low_exit_bits_mean_nothing_was_told)
{
	CLEANUP(smart_link_done)
	struct smart_link link = parse("{\"smartctl\": {\"exit_status\": 2, \"messages\": "
				       "[{\"string\": \"Device is in STANDBY mode\"}]}}");

	cr_assert_null(link.source);
	cr_assert_str_eq(link.why_not, "Device is in STANDBY mode");
	cr_assert_not_null(link.remedy);
}

Test(smart, wrong_types_are_not_told)
{
	CLEANUP(smart_link_done)
	struct smart_link link = parse("{\"interface_speed\": [1], \"ata_smart_attributes\": "
				       "{\"table\": [1, {\"id\": \"199\"}, {\"id\": 199, "
				       "\"raw\": {\"value\": \"57\"}}]}}");

	cr_assert_eq(link.max, 0);
	cr_assert_eq(link.crc_errors, -1);
}

Test(smart, no_document_is_an_error)
{
	struct smart_link link;

	cr_assert_lt(smart_link_parse("{", 1, "sda.json", &link, NULL), 0);
	smart_link_done(&link);
}

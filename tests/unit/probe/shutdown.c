/* SPDX-License-Identifier: MIT */
#include "probe/shutdown.h"

#include <criterion/criterion.h>
#include <string.h>

#define START "[    0.000000] Linux version 6.1.0-35-amd64 (x@y) #1 SMP\n"

static struct shutdown *parse(const char *text)
{
	struct shutdown *shutdown = NULL;

	cr_assert_eq(shutdown_parse(text, strlen(text), "log", &shutdown, NULL), 0);
	return shutdown;
}

Test(shutdown, a_log_without_marks_is_a_clean_one)
{
	CLEANUP(cleanup_shutdown)
	struct shutdown *shutdown =
		parse(START "[    4.4] EXT4-fs (sdb2): mounted filesystem with ordered data mode.\n"
			    "[    4.5] EXT4-fs (sdb2): orphan cleanup on readonly fs\n"
			    "[    4.6] FAT-fs (sda1): Volume was not properly unmounted.\n"
			    "[    4.7] usb 1-1: recovery complete\n");

	cr_expect(shutdown->from_start);
	cr_expect_eq(shutdown->n, 0);
}

Test(shutdown, each_form_of_a_recovery_is_a_mark_with_its_line)
{
	CLEANUP(cleanup_shutdown)
	struct shutdown *shutdown = parse(
		START "[    4.1] EXT4-fs (sda1): recovery complete\n"
		      "[    4.2] EXT4-fs (sda2): INFO: recovery required on readonly filesystem\n"
		      "[    4.3] XFS (dm-0): Starting recovery (logdev: internal)\n"
		      "[    4.4] BTRFS info (device sdb1): start tree-log replay\n"
		      "[    4.5] md/raid1:md0: not clean -- starting background reconstruction\n"
		      "[    4.6] systemd-journald[311]: File /var/log/journal/x/system.journal "
		      "corrupted or uncleanly shut down, renaming and replacing.");

	cr_assert_eq(shutdown->n, 6);
	cr_expect_eq(shutdown->marks[0].line, 2);
	cr_expect_str_eq(shutdown->marks[0].text, "[    4.1] EXT4-fs (sda1): recovery complete");
	cr_expect_eq(shutdown->marks[5].line, 7);
}

Test(shutdown, only_the_last_boot_of_a_text_counts)
{
	CLEANUP(cleanup_shutdown)
	struct shutdown *shutdown = parse("Nov 30 10:00:00 h kernel: Linux version 6.1\n"
					  "Nov 30 10:00:01 h kernel: EXT4-fs (sda1): recovery "
					  "complete\n"
					  "Nov 30 11:00:00 h kernel: Linux version 6.1\n");

	cr_expect_eq(shutdown->n, 0);
}

Test(shutdown, a_log_that_lost_its_start_says_so)
{
	CLEANUP(cleanup_shutdown)
	struct shutdown *shutdown = parse("[    4.1] xLinux version 6.1\n[    4.2] sd 0:0:0:0: ok");

	cr_expect_not(shutdown->from_start);
}

Test(shutdown, marks_are_bounded)
{
	AUTO_BUF text = BUF_INIT;

	for (int i = 0; i < 1000; i++)
		buf_adds(&text, "EXT4-fs (sda1): recovery complete\n");
	CLEANUP(cleanup_shutdown) struct shutdown *shutdown = parse(buf_text(&text));
	cr_expect_eq(shutdown->n, 16);
}

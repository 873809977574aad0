/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "attr.h"
#include "sys/kmsg.h"

static void expect_record(const char *record, const char *expected)
{
	AUTO_BUF log = BUF_INIT;

	cr_expect_eq(kmsg_record(record, strlen(record), &log), 0);
	cr_expect_str_eq(buf_text(&log), expected, "%s", buf_text(&log));
}

Test(kmsg, a_record_becomes_a_line)
{
	expect_record("6,339,5140900,-;NET: Registered protocol family 10\n SUBSYSTEM=x\n",
		      "[    5.140900] NET: Registered protocol family 10\n");
	expect_record("6,0,0,-,caller=T0;Linux version 6.1\n",
		      "[    0.000000] Linux version 6.1\n");
	expect_record("4,1,123456789012,-;late", "[123456.789012] late\n");
}

Test(kmsg, escapes_are_undone_but_a_line_stays_one)
{
	expect_record("6,1,0,-;a\\x09b\\x5cx41\\xzz\n", "[    0.000000] a\tb\\x41\\xzz\n");
	expect_record("6,1,0,-;a\\x0ab\\x00\n", "[    0.000000] a\\nb\\x00\n");
	expect_record("6,1,0,-;cut\\x", "[    0.000000] cut\\x\n");
}

/* Priority 14 is LOG_USER: somebody wrote to /dev/kmsg. */
Test(kmsg, programs_cannot_pose_as_the_kernel)
{
	expect_record("14,2,1,-;ata1: SATA link up 6.0 Gbps\n", "");
	expect_record("30,2,1,-;systemd[1]: hello\n", "");
}

Test(kmsg, what_is_no_record_is_left_out)
{
	expect_record("", "");
	expect_record("6,1", "");
	expect_record("x,1,2,-;text\n", "");
	expect_record("6,1,;text\n", "");
	expect_record("6;1,2,3", "");
}

static void expect_syslog(const char *text, const char *expected)
{
	AUTO_BUF log = BUF_INIT;

	cr_expect_eq(kmsg_syslog(text, strlen(text), &log), 0);
	cr_expect_str_eq(buf_text(&log), expected, "%s", buf_text(&log));
}

Test(kmsg, the_text_of_syslog_loses_its_priorities)
{
	expect_syslog("<5>[    0.000000] Linux\n<30>[    1.0] systemd\n<6>[    2.000000] b\n",
		      "[    0.000000] Linux\n[    2.000000] b\n");
	expect_syslog("half of a line\n<6>x", "half of a line\nx\n");
	expect_syslog("", "");
	expect_syslog("<", "<\n");
}

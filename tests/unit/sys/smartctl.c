/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "sys/smartctl.h"

static int judge(const char *text, int status, struct error *err)
{
	return smartctl_judge(text, strlen(text), status, "/dev/sda", err);
}

/* Bits 3 to 7 tell of a bad disk: that is the news, not a failure to read. */
Test(smartctl, health_bits_are_an_answer)
{
	int bit;

	cr_expect_eq(judge("{\"model_name\": \"x\"}", 0, NULL), 0);
	for (bit = 2; bit < 8; bit++)
		cr_expect_eq(judge("{\"model_name\": \"x\"}", 1 << bit, NULL), 0, "bit %d", bit);
}

Test(smartctl, a_disk_that_was_not_asked_is_no_data)
{
	struct error err = ERROR_INIT;

	cr_expect_eq(judge("{\"smartctl\": {\"messages\": [{\"string\": \"No such device\"}]}}", 2,
			   &err),
		     -ENODATA);
	cr_expect_not_null(strstr(error_text(&err), "No such device"));
	cr_expect_not_null(err.hint);
	cr_expect_eq(judge("{}", 1, &err), -ENODATA);
	cr_expect_eq(judge("{\"smartctl\": {\"messages\": [{\"string\": \"Device is in STANDBY "
			   "mode, exit(2)\"}]}}",
			   2, &err),
		     -ENODATA);
	cr_expect_not_null(strstr(err.hint, "wake"));
	error_done(&err);
}

Test(smartctl, what_is_no_json_is_no_data)
{
	struct error err = ERROR_INIT;

	cr_expect_eq(judge("", 0, &err), -ENODATA);
	cr_expect_not_null(err.hint);
	cr_expect_eq(judge("smartctl 6.5: unknown option", 1, &err), -ENODATA);
	cr_expect_eq(judge("{\"a\": 1", 0, &err), -ENODATA);
	error_done(&err);
}

/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "sys/smartctl.h"

static int judge(const char *text, struct error *err)
{
	return smartctl_judge(text, strlen(text), "/dev/sda", err);
}

/* A bad disk, a disk asleep, no such disk: the document says so by itself. */
Test(smartctl, its_own_document_is_an_answer)
{
	cr_expect_eq(judge("{\"smartctl\": {\"exit_status\": 0}}", NULL), 0);
	cr_expect_eq(judge("{\"smartctl\": {\"exit_status\": 2, \"messages\": [{\"string\": "
			   "\"Device is in STANDBY mode, exit(2)\"}]}}",
			   NULL),
		     0);
}

Test(smartctl, what_is_no_json_of_its_is_no_data)
{
	struct error err = ERROR_INIT;

	cr_expect_eq(judge("", &err), -ENODATA);
	cr_expect_not_null(err.hint);
	cr_expect_eq(judge("smartctl 6.5: unknown option", &err), -ENODATA);
	cr_expect_eq(judge("{\"a\": 1", &err), -ENODATA);
	cr_expect_eq(judge("{\"a\": 1}", &err), -ENODATA);
	cr_expect_eq(judge("[]", &err), -ENODATA);
	error_done(&err);
}

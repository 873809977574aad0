/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <criterion/criterion.h>

Test(report, warnings_are_allowed_and_unknown_blocks)
{
	cr_expect_eq(exit_code_of(VERDICT_SKIP), 0);
	cr_expect_eq(exit_code_of(VERDICT_PASS), 0);
	cr_expect_eq(exit_code_of(VERDICT_WARN), 0);
	cr_expect_eq(exit_code_of(VERDICT_UNKNOWN), 3);
	cr_expect_eq(exit_code_of(VERDICT_FAIL), 1);
}

/* 4, 2, 1, 3, 0: the numbers themselves are in no order. */
Test(report, the_worse_exit_code_wins)
{
	cr_expect_eq(exit_code_worse(1, 3), 1);
	cr_expect_eq(exit_code_worse(3, 1), 1);
	cr_expect_eq(exit_code_worse(3, 0), 3);
	cr_expect_eq(exit_code_worse(1, 2), 2);
	cr_expect_eq(exit_code_worse(4, 2), 4);
	cr_expect_eq(exit_code_worse(0, 0), 0);
	/* 4, 2, 12, 11, 1, 3, 10, 0 */
	cr_expect_eq(exit_code_worse(12, 2), 2);
	cr_expect_eq(exit_code_worse(11, 12), 12);
	cr_expect_eq(exit_code_worse(1, 11), 11);
	cr_expect_eq(exit_code_worse(10, 3), 3);
	cr_expect_eq(exit_code_worse(0, 10), 10);
	cr_expect_eq(exit_code_worse(130, 4), 130);
	cr_expect_eq(exit_code_worse(0, 143), 143);
}

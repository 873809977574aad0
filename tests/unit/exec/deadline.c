/* SPDX-License-Identifier: MIT */
#include "exec/turn.h"

#include "world_made.h"

Test(deadline, what_is_late_proves_nothing_but_of_an_action_its_verify)
{
	static struct made made;
	AUTO_REPORT_STEP late = { 0 };

	made_init(&made);
	made_step(&made, 0, &made_check);
	made.steps[0].timeout_us = 1;
	made.things[0].wait_us = 2000;
	cr_assert_eq(turn_run(&made.executor, 0, &late), 0);
	cr_expect_eq(late.result.verdict, VERDICT_UNKNOWN);
	report_step_done(&late);
	made_step(&made, 0, &made_action);
	made.steps[0].timeout_us = 1;
	cr_assert_eq(turn_run(&made.executor, 0, &late), 0);
	cr_expect_eq(late.result.verdict, VERDICT_PASS);
	report_step_done(&late);
	made_step(&made, 0, &made_gate);
	made.steps[0].timeout_us = 1;
	cr_assert_eq(turn_run(&made.executor, 0, &late), 0);
	cr_expect_eq(late.result.verdict, VERDICT_PASS, "a human is waited for");
	made_done(&made);
}

/* SPDX-License-Identifier: MIT */
#include "exec/cables.h"

#include "world_made.h"

static const struct kind made_links = { MADE_KIND, .name = "made.links", .class = KIND_CHECK,
					.flags = KIND_AFTER | KIND_CABLES };
static const struct kind made_power = { MADE_KIND, .name = "made.power", .class = KIND_GATE,
					.flags = KIND_BOUNDARY };

static struct made made;

/* An action before the boundary, one that is kept, and links that fail after it. */
static void setup(void)
{
	made_init(&made);
	made_step(&made, 0, &made_action);
	made_step(&made, 1, &made_action);
	made_step(&made, 2, &made_power);
	made_step(&made, 3, &made_links);
	made_step(&made, 4, &made_restore);
	made.steps[1].keep = true;
	made.steps[4].restores = 0;
	for (size_t i = 0; i < 3; i++) {
		made.executor.steps[i].state = STEP_DONE;
		made.executor.steps[i].result.verdict = VERDICT_PASS;
		made.things[i].changed = true;
	}
	made.plan.boundary = 2;
	made.executor.after = true;
	made.things[3].verdict = VERDICT_FAIL;
}

static void teardown(void)
{
	made_done(&made);
}

TestSuite(cables, .init = setup, .fini = teardown);

Test(cables, kept_as_they_are_everything_is_restored_and_the_session_differs)
{
	made.answers[0] = "keep";
	cr_expect_eq(loop_run(&made.executor, NULL), 1);
	EXPECT_EVENTS(&made, "outcome s3, stopped, undo-intent s0, undo-outcome s0, closed");
	cr_expect_eq(made.things[0].changed, false);
	cr_expect_eq(made.things[1].changed, true, "the runbook keeps it");
	cr_expect_eq(made.end.exit_code, EXIT_CHECK_FAILED);
	cr_expect_null(made.end.next);
}

Test(cables, kept_and_not_restored_the_session_stays_open)
{
	made.answers[0] = "keep";
	made.things[0].stuck = true;
	cr_expect_eq(loop_run(&made.executor, NULL), 1);
	EXPECT_EVENTS(&made, "outcome s3, stopped, undo-intent s0, undo-outcome s0, stopped");
	cr_expect_eq(made.end.exit_code, EXIT_SYSTEM);
	cr_expect_not_null(made.end.next);
}

Test(cables, without_an_answer_the_failure_stands)
{
	made.answer_codes[0] = -ECANCELED;
	cr_expect_eq(loop_run(&made.executor, NULL), 1);
	EXPECT_EVENTS(&made, "outcome s3, stopped");
	cr_expect_eq(made.end.exit_code, EXIT_CHECK_FAILED);
	cr_expect_eq(made.things[0].changed, true);
}

Test(cables, only_a_failure_of_the_links_after_the_work_is_the_cables)
{
	made.things[3].verdict = VERDICT_UNKNOWN;
	cr_expect_eq(loop_run(&made.executor, NULL), 1);
	cr_expect_eq(made.n_asked, 0);
	cr_expect_eq(made.end.exit_code, EXIT_NOT_KNOWN);
}

Test(cables, right_ones_are_gone_on_with)
{
	made.things[3].verdict = VERDICT_PASS;
	cr_expect_eq(loop_run(&made.executor, NULL), 0);
	EXPECT_EVENTS(&made, "outcome s3, intent s4, undo-intent s0, undo-outcome s0, outcome s4");
}

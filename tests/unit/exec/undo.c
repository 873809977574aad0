/* SPDX-License-Identifier: MIT */
#include "exec/undo.h"

#include "world_made.h"

static struct made made;

static void setup(void)
{
	made_init(&made);
}

static void teardown(void)
{
	made_done(&made);
}

TestSuite(undo, .init = setup, .fini = teardown);

static void done(size_t i, enum step_state state)
{
	made_step(&made, i, &made_action);
	made.executor.steps[i].state = state;
	made.executor.steps[i].result.verdict = VERDICT_PASS;
	made.things[i].changed = true;
}

Test(undo, everything_that_was_begun_is_taken_back_newest_first)
{
	size_t left = 9;

	done(0, STEP_DONE);
	made_step(&made, 1, &made_check);
	made.executor.steps[1].state = STEP_DONE;
	done(2, STEP_INTENDED);
	done(3, STEP_FAILED);
	done(4, STEP_UNDONE);
	made_step(&made, 5, &made_action);
	cr_expect_eq(undo_all(&made.executor, true, &left, NULL), 0);
	cr_expect_eq(left, 0);
	EXPECT_EVENTS(&made, "undo-intent s3, undo-outcome s3, undo-intent s2, undo-outcome s2, "
			     "undo-intent s0, undo-outcome s0");
	cr_expect_eq(made.things[4].undos, 0, "it is taken back already");
	cr_expect_eq(made.things[5].undos, 0, "it was never begun");
}

Test(undo, one_that_fails_is_told_and_the_others_go_on)
{
	size_t left = 0;

	done(0, STEP_DONE);
	done(1, STEP_DONE);
	made.things[1].stuck = true;
	cr_expect_eq(undo_all(&made.executor, true, &left, NULL), 0);
	cr_expect_eq(left, 1);
	cr_expect_eq(made.things[0].changed, false);
	cr_expect_eq(made.executor.steps[0].state, STEP_UNDONE);
	cr_expect_eq(made.executor.steps[1].state, STEP_DONE);
}

Test(undo, what_the_runbook_keeps_is_taken_back_by_abort_alone)
{
	size_t left = 9;

	done(0, STEP_DONE);
	made.steps[0].keep = true;
	cr_expect_eq(undo_all(&made.executor, false, &left, NULL), 0);
	cr_expect_eq(made.things[0].undos, 0);
	cr_expect_eq(undo_all(&made.executor, true, &left, NULL), 0);
	cr_expect_eq(made.things[0].undos, 1);
}

Test(undo, what_cannot_be_proved_is_not_taken_back)
{
	size_t left = 0;

	done(0, STEP_DONE);
	made.things[0].blind = true;
	cr_expect_eq(undo_all(&made.executor, true, &left, NULL), 0);
	cr_expect_eq(left, 1);
	cr_expect_eq(made.things[0].undos, 1, "it is tried all the same");
}

Test(undo, what_is_as_before_already_is_left_alone)
{
	size_t left = 9;

	done(0, STEP_DONE);
	made.things[0].changed = false;
	cr_expect_eq(undo_all(&made.executor, true, &left, NULL), 0);
	cr_expect_eq(left, 0);
	cr_expect_eq(made.things[0].undos, 0);
	cr_expect_eq(made.executor.steps[0].state, STEP_UNDONE);
}

Test(undo, a_step_that_found_nothing_to_do_has_nothing_to_take_back)
{
	size_t left = 9;

	done(0, STEP_DONE);
	made.executor.steps[0].result.verdict = VERDICT_SKIP;
	cr_expect_eq(undo_all(&made.executor, true, &left, NULL), 0);
	cr_expect_eq(left, 0);
	EXPECT_EVENTS(&made, "");
}

/* SPDX-License-Identifier: MIT */
#include "exec/loop.h"

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

TestSuite(loop, .init = setup, .fini = teardown);

/* A new call goes on with what the journal says. */
static void another_call(void)
{
	for (size_t i = 0; i < MADE_STEPS; i++)
		made.executor.renewed[i] = false;
	made.executor.signal = 0;
	made.cancelled = 0;
	session_end_done(&made.end);
}

Test(loop, an_action_is_intended_run_proved_and_recorded)
{
	made_step(&made, 0, &made_check);
	made_step(&made, 1, &made_action);
	cr_expect_eq(loop_run(&made.executor, NULL), 0);
	EXPECT_EVENTS(&made, "outcome s0, intent s1, outcome s1");
	cr_expect_eq(made.things[1].runs, 1);
	cr_expect_eq(made.things[1].verifies, 1);
	cr_expect_eq(made.executor.steps[1].state, STEP_DONE);
}

Test(loop, a_failed_check_stops_before_anything_is_changed)
{
	made_step(&made, 0, &made_check);
	made_step(&made, 1, &made_action);
	made.things[0].verdict = VERDICT_FAIL;
	cr_expect_eq(loop_run(&made.executor, NULL), 1);
	EXPECT_EVENTS(&made, "outcome s0, stopped");
	cr_expect_eq(made.things[1].runs, 0);
	cr_expect_eq(made.end.exit_code, EXIT_CHECK_FAILED);
	cr_expect(strstr(made.end.next, "coldswap resume"));
}

Test(loop, unknown_blocks_unless_it_was_accepted)
{
	struct acceptance accepted = { .finding = strdup("made.check/one"),
				       .subject = strdup("subject"),
				       .because = strdup("b") };

	made_step(&made, 0, &made_check);
	made.things[0].verdict = VERDICT_UNKNOWN;
	cr_expect_eq(loop_run(&made.executor, NULL), 1);
	cr_expect_eq(made.end.exit_code, EXIT_NOT_KNOWN);
	/* The kind is not in the registry, so nothing of it can be accepted. */
	made.executor.accepted = malloc(sizeof(accepted));
	*made.executor.accepted = accepted;
	made.executor.n_accepted = 1;
	another_call();
	cr_expect_eq(loop_run(&made.executor, NULL), 1);
}

Test(loop, an_action_that_cannot_be_proved_is_failed)
{
	made_step(&made, 0, &made_action);
	made_step(&made, 1, &made_action);
	made.things[0].stuck = true;
	cr_expect_eq(loop_run(&made.executor, NULL), 1);
	EXPECT_EVENTS(&made, "intent s0, outcome s0, stopped");
	cr_expect_eq(made.executor.steps[0].state, STEP_FAILED);
	cr_expect_eq(made.end.exit_code, EXIT_SYSTEM);
	cr_expect_eq(made.things[1].runs, 0);
}

Test(loop, what_run_could_not_tell_the_world_tells)
{
	made_step(&made, 0, &made_action);
	made.things[0].code = -ECONNRESET;
	cr_expect_eq(loop_run(&made.executor, NULL), 0);
	cr_expect_eq(made.executor.steps[0].state, STEP_DONE);
}

Test(loop, an_intended_action_that_is_done_is_not_repeated)
{
	made_step(&made, 0, &made_action);
	made.executor.steps[0].state = STEP_INTENDED;
	made.things[0].changed = true;
	cr_expect_eq(loop_run(&made.executor, NULL), 0);
	cr_expect_eq(made.things[0].runs, 0);
	EXPECT_EVENTS(&made, "outcome s0");
	cr_expect_str_eq(made.executor.steps[0].result.summary, "It was found done.");
}

Test(loop, an_intended_action_that_is_not_done_runs_again)
{
	made_step(&made, 0, &made_action);
	made.executor.steps[0].state = STEP_INTENDED;
	cr_expect_eq(loop_run(&made.executor, NULL), 0);
	cr_expect_eq(made.things[0].runs, 1);
	EXPECT_EVENTS(&made, "intent s0, outcome s0");
}

Test(loop, an_intended_action_that_cannot_be_told_stops)
{
	made_step(&made, 0, &made_action);
	made.executor.steps[0].state = STEP_INTENDED;
	made.things[0].blind = true;
	cr_expect_eq(loop_run(&made.executor, NULL), 1);
	cr_expect_eq(made.things[0].runs, 0);
	cr_expect_eq(made.end.exit_code, EXIT_NOT_KNOWN);
}

Test(loop, a_resume_looks_again_and_repeats_what_no_longer_holds)
{
	made_step(&made, 0, &made_volatile);
	made_step(&made, 1, &made_action);
	made_step(&made, 2, &made_check);
	made_step(&made, 3, &made_volatile);
	made_step(&made, 4, &made_action);
	cr_expect_eq(loop_run(&made.executor, NULL), 0);
	another_call();
	made.things[4].changed = false;
	cr_expect_eq(loop_run(&made.executor, NULL), 0);
	cr_expect_eq(made.things[0].runs, 1, "how the machine was found is past");
	cr_expect_eq(made.things[1].runs, 1, "an action that holds is not repeated");
	cr_expect_eq(made.things[1].verifies, 2);
	cr_expect_eq(made.things[2].runs, 1, "a check that is not volatile stays proved");
	cr_expect_eq(made.things[3].runs, 2, "a volatile one is proved again");
	cr_expect_eq(made.things[4].runs, 2, "what no longer holds is repeated");
}

Test(loop, a_restore_takes_back_what_it_names)
{
	made_step(&made, 0, &made_action);
	made_step(&made, 1, &made_restore);
	made.steps[1].restores = 0;
	cr_expect_eq(loop_run(&made.executor, NULL), 0);
	EXPECT_EVENTS(
		&made,
		"intent s0, outcome s0, intent s1, undo-intent s0, undo-outcome s0, outcome s1");
	cr_expect_eq(made.things[0].changed, false);
	another_call();
	cr_expect_eq(loop_run(&made.executor, NULL), 0);
	cr_expect_eq(made.things[0].runs, 1, "what is taken back is not done again");
}

Test(loop, a_restore_that_is_not_proved_is_failed)
{
	made_step(&made, 0, &made_action);
	made_step(&made, 1, &made_restore);
	made.steps[1].restores = 0;
	made.executor.steps[0].state = STEP_DONE;
	made.executor.steps[0].result.verdict = VERDICT_PASS;
	made.executor.renewed[0] = true;
	made.things[0].changed = made.things[0].stuck = true;
	cr_expect_eq(loop_run(&made.executor, NULL), 1);
	cr_expect_eq(made.executor.steps[1].state, STEP_FAILED);
	cr_expect_neq(made.executor.steps[0].state, STEP_UNDONE);
	cr_expect_eq(made.end.exit_code, EXIT_SYSTEM);
}

Test(loop, a_gate_without_a_terminal_waits)
{
	made_step(&made, 0, &made_gate);
	made.things[0].ask = "yes";
	cr_expect_eq(loop_run(&made.executor, NULL), 1);
	EXPECT_EVENTS(&made, "stopped");
	cr_expect_eq(made.end.exit_code, EXIT_WAITING);
	another_call();
	made.answers[1] = "yes";
	cr_expect_eq(loop_run(&made.executor, NULL), 0);
	cr_expect_eq(made.executor.steps[0].state, STEP_DONE);
}

Test(loop, a_terminal_that_goes_away_stops_with_words_for_the_next_one)
{
	made_step(&made, 0, &made_gate);
	made.things[0].ask = "yes";
	made.answer_codes[0] = -EIO;
	cr_expect_eq(loop_run(&made.executor, NULL), 1);
	EXPECT_EVENTS(&made, "stopped");
	cr_expect_eq(made.end.exit_code, EXIT_WAITING);
	cr_expect(strstr(made.end.summary, "terminal went away"));
}

Test(loop, an_interrupted_check_proves_nothing_and_runs_again)
{
	made_step(&made, 0, &made_check);
	made.things[0].stop = &made.cancelled;
	cr_expect_eq(loop_run(&made.executor, NULL), 1);
	EXPECT_EVENTS(&made, "stopped");
	cr_expect_eq(made.end.exit_code, 130);
	another_call();
	made.things[0].stop = NULL;
	cr_expect_eq(loop_run(&made.executor, NULL), 0);
	cr_expect_eq(made.things[0].runs, 2);
}

Test(loop, an_interrupted_action_is_finished)
{
	made_step(&made, 0, &made_action);
	made_step(&made, 1, &made_action);
	made.things[0].stop = &made.cancelled;
	cr_expect_eq(loop_run(&made.executor, NULL), 1);
	EXPECT_EVENTS(&made, "intent s0, outcome s0, stopped");
	cr_expect_eq(made.things[0].undos, 0);
	cr_expect_eq(made.things[1].runs, 0);
	cr_expect_eq(made.end.exit_code, 130);
}

Test(loop, an_action_stopped_half_way_is_taken_back)
{
	made_step(&made, 0, &made_action);
	made.things[0].stop = &made.cancelled;
	made.things[0].code = -ECANCELED;
	made.things[0].stuck = true;
	cr_expect_eq(loop_run(&made.executor, NULL), 1);
	EXPECT_EVENTS(&made, "intent s0, outcome s0, undo-intent s0, undo-outcome s0, stopped");
	cr_expect_eq(made.executor.steps[0].state, STEP_UNDONE);
	cr_expect_eq(made.end.exit_code, 130);
	another_call();
	made.things[0].stop = NULL;
	made.things[0].code = 0;
	made.things[0].stuck = false;
	cr_expect_eq(loop_run(&made.executor, NULL), 0);
	cr_expect_eq(made.things[0].changed, true);
}

Test(loop, by_step_each_one_is_asked_for)
{
	made_step(&made, 0, &made_check);
	made_step(&made, 1, &made_check);
	made.args.by_step = true;
	made.answers[0] = "yes";
	made.answer_codes[1] = -ECANCELED;
	cr_expect_eq(loop_run(&made.executor, NULL), 1);
	cr_expect_eq(made.things[0].runs, 1);
	cr_expect_eq(made.things[1].runs, 0);
	cr_expect_eq(made.end.exit_code, EXIT_WAITING);
}

Test(loop, a_warning_is_asked_about_where_the_runbook_wants_it)
{
	made_step(&made, 0, &made_check);
	made.things[0].verdict = VERDICT_WARN;
	made.steps[0].on_warn = ON_WARN_ASK;
	made.answer_codes[0] = -ECANCELED;
	cr_expect_eq(loop_run(&made.executor, NULL), 1);
	EXPECT_EVENTS(&made, "stopped");
	another_call();
	made.answers[1] = "yes";
	cr_expect_eq(loop_run(&made.executor, NULL), 0);
	cr_expect_eq(made.things[0].runs, 2, "the warnings are looked for again");
}

Test(loop, what_is_left_out_is_recorded_with_its_reason)
{
	static char reason[] = "not here";

	made_step(&made, 0, &made_action);
	made_step(&made, 1, &made_check);
	made.steps[0].state = PLAN_SKIPPED;
	made.steps[0].reason = reason;
	made.steps[1].state = PLAN_UNKNOWN;
	made.steps[1].reason = reason;
	cr_expect_eq(loop_run(&made.executor, NULL), 1);
	EXPECT_EVENTS(&made, "outcome s0, outcome s1, stopped");
	cr_expect_eq(made.executor.steps[0].skipped, true);
	cr_expect_eq(made.things[0].runs, 0);
	cr_expect_eq(made.end.exit_code, EXIT_NOT_KNOWN);
}

/* SPDX-License-Identifier: MIT */
#include "exec/cables.h"
#include "exec/boundary.h"

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

/* ---- powered off once more ------------------------------------------------------------ */

static int power_off_again(void)
{
	AUTO_FREE char *dir = NULL;

	cr_assert_eq(statedir_directory(made.executor.dir, "1", &dir, NULL), 0);
	facts_free(made.executor.own_facts);
	host_free(made.host);
	cr_assert_eq(host_open("examples/homeserver", &made.host, NULL), 0);
	cr_assert_eq(facts_new(made.host, &made.executor.own_facts, NULL), 0);
	made.executor.facts = made.executor.own_facts;
	made.args.host = made.host;
	made.executor.identity.name = strdup("host");
	made.answers[0] = "saved";
	made.answers[1] = "host";
	return boundary_take_again(&made.executor, NULL, NULL);
}

Test(cables, what_the_boot_started_is_stopped_before_the_power_goes_again)
{
	made.things[0].changed = false;
	made.things[1].changed = true;
	cr_expect_eq(power_off_again(), 1);
	cr_expect_eq(made.things[0].runs, 1, "it had started by itself");
	cr_expect_eq(made.things[1].runs, 0, "it holds");
	cr_expect_eq(made.things[2].runs, 1, "the power went");
	cr_expect_eq(made.end.exit_code, EXIT_WAITING);
}

Test(cables, what_cannot_be_stopped_keeps_the_power_on)
{
	made.things[0].changed = false;
	made.things[0].stuck = true;
	cr_expect_eq(power_off_again(), 1);
	cr_expect_eq(made.things[2].runs, 0);
	cr_expect_neq(made.end.exit_code, EXIT_WAITING);
}

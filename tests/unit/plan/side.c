/* SPDX-License-Identifier: MIT */
/* Steps before the work and after it, and work that is past. */
#include <errno.h>

#include "plan/two_disks.h"

#define BOOK(steps) "coldswap: 1\nname: r\ntitle: T\nsteps:\n" steps
#define NET "  - id: net\n    use: net.link\n"
#define BOOT "  - id: boot\n    use: boot.happened\n"
#define UNITS "  - id: units\n    use: unit.state\n"

static struct plan *make(struct scene *scene, const char *text, const struct plan_args *args,
			 int expected)
{
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	CLEANUP(cleanup_runbook) struct runbook *runbook = NULL;
	struct plan *plan = NULL;

	cr_assert_eq(runbook_parse(text, strlen(text), "f", &runbook, &diags, NULL), 0);
	cr_assert_eq(plan_make(runbook, scene->facts, args, &plan, &diags, NULL), expected);
	return plan;
}

static struct plan *sided(struct scene *scene, enum plan_side side)
{
	const struct plan_args args = { .audit = true, .side = side };

	return make(scene, BOOK(NET BOOT UNITS), &args, 0);
}

Test(side, an_audit_leaves_out_what_stands_after_the_work)
{
	AUTO_SCENE scene = scene_new();
	CLEANUP(cleanup_plan) struct plan *plan = sided(&scene, PLAN_BEFORE);

	cr_expect_eq(plan->steps[0].state, PLAN_READY);
	cr_expect_eq(plan->steps[1].state, PLAN_SKIPPED);
	cr_expect_str_eq(plan->steps[1].reason,
			 "It stands after the work: `coldswap verify` runs it.");
	cr_expect_eq(plan->steps[2].state, PLAN_READY);
}

Test(side, a_verify_begins_with_the_first_step_after_the_work)
{
	AUTO_SCENE scene = scene_new();
	CLEANUP(cleanup_plan) struct plan *plan = sided(&scene, PLAN_AFTER);

	cr_expect_eq(plan->steps[0].state, PLAN_SKIPPED);
	cr_expect_str_eq(plan->steps[0].reason,
			 "It stands before the work: `coldswap audit` runs it.");
	cr_expect_eq(plan->steps[1].state, PLAN_READY);
	cr_expect_eq(plan->steps[2].state, PLAN_READY);
}

Test(side, a_plan_shows_all)
{
	AUTO_SCENE scene = scene_new();
	CLEANUP(cleanup_plan) struct plan *plan = sided(&scene, PLAN_WHOLE);

	for (size_t i = 0; i < 3; i++)
		cr_expect_eq(plan->steps[i].state, PLAN_READY);
}

Test(side, a_runbook_with_nothing_to_verify_is_refused)
{
	AUTO_SCENE scene = scene_new();
	const struct plan_args args = { .audit = true, .side = PLAN_AFTER };

	cr_expect_null(make(&scene, BOOK(NET UNITS), &args, -EINVAL));
}

Test(side, past_work_is_of_the_disks_of_the_earlier_capture)
{
	AUTO_SCENE now = scene_new();
	AUTO_SCENE before = scene_new();
	const struct plan_args args = { .audit = true, .side = PLAN_AFTER, .before = before.facts };
	CLEANUP(cleanup_plan)
	struct plan *plan = make(&now,
				 "coldswap: 1\nname: r\ntitle: T\nwork:\n"
				 "  - exchange: [AAA1, BBB2]\nsteps:\n" BOOT,
				 &args, 0);
	const struct blocks *blocks;

	cr_assert_eq(facts_blocks(before.facts, &blocks, NULL), 0);
	cr_assert_eq(plan->work->n, 1);
	cr_expect_eq(plan->work->ops[0].disk, blocks_by_name(blocks, "sda"));
}

Test(side, past_work_that_nobody_named_is_none)
{
	AUTO_SCENE now = scene_new();
	AUTO_SCENE before = scene_new();
	const struct plan_args with = { .audit = true, .side = PLAN_AFTER, .before = before.facts };
	const struct plan_args without = { .audit = true, .side = PLAN_AFTER };
	CLEANUP(cleanup_plan) struct plan *compared = make(&now, BOOK(BOOT), &with, 0);
	CLEANUP(cleanup_plan) struct plan *alone = make(&now, BOOK(BOOT), &without, 0);

	cr_expect_eq(compared->work->n, 0);
	cr_expect_str_eq(compared->notes[1], "No work was named: what moved is told, not judged.");
	cr_expect_eq(alone->work->n, 0);
	cr_expect_str_eq(alone->notes[0],
			 "Nothing was recorded before: the present state alone is judged.");
}

Test(side, a_past_power_cycle_is_work_too)
{
	AUTO_SCENE now = scene_new();
	AUTO_SCENE before = scene_new();
	struct plan_args args = { .audit = true, .side = PLAN_AFTER, .before = before.facts };
	CLEANUP(cleanup_plan) struct plan *named = NULL, *pinned = NULL, *unnamed = NULL;

	named = make(&now,
		     "coldswap: 1\nname: r\ntitle: T\nwork:\n  - power-cycle: true\nsteps:\n" BOOT,
		     &args, 0);
	cr_expect(named->work->meant);
	cr_expect_null(named->notes[1]);
	unnamed = make(&now, BOOK(BOOT), &args, 0);
	cr_expect(!unnamed->work->meant);
	args.work_known = true;
	pinned = make(&now, BOOK(BOOT), &args, 0);
	cr_expect(pinned->work->meant, "a session knows that nothing was to move");
}

Test(side, a_capture_that_cannot_be_read_is_named)
{
	AUTO_SCENE now = scene_new();
	AUTO_TREE empty = tree_new();
	CLEANUP(cleanup_host) struct host *host = NULL;
	CLEANUP(cleanup_facts) struct facts *facts = NULL;
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	CLEANUP(cleanup_runbook) struct runbook *runbook = NULL;
	CLEANUP(error_done) struct error err = ERROR_INIT;
	struct plan_args args = { .audit = true, .side = PLAN_AFTER };
	struct plan *plan = NULL;

	cr_assert_eq(host_open(empty.root, &host, NULL), 0);
	cr_assert_eq(facts_new(host, &facts, NULL), 0);
	args.before = facts;
	cr_assert_eq(runbook_parse(BOOK(BOOT), strlen(BOOK(BOOT)), "f", &runbook, &diags, NULL), 0);
	cr_expect_lt(plan_make(runbook, now.facts, &args, &plan, &diags, &err), 0);
	cr_expect_not_null(strstr(error_text(&err), "the earlier capture /tmp/"));
}

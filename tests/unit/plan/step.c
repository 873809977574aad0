/* SPDX-License-Identifier: MIT */
/* What waits for the outputs of earlier steps. */
#include <errno.h>

#include "plan/planner.h"
#include "plan/two_disks.h"

struct later {
	struct scene scene;
	struct plan plan;
	struct plan_step steps[2];
	struct result first;
	bool ran;
};

static const struct result *result_of(void *data, size_t index)
{
	struct later *later = data;

	cr_assert_eq(index, 0);
	return later->ran ? &later->first : NULL;
}

/* Two steps: `one`, and `two` with one parameter and a condition. */
static void later_init(struct later *later, size_t row, const char *text, const char *when)
{
	char *items[] = { strdup(text), NULL };
	struct runbook_param param = { .row = &trial_rows[row], .value = { .items = items } };
	struct runbook_step from[2] = {
		{ .id = strdup("one"), .kind = &trial_kind },
		{ .id = strdup("two"),
		  .kind = &trial_kind,
		  .params = &param,
		  .n_params = 1,
		  .when = when ? strdup(when) : NULL },
	};
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };

	*later = (struct later){ .scene = scene_new(), .ran = true };
	const struct planner planner = { .facts = later->scene.facts,
					 .plan = &later->plan,
					 .diags = &diags };

	later->plan.steps = later->steps;
	later->plan.n_steps = 2;
	for (size_t i = 0; i < 2; i++)
		cr_assert_eq(plan_step_make(&planner, &from[i], &later->steps[i], NULL), 0);
	cr_assert_eq(diags.n, 0);
	cr_expect_eq(later->steps[1].state, PLAN_READY);
	cr_expect_not_null(later->steps[1].later);
	result_init(&later->first, &trial_kind);
	free(from[0].id);
	free(from[1].id);
	free(from[1].when);
	free(items[0]);
}

static const struct plan_step *due(struct later *later)
{
	cr_assert_eq(plan_step_due(&later->plan, 1, later->scene.facts, result_of, later, NULL), 0);
	cr_expect_null(later->steps[1].later);
	return &later->steps[1];
}

static void later_done(struct later *later)
{
	plan_step_done(&later->steps[0]);
	plan_step_done(&later->steps[1]);
	result_done(&later->first);
	scene_done(&later->scene);
}
#define AUTO_LATER CLEANUP(later_done) struct later

Test(step, an_output_becomes_a_parameter)
{
	AUTO_LATER later;

	later_init(&later, 2, "1${one.count}", NULL);
	cr_expect_null(later.steps[1].params);
	result_output_int(&later.first, "count", 23);
	cr_expect_eq(due(&later)->state, PLAN_READY);
	cr_expect_eq(((const struct trial *)later.steps[1].params)->number, 123);
}

Test(step, an_output_is_pinned_as_a_disk)
{
	AUTO_LATER later;

	later_init(&later, 0, "${one.disk}", NULL);
	result_output_string(&later.first, "disk", "BBB2");
	cr_expect_eq(due(&later)->state, PLAN_READY);
	cr_expect_str_eq(((const struct trial *)later.steps[1].params)->disks[0],
			 "0x5000000000000002");
}

Test(step, an_output_of_the_wrong_sort_is_unknown)
{
	AUTO_LATER later;

	later_init(&later, 2, "${one.disk}", NULL);
	result_output_string(&later.first, "disk", "BBB2");
	cr_expect_eq(due(&later)->state, PLAN_UNKNOWN);
	cr_expect_str_eq(later.steps[1].reason,
			 "A value could not be used: number: 'BBB2' is not a whole number.");
}

Test(step, a_missing_output_is_unknown)
{
	AUTO_LATER later;

	later_init(&later, 2, "${one.count}", NULL);
	result_find(&later.first, "x", VERDICT_PASS, "x");
	cr_expect_eq(due(&later)->state, PLAN_UNKNOWN);
	cr_expect_str_eq(later.steps[1].reason, "A value could not be determined: the step 'one' "
						"did not give its output 'count'.");
}

Test(step, an_output_of_a_skipped_step_skips)
{
	AUTO_LATER later;

	later_init(&later, 2, "${one.count}", NULL);
	result_skip(&later.first, "No such thing here.");
	cr_expect_eq(due(&later)->state, PLAN_SKIPPED);
	cr_expect_str_eq(later.steps[1].reason, "It takes an output of a step that was skipped.");
}

Test(step, a_condition_on_an_output)
{
	for (int i = 0; i < 4; i++) {
		AUTO_LATER later;
		bool negated = i & 1, value = i & 2;

		later_init(&later, 1, "w", negated ? "not one.good" : "one.good");
		result_output_bool(&later.first, "good", value);
		cr_expect_eq(due(&later)->state, value != negated ? PLAN_READY : PLAN_SKIPPED);
	}
}

Test(step, a_condition_on_a_skipped_step_skips)
{
	AUTO_LATER later;

	later_init(&later, 1, "w", "one.good");
	result_skip(&later.first, "No such thing here.");
	cr_expect_eq(due(&later)->state, PLAN_SKIPPED);
}

Test(step, a_condition_without_its_output_is_unknown)
{
	AUTO_LATER later;

	later_init(&later, 1, "w", "one.good");
	result_find(&later.first, "x", VERDICT_UNKNOWN, "x");
	cr_expect_eq(due(&later)->state, PLAN_UNKNOWN);
}

Test(step, a_condition_on_a_step_that_did_not_run_is_unknown)
{
	AUTO_LATER later;

	later_init(&later, 1, "w", "not one.good");
	later.ran = false;
	cr_expect_eq(due(&later)->state, PLAN_UNKNOWN);
}

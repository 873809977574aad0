/* SPDX-License-Identifier: MIT */
#include <errno.h>

#include "plan/two_disks.h"

#define HEAD "coldswap: 1\nname: r\n"
#define VARS                                                                                       \
	"vars:\n  up: {type: disk}\n  to: {type: path, default: /srv}\n  n: {type: int, default: " \
	"3}\n"
#define STEP "  - id: a\n    use: net.link\n"

/* A sound runbook whose steps are trials; `interfaces` stands for disks, `at_least` for a number. */
static struct runbook *parse(const char *text)
{
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	AUTO_BUF errors = BUF_INIT;
	struct runbook *runbook = NULL;

	runbook_parse(text, strlen(text), "f", &runbook, &diags, NULL);
	diagnostics_print(&diags, &errors);
	cr_assert(runbook, "%s", buf_text(&errors));
	for (size_t i = 0; i < runbook->n_steps; i++) {
		struct runbook_step *step = &runbook->steps[i];

		step->kind = &trial_kind;
		for (size_t j = 0; j < step->n_params; j++)
			step->params[j].row = strcmp(step->params[j].name, "interfaces")
						      ? &trial_rows[2]
						      : &trial_rows[0];
	}
	return runbook;
}

static struct plan *make(struct scene *scene, const char *text, const struct plan_args *args)
{
	CLEANUP(cleanup_runbook) struct runbook *runbook = parse(text);
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	CLEANUP(error_done) struct error err = ERROR_INIT;
	AUTO_BUF errors = BUF_INIT;
	struct plan *plan = NULL;
	int r = plan_make(runbook, scene->facts, args, &plan, &diags, &err);

	diagnostics_print(&diags, &errors);
	cr_assert_eq(r, 0, "%s\n%s", error_text(&err), buf_text(&errors));
	return plan;
}

static void refused(const char *text, const struct plan_args *args, const char *expected)
{
	AUTO_SCENE scene = scene_new();
	CLEANUP(cleanup_runbook) struct runbook *runbook = parse(text);
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	CLEANUP(cleanup_plan) struct plan *plan = NULL;
	AUTO_BUF errors = BUF_INIT;

	cr_expect_eq(plan_make(runbook, scene.facts, args, &plan, &diags, NULL), -EINVAL);
	cr_expect_null(plan);
	diagnostics_print(&diags, &errors);
	cr_expect_str_eq(buf_text(&errors), expected);
}

Test(plan, variables_work_and_parameters)
{
	AUTO_SCENE scene = scene_new();
	char up[] = "up=BBB2", n[] = "n=7";
	char *vars[] = { up, n, NULL };
	const struct plan_args args = { .vars = vars };
	CLEANUP(cleanup_plan)
	struct plan *plan =
		make(&scene,
		     HEAD VARS "work:\n  - exchange: [AAA1, \"${up}\"]\nsteps:\n" STEP
			       "    timeout: 90s\n"
			       "    with: {interfaces: [\"${up}\", AAA1], at_least: \"1${n}\"}\n",
		     &args);
	const struct trial *trial;

	cr_expect_str_eq(plan->name, "r");
	cr_assert_eq(plan->n_vars, 3);
	cr_expect_str_eq(plan->vars[0].value, "BBB2");
	cr_expect(plan->vars[0].given);
	cr_expect_str_eq(plan->vars[1].value, "/srv");
	cr_expect_not(plan->vars[1].given);
	cr_expect_eq(plan->work->origin, WORK_GIVEN);
	cr_expect_str_eq(plan->work->ops[0].other->name, "sdb");
	cr_assert_eq(plan->n_steps, 1);
	cr_expect_eq(plan->steps[0].timeout_us, UINT64_C(90000000));
	cr_expect_str_eq(plan->steps[0].text, "try none");
	trial = plan->steps[0].params;
	cr_expect_str_eq(trial->disks[0], "0x5000000000000002");
	cr_expect_str_eq(trial->disks[1], "0x5000000000000001");
	cr_expect_eq(trial->number, 17);
	cr_expect_null(plan->notes);
}

Test(plan, without_work_a_power_cycle_and_a_note)
{
	AUTO_SCENE scene = scene_new();
	CLEANUP(cleanup_plan) struct plan *plan = make(&scene, HEAD "steps:\n" STEP, NULL);

	cr_expect_eq(plan->work->origin, WORK_POWER_CYCLE);
	cr_expect_eq(plan->work->n, 0);
	cr_assert_not_null(plan->notes);
	cr_expect(strstr(plan->notes[0], "a plain power cycle is judged"), "%s", plan->notes[0]);
}

Test(plan, a_named_power_cycle_takes_no_advice)
{
	AUTO_SCENE scene = scene_new();
	CLEANUP(cleanup_plan)
	struct plan *plan = make(&scene, HEAD "work:\n  - power-cycle: true\nsteps:\n" STEP, NULL);

	cr_expect_eq(plan->work->origin, WORK_POWER_CYCLE);
	cr_expect_null(plan->notes);
}

Test(plan, the_command_lines_work_replaces_the_runbooks)
{
	AUTO_SCENE scene = scene_new();
	CLEANUP(work_request_done)
	struct work_request request = { .type = WORK_REMOVE,
					.disk = strdup("AAA1"),
					.position = strdup("--remove") };
	const struct plan_args args = { .work = &request, .n_work = 1 };
	CLEANUP(cleanup_plan)
	struct plan *plan = make(
		&scene, HEAD "work:\n  - remove: BBB2\n  - recable: AAA1\nsteps:\n" STEP, &args);

	cr_assert_eq(plan->work->n, 1);
	cr_expect_str_eq(plan->work->ops[0].disk->name, "sda");
}

Test(plan, audit_goes_on_without_a_variable)
{
	AUTO_SCENE scene = scene_new();
	const struct plan_args args = { .audit = true };
	CLEANUP(cleanup_plan)
	struct plan *plan = make(&scene,
				 HEAD VARS "work:\n  - remove: \"${up}\"\nsteps:\n" STEP
					   "    with: {interfaces: [AAA1, \"${up}\"]}\n"
					   "  - id: b\n    use: net.link\n",
				 &args);

	cr_expect_eq(plan->steps[0].state, PLAN_SKIPPED);
	cr_expect_str_eq(plan->steps[0].reason, "The variable up was not given (--var up=...).");
	cr_expect_null(plan->steps[0].params);
	cr_expect_eq(plan->steps[1].state, PLAN_READY);
	cr_expect_eq(plan->work->origin, WORK_POWER_CYCLE);
	cr_expect_str_eq(plan->notes[0], "The work on line 8 of the runbook was left out: the "
					 "variable up was not given (--var up=...).");
}

Test(plan, what_is_wrong_with_variables)
{
	char unknown[] = "ups=AAA1", bare[] = "up", twice[] = "n=1", bad[] = "to=srv",
	     up[] = "up=AAA1";
	char *vars[] = { unknown, bare, twice, twice, bad, up, NULL };
	const struct plan_args args = { .vars = vars };

	refused(HEAD VARS "steps:\n" STEP, NULL,
		"f:4:3: the variable 'up' has no default and was not given: --var up=...\n");
	refused(HEAD VARS "steps:\n" STEP, &args,
		"--var: the runbook has no variable 'ups'; did you mean 'up'? Allowed: up, to, n\n"
		"--var: 'up' is not NAME=VALUE\n"
		"--var: 'n' is given twice\n"
		"--var to: 'srv' is not an absolute path\n");
}

Test(plan, every_wrong_parameter_has_its_place)
{
	char n[] = "n=x";
	char *vars[] = { n, NULL };
	const struct plan_args args = { .vars = vars };
	AUTO_SCENE scene = scene_new();
	CLEANUP(cleanup_runbook)
	struct runbook *runbook =
		parse(HEAD "vars:\n  n: {type: string}\nsteps:\n" STEP
			   "    with: {interfaces: [AAA2, BBB2], at_least: \"${n}\"}\n"
			   "  - id: b\n    use: net.link\n    with: {interfaces: [none]}\n");
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	CLEANUP(cleanup_plan) struct plan *plan = NULL;

	cr_assert_eq(plan_make(runbook, scene.facts, &args, &plan, &diags, NULL), -EINVAL);
	cr_assert_eq(diags.n, 3);
	cr_expect_eq(diags.items[0].at.line, 8);
	cr_expect_eq(diags.items[0].at.column, 25);
	cr_expect_str_eq(diags.items[1].message, "number: 'x' is not a whole number");
	cr_expect_eq(diags.items[1].at.column, 48);
	cr_expect_eq(diags.items[2].at.line, 11);
}

Test(plan, wrong_work_has_its_place)
{
	AUTO_SCENE scene = scene_new();
	CLEANUP(cleanup_runbook)
	struct runbook *runbook = parse(HEAD "work:\n  - exchange: [AAA1, CCC]\nsteps:\n" STEP);
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	CLEANUP(cleanup_plan) struct plan *plan = NULL;
	AUTO_BUF text = BUF_INIT;

	cr_assert_eq(plan_make(runbook, scene.facts, NULL, &plan, &diags, NULL), -EINVAL);
	diagnostics_print(&diags, &text);
	cr_expect(!strncmp(text.data, "f:4:5: ", 7), "%s", text.data);
}

Test(plan, facts_decide_at_once)
{
	AUTO_SCENE scene = scene_new();
	CLEANUP(cleanup_plan) struct plan *plan = NULL;

	tree_file(&scene.tree, "sys/firmware/efi/fw_platform_size", "64\n");
	plan = make(&scene,
		    HEAD "steps:\n" STEP "    when: efi\n"
			 "  - id: b\n    use: net.link\n    when: not efi\n",
		    NULL);
	cr_expect_eq(plan->steps[0].state, PLAN_READY);
	cr_expect_eq(plan->steps[1].state, PLAN_SKIPPED);
	cr_expect_str_eq(plan->steps[1].reason,
			 "It stands under 'when: not efi', and that is not so here.");
	cr_expect_null(plan->steps[1].later);
}

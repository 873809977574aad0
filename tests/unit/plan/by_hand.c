/* SPDX-License-Identifier: MIT */
#include <errno.h>

#include "plan/two_disks.h"

static void refused(struct scene *scene, const char *assignment, const char *expected)
{
	CLEANUP(cleanup_plan) struct plan *plan = NULL;
	CLEANUP(error_done) struct error err = ERROR_INIT;
	AUTO_FREE char *copy = strdup(assignment);
	char *assignments[] = { copy, NULL };
	int r = plan_one(&trial_kind, assignments, scene->facts, NULL, &plan, &err);

	cr_expect_eq(r, -EINVAL, "%s", assignment);
	cr_expect_str_eq(error_text(&err), expected);
	cr_expect_null(plan);
}

Test(by_hand, types_by_the_rows)
{
	AUTO_SCENE scene = scene_new();
	CLEANUP(cleanup_plan) struct plan *plan = NULL;
	char disks[] = "disks=BBB2,/dev/sda", word[] = "word=no, ${x} $${y}", yes[] = "yes=true";
	char *assignments[] = { disks, word, yes, NULL };
	const struct trial *trial;

	cr_assert_eq(plan_one(&trial_kind, assignments, scene.facts, NULL, &plan, NULL), 0);
	cr_assert_eq(plan->n_steps, 1);
	cr_expect_null(plan->name, "a step by hand has no runbook");
	cr_expect_str_eq(plan->steps[0].id, "a-trial");
	cr_expect_eq(plan->steps[0].state, PLAN_READY);
	trial = plan->steps[0].params;
	cr_assert_not_null(trial);
	cr_expect_str_eq(trial->word, "no, ${x} $${y}", "the command line is literal");
	cr_expect_str_eq(trial->disks[0], "0x5000000000000002");
	cr_expect_str_eq(trial->disks[1], "0x5000000000000001");
	cr_expect_null(trial->disks[2]);
	cr_expect(trial->yes);
	cr_expect_str_eq(plan->steps[0].text, "try no, ${x} $${y}");
	cr_assert_not_null(plan->notes);
	cr_expect(strstr(plan->notes[0], "No work was named"));
	cr_expect_str_eq(plan->notes[1],
			 "/dev/sda is a name of today; it is taken as the disk with "
			 "the key 0x5000000000000001.");
}

Test(by_hand, what_is_wrong_is_said)
{
	AUTO_SCENE scene = scene_new();

	refused(&scene, "disk=AAA1",
		"unknown parameter 'disk'; did you mean 'disks'? Allowed: disks, word, number, "
		"yes");
	refused(&scene, "word", "'word' is not KEY=VALUE");
	refused(&scene, "=x", "'=x' is not KEY=VALUE");
	refused(&scene, "yes=no", "yes: 'no' is neither 'true' nor 'false'");
	refused(&scene, "number=", "number: '' is not a whole number");
	refused(&scene, "disks=AAA1,",
		"disks: a disk is named by its serial, WWN, by-id name or a "
		"mount point on it");
}

Test(by_hand, unknown_disk_names_what_there_is)
{
	AUTO_SCENE scene = scene_new();
	CLEANUP(cleanup_plan) struct plan *plan = NULL;
	CLEANUP(error_done) struct error err = ERROR_INIT;
	char disks[] = "disks=AAA2";
	char *assignments[] = { disks, NULL };

	cr_expect_eq(plan_one(&trial_kind, assignments, scene.facts, NULL, &plan, &err), -EINVAL);
	cr_expect(strstr(error_text(&err), "AAA2"), "%s", error_text(&err));
	cr_expect(strstr(error_text(&err), "AAA1"), "%s", error_text(&err));
}

Test(by_hand, given_twice)
{
	AUTO_SCENE scene = scene_new();
	CLEANUP(cleanup_plan) struct plan *plan = NULL;
	CLEANUP(error_done) struct error err = ERROR_INIT;
	char one[] = "word=a", two[] = "word=b";
	char *assignments[] = { one, two, NULL };

	cr_expect_eq(plan_one(&trial_kind, assignments, scene.facts, NULL, &plan, &err), -EINVAL);
	cr_expect_str_eq(error_text(&err), "'word' is given twice");
}

Test(by_hand, required_parameter)
{
	static const struct param_row rows[] = {
		{ .name = "word", .type = PARAM_STRING, .required = true, .help = "A word." },
		{ 0 },
	};
	struct kind kind = trial_kind;
	AUTO_SCENE scene = scene_new();
	CLEANUP(cleanup_plan) struct plan *plan = NULL;
	CLEANUP(error_done) struct error err = ERROR_INIT;

	kind.params = rows;
	cr_expect_eq(plan_one(&kind, NULL, scene.facts, NULL, &plan, &err), -EINVAL);
	cr_expect_str_eq(error_text(&err), "a.trial needs the parameter word=string: A word.");
}

Test(by_hand, a_list_of_mappings_is_for_a_runbook)
{
	static const struct param_row keys[] = {
		{ .name = "path", .type = PARAM_PATH, .help = "Where." },
		{ 0 },
	};
	static const struct param_row rows[] = {
		{ .name = "sources",
		  .type = PARAM_ENTRIES,
		  .entry = keys,
		  .entry_size = sizeof(char *),
		  .help = "What." },
		{ 0 },
	};
	struct kind kind = trial_kind;
	AUTO_SCENE scene = scene_new();
	CLEANUP(cleanup_plan) struct plan *plan = NULL;
	CLEANUP(error_done) struct error err = ERROR_INIT;
	char given[] = "sources=/a,/b";
	char *assignments[] = { given, NULL };

	kind.params = rows;
	kind.params_size = sizeof(struct param_entries);
	cr_expect_eq(plan_one(&kind, assignments, scene.facts, NULL, &plan, &err), -EINVAL);
	cr_expect_str_eq(error_text(&err),
			 "'sources' is a list of mappings, which KEY=VALUE cannot give");
	cr_expect(err.hint && strstr(err.hint, "use: a.trial"), "%s", err.hint);
}

Test(by_hand, the_command_lines_work_is_taken)
{
	AUTO_SCENE scene = scene_new();
	CLEANUP(cleanup_plan) struct plan *plan = NULL;
	CLEANUP(work_request_done)
	struct work_request request = {
		.type = WORK_EXCHANGE,
		.disk = strdup("AAA1"),
		.other = strdup("BBB2"),
		.position = strdup("--exchange"),
	};
	const struct plan_args args = { .work = &request, .n_work = 1 };
	CLEANUP(error_done) struct error err = ERROR_INIT;

	cr_assert_eq(plan_one(&trial_kind, NULL, scene.facts, &args, &plan, &err), 0, "%s",
		     error_text(&err));
	cr_expect_eq(plan->work->origin, WORK_GIVEN);
	cr_assert_eq(plan->work->n, 1);
	cr_expect_str_eq(plan->work->ops[0].other->name, "sdb");
	cr_expect_null(plan->notes);
}

/* A host without sysfs cannot pin a disk: the step is unknown, the command no error of usage. */
Test(by_hand, unreadable_disks_are_unknown)
{
	AUTO_SCENE scene = scene_new();
	CLEANUP(cleanup_plan) struct plan *plan = NULL;
	char disks[] = "disks=sdc";
	char *assignments[] = { disks, NULL };

	add_disk(&scene.tree, "sdc", 2, "E:DEVTYPE=disk\n");
	cr_assert_eq(plan_one(&trial_kind, assignments, scene.facts, NULL, &plan, NULL), 0);
	cr_expect_eq(plan->steps[0].state, PLAN_UNKNOWN);
	cr_expect_str_eq(
		plan->steps[0].reason,
		"A value could not be determined: sdc tells no serial or WWN of its own, so "
		"it cannot be known again after the work.");
	cr_expect_null(plan->steps[0].params);
}

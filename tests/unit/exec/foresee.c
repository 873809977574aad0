/* SPDX-License-Identifier: MIT */
/* What audit and plan say of steps that are left to the session. */
#include "exec/foresee.h"

#include <criterion/criterion.h>
#include <errno.h>

#include "exec/audit.h"
#include "probe/facts.h"
#include "tree.h"

static const struct param_row no_params[] = { { 0 } };
static const struct output_row no_outputs[] = { { 0 } };
static const struct finding_row findings[] = {
	{ .id = "loose", .title = "t", .means = "m", .harm = "h", .mend = "m" }, { 0 }
};

static int never(const struct step *step, const void *params, struct result *ret, struct error *err)
{
	(void)step;
	(void)params;
	(void)ret;
	(void)err;
	cr_assert_fail("it is left to the session");
	return 0;
}

/* A process of pid 1 to 9 is in the way; 0 is nobody. */
static pid_t holder;

static int proof_foresees(const struct step *step, const void *params, struct result *ret,
			  struct error *err)
{
	const struct stoppable who = { .pid = holder };
	const char *id;
	int r;

	(void)params;
	if (!holder)
		return 0;
	r = step_stopper(step, &who, &id, err);
	if (r < 0)
		return r;
	if (r == 0) {
		result_remedy(ret, result_find(ret, "loose", VERDICT_FAIL, "pid"), "stop it");
		result_summary(ret, "held by %d, which no step ends.", (int)holder);
	} else {
		result_summary(ret, "held by %d, which '%s' ends.", (int)holder, id);
	}
	return 0;
}

static int action_foresees(const struct step *step, const void *params, struct result *ret,
			   struct error *err)
{
	(void)params;
	(void)err;
	cr_expect_null(step->services, "nothing may be changed");
	result_summary(ret, "It would copy 3 files.");
	return 0;
}

/* Each ends the process whose pid its parameter is; 9 cannot be told. */
static int ends(const struct step *step, const void *params, const struct stoppable *who,
		struct error *err)
{
	cr_expect_null(step->ahead);
	if (who->pid == 9)
		return error_set(err, -EIO, "it could not be asked");
	return who->pid == *(const pid_t *)params;
}

#define TEST_KIND .deadline_s = 10, .params = no_params, .outputs = no_outputs, .findings = findings
static const struct kind stop = {
	.name = "test.stop", .class = KIND_ACTION, .run = never, .ends = ends, TEST_KIND
};
static const struct kind copies = { .name = "test.copy",
				    .class = KIND_ACTION,
				    .run = never,
				    .foresee = action_foresees,
				    TEST_KIND };
static const struct kind restore = {
	.name = "test.restore", .class = KIND_ACTION, .flags = KIND_RESTORE, .run = never, TEST_KIND
};
static const struct kind proof = { .name = "test.proof",
				   .flags = KIND_VOLATILE,
				   .run = never,
				   .foresee = proof_foresees,
				   TEST_KIND };

static char ids[][8] = { "one", "two", "three", "four" };
static char text[] = "do it";
static pid_t pids[] = { 1, 2, 3, 4 };

static void make_steps(const struct kind *const *kinds, size_t n, struct plan_step *ret)
{
	for (size_t i = 0; i < n; i++)
		ret[i] = (struct plan_step){
			.id = ids[i], .kind = kinds[i], .params = &pids[i], .text = text
		};
}

/* The last step's outcome; `restores` is the step that a restore takes back. */
static int audited(const struct kind *const *kinds, size_t n, size_t restores, struct report *ret)
{
	volatile sig_atomic_t cancelled = 0;
	AUTO_TREE tree = tree_new();
	CLEANUP(cleanup_host) struct host *host = NULL;
	CLEANUP(cleanup_facts) struct facts *facts = NULL;
	struct plan_step steps[4] = { 0 };
	struct plan plan = { .steps = steps, .n_steps = n, .boundary = n };
	struct audit audit = { .command = "audit", .plan = &plan, .cancelled = &cancelled };

	cr_assert_eq(host_open(tree.root, &host, NULL), 0);
	cr_assert_eq(facts_new(host, &facts, NULL), 0);
	make_steps(kinds, n, steps);
	for (size_t i = 0; i < n; i++)
		steps[i].restores = restores;
	audit.facts = facts;
	cr_assert_eq(audit_run(&audit, ret, NULL), 0);
	return ret->exit_code;
}

static const char *said(const struct report *report, size_t index)
{
	return report->steps[index].result.summary;
}

Test(foresee, a_holder_that_an_earlier_step_ends_is_no_fault)
{
	const struct kind *const kinds[] = { &stop, &stop, &proof };
	struct report report;

	holder = 2;
	cr_expect_eq(audited(kinds, 3, SIZE_MAX, &report), 0);
	cr_expect_eq(report.verdict, VERDICT_SKIP);
	cr_expect_str_eq(said(&report, 2), "It is proved in the session, after the step 'two'; "
					   "held by 2, which 'two' ends.");
	report_done(&report);
}

Test(foresee, a_holder_that_no_step_ends_blocks)
{
	const struct kind *const kinds[] = { &stop, &stop, &proof };
	struct report report;

	holder = 5;
	cr_expect_eq(audited(kinds, 3, SIZE_MAX, &report), 1);
	cr_expect_str_eq(said(&report, 2), "It is proved in the session, after the step 'two'; "
					   "held by 5, which no step ends.");
	report_done(&report);
}

Test(foresee, nobody_leaves_the_sentence_as_it_was)
{
	const struct kind *const kinds[] = { &stop, &proof };
	struct report report;

	holder = 0;
	cr_expect_eq(audited(kinds, 2, SIZE_MAX, &report), 0);
	cr_expect_str_eq(said(&report, 1), "It is proved in the session, after the step 'one'.");
	report_done(&report);
}

Test(foresee, only_steps_before_the_proof_count)
{
	const struct kind *const kinds[] = { &stop, &proof, &stop };
	struct report report;

	holder = 3;
	cr_expect_eq(audited(kinds, 3, SIZE_MAX, &report), 1);
	report_done(&report);
}

Test(foresee, what_is_taken_back_before_the_proof_ends_nothing)
{
	const struct kind *const kinds[] = { &stop, &restore, &stop, &proof };
	struct report report;

	holder = 1;
	cr_expect_eq(audited(kinds, 4, 0, &report), 1);
	report_done(&report);
	cr_expect_eq(audited(kinds, 4, 2, &report), 0);
	report_done(&report);
}

Test(foresee, what_could_not_be_asked_is_not_known)
{
	const struct kind *const kinds[] = { &stop, &proof };
	struct report report;

	holder = 9;
	cr_expect_eq(audited(kinds, 2, SIZE_MAX, &report), 4);
	cr_expect_eq(report.verdict, VERDICT_UNKNOWN);
	report_done(&report);
}

Test(foresee, an_action_says_what_it_would_do)
{
	const struct kind *const kinds[] = { &copies };
	struct report report;

	cr_expect_eq(audited(kinds, 1, SIZE_MAX, &report), 0);
	cr_expect_str_eq(said(&report, 0), "It would copy 3 files.");
	report_done(&report);
}

Test(foresee, a_plan_foresees_its_actions_alone)
{
	const struct kind *const kinds[] = { &stop, &copies, &proof };
	volatile sig_atomic_t cancelled = 0;
	AUTO_TREE tree = tree_new();
	CLEANUP(cleanup_host) struct host *host = NULL;
	CLEANUP(cleanup_facts) struct facts *facts = NULL;
	struct plan_step steps[4] = { 0 };
	struct plan plan = { .steps = steps, .n_steps = 3, .boundary = 3 };
	struct report_step *foreseen = NULL;

	cr_assert_eq(host_open(tree.root, &host, NULL), 0);
	cr_assert_eq(facts_new(host, &facts, NULL), 0);
	make_steps(kinds, 3, steps);
	cr_assert_eq(foresee_plan(&plan, facts, &cancelled, &foreseen, NULL), 0);
	cr_expect_null(foreseen[0].result.summary);
	cr_expect_str_eq(foreseen[1].result.summary, "It would copy 3 files.");
	cr_expect_null(foreseen[2].result.summary);
	foreseen_free(foreseen, 3);
	cancelled = 2;
	cr_expect_eq(foresee_plan(&plan, facts, &cancelled, &foreseen, NULL), -ECANCELED);
}

/* SPDX-License-Identifier: MIT */
#include "exec/audit.h"

#include <criterion/criterion.h>
#include <errno.h>

#include "probe/facts.h"
#include "sys/clock.h"
#include "tree.h"

static const struct param_row no_params[] = { { 0 } };
static const struct output_row no_outputs[] = { { 0 } };
static const struct finding_row findings[] = { { .id = "one", .title = "t", .means = "m" }, { 0 } };

/* What the steps below do stands in their parameters. */
struct script {
	enum verdict verdict;
	int code;
	volatile sig_atomic_t *stop;
	unsigned runs;
	uint64_t timeout_us;
	bool late; /* ends past its deadline */
};

static int run(const struct step *step, const void *params, struct result *ret, struct error *err)
{
	struct script *script = *(struct script *const *)params;

	script->runs++;
	while (script->late && clock_monotonic_us() <= step->deadline_us)
		usleep(1000);
	if (script->stop)
		*script->stop = 2;
	result_say(ret, result_find(ret, "one", script->verdict, "subject"), "Said.");
	return script->code < 0 ? error_set(err, script->code, "it broke") : 0;
}

static const struct kind kind = { .name = "test.kind",
				  .title = "a test",
				  .deadline_s = 10,
				  .params = no_params,
				  .outputs = no_outputs,
				  .findings = findings,
				  .run = run };

/* The scripts run one after the other; the exit code, or the error. */
static int audited(struct script *scripts, size_t n, struct report *report)
{
	static char id[] = "id";
	volatile sig_atomic_t cancelled = 0;
	AUTO_TREE tree = tree_new();
	CLEANUP(cleanup_host) struct host *host = NULL;
	CLEANUP(cleanup_facts) struct facts *facts = NULL;
	struct script *params[4] = { 0 };
	struct plan_step steps[4] = { 0 };
	struct plan plan = { .steps = steps, .n_steps = n };
	struct audit audit = { .command = "audit", .plan = &plan, .cancelled = &cancelled };
	int r;

	cr_assert_eq(host_open(tree.root, &host, NULL), 0);
	cr_assert_eq(facts_new(host, &facts, NULL), 0);
	audit.facts = facts;
	for (size_t i = 0; i < n; i++) {
		if (scripts[i].stop)
			scripts[i].stop = &cancelled;
		params[i] = &scripts[i];
		steps[i] = (struct plan_step){ .id = id,
					       .kind = &kind,
					       .params = &params[i],
					       .timeout_us = scripts[i].timeout_us };
	}
	r = audit_run(&audit, report, NULL);
	return r < 0 ? r : report->exit_code;
}

Test(audit, the_worst_verdict_wins)
{
	struct script scripts[] = { { .verdict = VERDICT_PASS },
				    { .verdict = VERDICT_UNKNOWN },
				    { .verdict = VERDICT_WARN } };
	struct report report;

	cr_expect_eq(audited(scripts, 1, &report), 0);
	report_done(&report);
	cr_expect_eq(audited(scripts, 3, &report), 3);
	cr_expect_eq(report.verdict, VERDICT_UNKNOWN);
	report_done(&report);
	scripts[2].verdict = VERDICT_FAIL;
	cr_expect_eq(audited(scripts, 3, &report), 1);
	report_done(&report);
}

Test(audit, a_step_that_broke_is_not_known_and_the_others_run)
{
	struct script scripts[] = { { .verdict = VERDICT_PASS, .code = -EIO },
				    { .verdict = VERDICT_PASS } };
	struct report report;

	cr_expect_eq(audited(scripts, 2, &report), 4);
	cr_expect_eq(report.verdict, VERDICT_UNKNOWN);
	cr_expect_eq(report.steps[0].result.verdict, VERDICT_UNKNOWN);
	cr_expect_str_eq(error_text(&report.steps[0].failure), "it broke");
	cr_expect_eq(scripts[1].runs, 1);
	report_done(&report);
}

Test(audit, what_comes_after_the_timeout_proves_nothing)
{
	struct script scripts[] = {
		{ .verdict = VERDICT_PASS, .timeout_us = 2000, .late = true },
		{ .verdict = VERDICT_FAIL, .timeout_us = 2000, .late = true },
		{ .verdict = VERDICT_PASS, .timeout_us = 60000000 },
	};
	struct report report;

	cr_expect_eq(audited(scripts, 3, &report), 1);
	cr_expect_eq(report.steps[0].result.verdict, VERDICT_UNKNOWN);
	cr_expect(strstr(report.steps[0].result.summary, "longer than its timeout"));
	cr_expect_eq(report.steps[0].result.n_findings, 1, "what was found is told");
	cr_expect_eq(report.steps[1].result.verdict, VERDICT_FAIL, "a failure stays one");
	cr_expect_eq(report.steps[2].result.verdict, VERDICT_PASS);
	report_done(&report);
}

Test(audit, a_broken_step_outweighs_a_failed_one)
{
	struct script scripts[] = { { .verdict = VERDICT_FAIL, .code = -EIO } };
	struct report report;

	cr_expect_eq(audited(scripts, 1, &report), 4);
	cr_expect_eq(report.verdict, VERDICT_FAIL);
	report_done(&report);
}

Test(audit, once_stopped_no_further_step_begins)
{
	volatile sig_atomic_t wanted;
	struct script scripts[] = { { .verdict = VERDICT_PASS, .stop = &wanted },
				    { .verdict = VERDICT_PASS } };
	struct report report;

	cr_expect_eq(audited(scripts, 2, &report), -ECANCELED);
	cr_expect_eq(scripts[0].runs, 1);
	cr_expect_eq(scripts[1].runs, 0);
}

Test(audit, a_step_that_is_left_out_gives_its_reason)
{
	static char id[] = "id", reason[] = "not here";
	volatile sig_atomic_t cancelled = 0;
	AUTO_TREE tree = tree_new();
	CLEANUP(cleanup_host) struct host *host = NULL;
	CLEANUP(cleanup_facts) struct facts *facts = NULL;
	struct plan_step steps[] = {
		{ .id = id, .kind = &kind, .state = PLAN_SKIPPED, .reason = reason },
		{ .id = id, .kind = &kind, .state = PLAN_UNKNOWN, .reason = reason },
	};
	struct plan plan = { .steps = steps, .n_steps = 2 };
	struct report report;

	cr_assert_eq(host_open(tree.root, &host, NULL), 0);
	cr_assert_eq(facts_new(host, &facts, NULL), 0);
	cr_assert_eq(audit_run(&(struct audit){ .command = "audit",
						.plan = &plan,
						.facts = facts,
						.cancelled = &cancelled },
			       &report, NULL),
		     0);
	cr_expect_eq(report.steps[0].result.verdict, VERDICT_SKIP);
	cr_expect_eq(report.steps[1].result.verdict, VERDICT_UNKNOWN);
	cr_expect_str_eq(report.steps[1].result.summary, "not here");
	cr_expect_eq(report.exit_code, 3);
	report_done(&report);
}

/* ---- what is left to the session ---------------------------------------------------- */

static int describe_undo(const void *params, struct buf *ret)
{
	(void)params;
	return buf_adds(ret, "start it again");
}

#define TEST_KIND .deadline_s = 10, .params = no_params, .outputs = no_outputs, .run = run
static const struct kind action = { .name = "test.action",
				    .class = KIND_ACTION,
				    .findings = findings,
				    .undo = run,
				    .describe_undo = describe_undo,
				    TEST_KIND };
static const struct kind restore = { .name = "test.restore",
				     .class = KIND_ACTION,
				     .flags = KIND_RESTORE,
				     .findings = findings,
				     TEST_KIND };
static const struct kind gate = {
	.name = "test.gate", .class = KIND_GATE, .findings = findings, TEST_KIND
};
static const struct kind holds_now = {
	.name = "test.now", .flags = KIND_VOLATILE | KIND_AT_BOOT, .findings = findings, TEST_KIND
};

/* All steps would fail, if they ran. */
static void audit_kinds(const struct kind *const *kinds, size_t n, struct audit *audit,
			struct report *ret)
{
	static char ids[][4] = { "one", "two", "thr", "fou" };
	static char text[] = "stop it", question[] = "ask: is it so?";
	static struct script fails = { .verdict = VERDICT_FAIL };
	static struct script *params = &fails;
	volatile sig_atomic_t cancelled = 0;
	AUTO_TREE tree = tree_new();
	CLEANUP(cleanup_host) struct host *host = NULL;
	CLEANUP(cleanup_facts) struct facts *facts = NULL;
	struct plan_step steps[4] = { 0 };
	struct plan plan = { .steps = steps, .n_steps = n, .after = audit->done != NULL };

	cr_assert_eq(host_open(tree.root, &host, NULL), 0);
	cr_assert_eq(facts_new(host, &facts, NULL), 0);
	for (size_t i = 0; i < n; i++)
		steps[i] = (struct plan_step){ .id = ids[i],
					       .kind = kinds[i],
					       .params = &params,
					       .after = plan.after,
					       .text = kinds[i] == &gate ? question : text };
	audit->command = "audit";
	audit->plan = &plan;
	audit->facts = facts;
	audit->cancelled = &cancelled;
	cr_assert_eq(audit_run(audit, ret, NULL), 0);
}

static void expect_skip(const struct report *report, size_t index, const char *summary)
{
	cr_expect_eq(report->steps[index].result.verdict, VERDICT_SKIP);
	cr_expect_eq(report->steps[index].result.n_findings, 0);
	cr_expect_str_eq(report->steps[index].result.summary, summary);
}

Test(audit, what_a_session_would_do_is_told_and_enters_nothing)
{
	const struct kind *const kinds[] = { &action, &gate, &holds_now };
	struct audit audit = { 0 };
	struct report report;

	audit_kinds(kinds, 3, &audit, &report);
	expect_skip(&report, 0, "The session would stop it.");
	expect_skip(&report, 1, "It is asked in the session, which would ask: is it so?");
	expect_skip(&report, 2, "It is proved in the session, after the step 'one'.");
	cr_expect_eq(report.verdict, VERDICT_SKIP);
	cr_expect_eq(report.exit_code, 0);
	report_done(&report);
}

Test(audit, what_no_action_can_change_is_proved_now)
{
	const struct kind *const before[] = { &holds_now, &gate, &holds_now };
	const struct kind *const lasting[] = { &action, &kind };
	struct audit audit = { 0 };
	struct report report;

	audit_kinds(before, 3, &audit, &report);
	cr_expect_eq(report.steps[0].result.verdict, VERDICT_FAIL);
	cr_expect_eq(report.steps[2].result.verdict, VERDICT_FAIL);
	report_done(&report);
	audit_kinds(lasting, 2, &audit, &report);
	cr_expect_eq(report.steps[1].result.verdict, VERDICT_FAIL);
	report_done(&report);
}

Test(audit, after_the_work_a_check_waits_for_what_stands_before_it)
{
	const struct kind *const kinds[] = { &holds_now, &restore, &holds_now };
	const bool not_yet[] = { true, false, false }, done[] = { true, true, false };
	struct audit audit = { .done = not_yet };
	struct report report;

	audit_kinds(kinds, 3, &audit, &report);
	cr_expect_eq(report.steps[0].result.verdict, VERDICT_FAIL);
	expect_skip(&report, 1, "Only checks run here; a session would stop it.");
	expect_skip(&report, 2, "Not yet: the step 'two' stands before it and is not done.");
	report_done(&report);
	audit.done = done;
	audit_kinds(kinds, 3, &audit, &report);
	cr_expect_eq(report.steps[2].result.verdict, VERDICT_FAIL);
	report_done(&report);
}

Test(audit, the_boot_runs_its_own_checks_alone)
{
	const struct kind *const kinds[] = { &holds_now, &kind };
	struct audit audit = { .only = KIND_AT_BOOT };
	struct report report;

	audit_kinds(kinds, 2, &audit, &report);
	cr_expect_eq(report.steps[0].result.verdict, VERDICT_FAIL);
	expect_skip(&report, 1, "It is left to `coldswap resume`.");
	report_done(&report);
}

/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "machine.h"
#include "step/kinds.h"
#include "tree.h"

struct unit_state_params {
	char **units;
	char *state;
};

static void run(const struct tree *tree, const char *name, const char *state, struct result *ret)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	AUTO_FREE char *copy = strdup(state);
	AUTO_FREE char *unit = name ? strdup(name) : NULL;
	char *units[] = { unit, NULL };
	struct unit_state_params params = { units, copy };
	struct step step = { .id = "units" };

	cr_assert_eq(host_open(tree->root, &host, NULL), 0);
	step.host = host;
	result_init(ret, &kind_unit_state);
	cr_assert_eq(kind_unit_state.run(&step, &params, ret, NULL), 0);
	cr_assert_eq(ret->failed, 0);
}

static void add(const struct tree *tree, const char *name, const char *json)
{
	char path[256];

	snprintf(path, sizeof(path), "coldswap/systemd/%s.json", name);
	tree_file(tree, path, json);
}

#define RUNNING "\"LoadState\": \"loaded\", \"ActiveState\": \"active\", \"SubState\": \"running\""
#define K3S "k3s.service"

static void expect(const struct result *result, enum verdict verdict, const char *id)
{
	cr_assert_eq(result->verdict, verdict, "%s", verdict_name(result->verdict));
	for (size_t i = 0; i < result->n_findings; i++)
		if (!strcmp(result->findings[i].id, id)) {
			cr_assert_eq(result->findings[i].n_evidence, 1);
			cr_assert(verdict == VERDICT_PASS || result->findings[i].remedy);
			return;
		}
	cr_assert_fail("no finding %s", id);
}

Test(unit_state, nothing_captured_is_skipped)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE tree = tree_new();

	run(&tree, NULL, "active", &result);
	cr_assert_eq(result.verdict, VERDICT_SKIP);
	cr_assert_eq(result.n_findings, 0);
}

Test(unit_state, a_named_one_that_was_not_captured_is_unknown)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE tree = tree_new();

	run(&tree, K3S, "active", &result);
	expect(&result, VERDICT_UNKNOWN, "unit.state/unreadable");
}

Test(unit_state, running_is_active)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE tree = tree_new();

	add(&tree, "k3s.service", "{" RUNNING ", \"UnitFileState\": \"enabled\"}");
	run(&tree, NULL, "active", &result);
	expect(&result, VERDICT_PASS, "unit.state/state");
	cr_assert_eq(result.outputs[0].value.integer, 1);
	result_done(&result);
	run(&tree, "k3s", "running", &result);
	expect(&result, VERDICT_PASS, "unit.state/state");
}

Test(unit_state, a_usual_one_that_is_stopped_is_no_fault_and_a_named_one_is)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE tree = tree_new();

	add(&tree, "k3s.service", "{\"ActiveState\": \"inactive\", \"SubState\": \"dead\"}");
	run(&tree, NULL, "active", &result);
	expect(&result, VERDICT_PASS, "unit.state/state");
	result_done(&result);
	run(&tree, K3S, "active", &result);
	expect(&result, VERDICT_FAIL, "unit.state/differs");
	result_done(&result);
	run(&tree, K3S, "inactive", &result);
	expect(&result, VERDICT_PASS, "unit.state/state");
}

Test(unit_state, broken_before_the_work_is_said)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE tree = tree_new();

	add(&tree, "vault.service",
	    "{\"ActiveState\": \"failed\", \"SubState\": \"failed\", \"Result\": \"exit-code\"}");
	run(&tree, NULL, "active", &result);
	expect(&result, VERDICT_WARN, "unit.state/failed");
	result_done(&result);
	add(&tree, "vault.service",
	    "{\"ActiveState\": \"activating\", \"SubState\": \"auto-restart\", \"NRestarts\": 41}");
	run(&tree, NULL, "active", &result);
	expect(&result, VERDICT_WARN, "unit.state/failed");
}

Test(unit_state, what_the_next_boot_changes)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE tree = tree_new();

	add(&tree, "k3s.service", "{" RUNNING ", \"NeedDaemonReload\": true}");
	run(&tree, NULL, "active", &result);
	expect(&result, VERDICT_WARN, "unit.state/need-reload");
	result_done(&result);
	add(&tree, "k3s.service", "{" RUNNING ", \"UnitFileState\": \"disabled\"}");
	run(&tree, NULL, "active", &result);
	expect(&result, VERDICT_WARN, "unit.state/not-enabled");
	result_done(&result);
	add(&tree, "k3s.service",
	    "{" RUNNING ", \"UnitFileState\": \"disabled\","
	    " \"TriggeredBy\": [\"k3s.socket\"]}");
	run(&tree, NULL, "active", &result);
	expect(&result, VERDICT_PASS, "unit.state/state");
	result_done(&result);
	add(&tree, "k3s.service",
	    "{\"LoadState\": \"bad-setting\", \"ActiveState\": \"active\", \"SubState\": \"x\"}");
	run(&tree, NULL, "active", &result);
	expect(&result, VERDICT_WARN, "unit.state/bad-setting");
}

Test(unit_state, a_fact_that_says_nothing_is_unknown)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE tree = tree_new();

	add(&tree, "k3s.service", "{}");
	run(&tree, NULL, "active", &result);
	expect(&result, VERDICT_UNKNOWN, "unit.state/unreadable");
	result_done(&result);
	add(&tree, "k3s.service", "[1,");
	run(&tree, NULL, "active", &result);
	expect(&result, VERDICT_UNKNOWN, "unit.state/unreadable");
}

Test(unit_state, proved_absent_in_an_answer_of_systemd)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE tree = tree_new();

	add(&tree, "k3s.service",
	    "{\"LoadState\": \"not-found\", \"ActiveState\": \"inactive\", \"SubState\": "
	    "\"dead\"}");
	run(&tree, NULL, "active", &result);
	cr_assert_eq(result.verdict, VERDICT_SKIP);
}

/* ---- after the work --------------------------------------------------------------- */

#define VAULT "vault.service"
#define FAILED "\"ActiveState\": \"failed\", \"SubState\": \"failed\""
#define DEAD "\"ActiveState\": \"inactive\", \"SubState\": \"dead\""

/* `before` NULL: nothing was recorded. */
static void run_after(const char *now, const char *before, struct result *ret)
{
	AUTO_TREE tree = tree_new(), tree_before = tree_new();
	AUTO_FREE char *state = strdup("active");
	struct unit_state_params params = { NULL, state };
	struct step step = { .id = "units", .after = true };

	if (now)
		add(&tree, VAULT, now);
	if (before)
		add(&tree_before, VAULT, before);
	{
		AUTO_MACHINE machine = machine_open(&tree);
		AUTO_MACHINE machine_before = machine_open(&tree_before);

		step.host = machine.host;
		step.facts = machine.facts;
		step.before = before ? machine_before.facts : NULL;
		result_init(ret, &kind_unit_state);
		cr_assert_eq(kind_unit_state.run(&step, &params, ret, NULL), 0);
		cr_assert_eq(ret->failed, 0);
	}
}

static void expect_after(const char *now, const char *before, enum verdict verdict, const char *id,
			 const char *summary)
{
	CLEANUP(result_done) struct result result;

	run_after(now, before, &result);
	cr_assert_eq(result.verdict, verdict, "%s", verdict_name(result.verdict));
	cr_assert_eq(result.n_findings, 1);
	cr_assert_str_eq(result.findings[0].id, id);
	cr_assert_str_eq(result.findings[0].summary, summary);
	cr_assert_neq(result.findings[0].n_evidence, 0);
	cr_assert(verdict == VERDICT_PASS || result.findings[0].remedy);
}

Test(unit_state, active_in_the_capture_and_down_now_has_failed_since)
{
	expect_after("{" FAILED "}", "{" RUNNING "}", VERDICT_FAIL, "unit.state/failed-since",
		     "vault.service has failed since the capture: it was active then.");
	expect_after("{\"ActiveState\": \"activating\", \"SubState\": \"auto-restart\"}",
		     "{" RUNNING "}", VERDICT_FAIL, "unit.state/failed-since",
		     "vault.service has failed since the capture: it was active then.");
	expect_after("{" DEAD "}", "{" RUNNING "}", VERDICT_FAIL, "unit.state/failed-since",
		     "vault.service has stopped since the capture: it was active then.");
	expect_after("{\"LoadState\": \"not-found\", " DEAD "}", "{" RUNNING "}", VERDICT_FAIL,
		     "unit.state/failed-since",
		     "There is no unit vault.service any more; it was active in the earlier "
		     "capture.");
	expect_after(NULL, "{" RUNNING "}", VERDICT_UNKNOWN, "unit.state/unreadable",
		     "vault.service was active in the earlier capture, and what it is now is not "
		     "told.");
}

Test(unit_state, both_states_are_cited)
{
	CLEANUP(result_done) struct result result;

	run_after("{" FAILED "}", "{" RUNNING "}", &result);
	cr_assert_eq(result.findings[0].n_evidence, 2);
	cr_assert_str_eq(result.findings[0].evidence[0].observed,
			 "ActiveState=failed SubState=failed");
	cr_assert_str_eq(result.findings[0].evidence[1].observed,
			 "ActiveState=active SubState=running");
	cr_assert(strstr(result.findings[0].evidence[1].source, "/coldswap/systemd/" VAULT));
}

Test(unit_state, down_in_the_capture_too_is_not_worse)
{
	expect_after("{" FAILED "}", "{" FAILED "}", VERDICT_WARN, "unit.state/failed",
		     "vault.service is broken, and was so in the earlier capture.");
	expect_after("{" FAILED "}", "{" DEAD "}", VERDICT_WARN, "unit.state/failed",
		     "vault.service is broken.");
	expect_after("{" DEAD "}", "{" DEAD "}", VERDICT_PASS, "unit.state/state",
		     "vault.service is inactive (dead).");
	expect_after("{\"ActiveState\": \"activating\", \"SubState\": \"start\"}", "{" RUNNING "}",
		     VERDICT_PASS, "unit.state/state", "vault.service is activating (start).");
}

Test(unit_state, what_its_socket_starts_may_wait_and_may_not_fail)
{
	expect_after("{" DEAD ", \"TriggeredBy\": [\"vault.socket\"]}", "{" RUNNING "}",
		     VERDICT_PASS, "unit.state/state", "vault.service is inactive (dead).");
	expect_after("{" DEAD ", \"UnitFileState\": \"enabled\","
		     " \"TriggeredBy\": [\"vault.socket\"]}",
		     "{" RUNNING "}", VERDICT_FAIL, "unit.state/failed-since",
		     "vault.service has stopped since the capture: it was active then.");
	expect_after("{" FAILED ", \"TriggeredBy\": [\"vault.socket\"]}", "{" RUNNING "}",
		     VERDICT_FAIL, "unit.state/failed-since",
		     "vault.service has failed since the capture: it was active then.");
}

Test(unit_state, without_a_capture_nobody_knows_since_when)
{
	expect_after("{" FAILED "}", NULL, VERDICT_WARN, "unit.state/failed",
		     "vault.service is broken.");
}

Test(unit_state, a_capture_that_cannot_be_read_proves_nothing)
{
	CLEANUP(result_done) struct result result;

	run_after("{" DEAD "}", "[1,", &result);
	cr_assert_eq(result.verdict, VERDICT_UNKNOWN);
	cr_assert_str_eq(result.findings[0].id, "unit.state/unreadable");
	cr_assert(strstr(result.findings[0].summary, "the earlier capture"));
}

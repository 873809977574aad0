/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

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

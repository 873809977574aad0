/* SPDX-License-Identifier: MIT */
/* unit.stop: what may start the unit again, and what of it still runs. */
#include "unit_stop_made.h"

TestSuite(unit_stop_left, .init = setup, .fini = teardown);

Test(unit_stop_left, what_may_start_it_again_is_told)
{
	CLEANUP(result_done) struct result result, quiet;

	made.units[0].trigger = "k3s.socket";
	made.units[1] =
		(struct made_unit){ .name = "k3s.socket", .active = "active", .sub = "listening" };
	run(&result);
	EXPECT_FINDING(&result, "stopped", VERDICT_PASS);
	EXPECT_FINDING(&result, "triggered", VERDICT_WARN);
	cr_expect_eq(result.verdict, VERDICT_WARN);
	made.units[1].active = "inactive";
	run(&quiet);
	EXPECT_NO_FINDING(&quiet, "triggered");
}

Test(unit_stop_left, a_trigger_that_cannot_be_read_is_unknown)
{
	CLEANUP(result_done) struct result result;

	made.units[0].trigger = "k3s.timer";
	made.units[1] = (struct made_unit){ .name = "k3s.timer", .unread = -ETIMEDOUT };
	run(&result);
	EXPECT_FINDING(&result, "unreadable", VERDICT_UNKNOWN);
}

Test(unit_stop_left, inactive_is_no_proof)
{
	static char comm[] = "containerd-shim", path[] = GROUP "/kubepods/pod1/c1",
		    of[] = "pod 1, container c1";
	static const char *const modes[] = { "process", "none", "control-group" };

	for (size_t i = 0; i < ELEMENTS(modes); i++) {
		CLEANUP(result_done) struct result result;
		const struct finding *finding;

		made.units[0].active = "active";
		made.units[0].kill_mode = modes[i];
		made.units[0].delegate = i == 2;
		made.left[0] = (struct cgroup_process){ 4711, comm, path, of };
		made.left[1] = (struct cgroup_process){ 0, NULL, path, NULL };
		made.n_left = 2;
		run(&result);
		EXPECT_FINDING(&result, "stopped", VERDICT_PASS);
		finding = EXPECT_FINDING(&result, "left-running", VERDICT_WARN);
		cr_expect_eq(finding->n_evidence, 3);
		cr_expect(strstr(finding->summary, i == 2 ? "Delegate" : modes[i]));
		cr_expect(strstr(finding->evidence[1].observed, "4711"));
		cr_expect(strstr(finding->evidence[1].observed, comm));
		cr_expect(strstr(finding->evidence[1].observed, "pod 1"));
		cr_expect_eq(result.outputs[1].value.integer, 2);
	}
}

/* systemd drops the name of an empty group, and of a unit that is gone. */
Test(unit_stop_left, the_group_of_before_is_looked_at)
{
	CLEANUP(result_done) struct result result;

	made.units[0].gone = true;
	run(&result);
	EXPECT_FINDING(&result, "stopped", VERDICT_PASS);
	EXPECT_FINDING(&result, "left-nothing", VERDICT_PASS);
}

Test(unit_stop_left, many_processes_are_counted)
{
	static char comm[] = "worker", path[] = GROUP;
	CLEANUP(result_done) struct result result;
	const struct finding *finding;

	for (int i = 0; i < 30; i++)
		made.left[i] = (struct cgroup_process){ 100 + i, comm, path, NULL };
	made.n_left = 30;
	run(&result);
	finding = EXPECT_FINDING(&result, "left-running", VERDICT_WARN);
	cr_expect(strstr(finding->evidence[finding->n_evidence - 1].observed, "10 more"));
}

Test(unit_stop_left, what_is_left_may_not_be_known)
{
	CLEANUP(result_done) struct result result;

	made.left_code = -ENODATA;
	run(&result);
	EXPECT_FINDING(&result, "left-unknown", VERDICT_UNKNOWN);
	cr_expect_eq(result.verdict, VERDICT_UNKNOWN);
}

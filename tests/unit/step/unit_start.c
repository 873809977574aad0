/* SPDX-License-Identifier: MIT */
#include "step/kinds.h"
#include "systemd_made.h"

#define K3S "k3s.service"

struct unit_start_params {
	char *unit;
};

static char name[] = "k3s.service";
static const struct unit_start_params params = { name };

static void setup(void)
{
	made.units[0] = (struct made_unit){ .name = K3S,
					    .active = "inactive",
					    .sub = "dead",
					    .group = "/system.slice/k3s.service",
					    .invocation = "aa",
					    .run = "bb" };
}

static void teardown(void)
{
	made_session_done(&session);
}

TestSuite(unit_start, .init = setup, .fini = teardown);

static void call(enum made_call what, struct result *ret)
{
	cr_assert_eq(made_call(&kind_unit_start, &params, what, NULL, ret, NULL), 0);
}

static void expect_standing(enum made_call what, enum standing expected)
{
	made_expect(&kind_unit_start, &params, what, expected);
}

Test(unit_start, starts_and_stops_again)
{
	CLEANUP(result_done) struct result started, undone;

	expect_standing(MADE_WANTED, STANDING_NO);
	call(MADE_RUN, &started);
	EXPECT_FINDING(&started, "started", VERDICT_PASS);
	cr_expect_not(started.outputs[0].value.boolean);
	cr_expect_eq(made.verb, MANAGER_START);
	expect_standing(MADE_WANTED, STANDING_YES);
	expect_standing(MADE_UNDONE, STANDING_NO);
	made.units[0].run = NULL;
	call(MADE_UNDO, &undone);
	EXPECT_FINDING(&undone, "stopped", VERDICT_PASS);
	cr_expect_eq(made.verb, MANAGER_STOP);
	expect_standing(MADE_UNDONE, STANDING_YES);
}

/* Its InvocationID is another one than before the start: that is not "started again". */
Test(unit_start, what_does_not_stop_was_not_started_again)
{
	CLEANUP(result_done) struct result started, undone;

	call(MADE_RUN, &started);
	made.units[0].to = "active";
	made.units[0].run = NULL;
	made.units[0].code = -EREMOTEIO;
	call(MADE_UNDO, &undone);
	EXPECT_FINDING(&undone, "not-stopped", VERDICT_FAIL);
	EXPECT_NO_FINDING(&undone, "active-again");
}

Test(unit_start, what_ran_already_is_not_stopped)
{
	CLEANUP(result_done) struct result started, undone;

	made.units[0].active = "active";
	call(MADE_RUN, &started);
	call(MADE_UNDO, &undone);
	EXPECT_FINDING(&undone, "untouched", VERDICT_PASS);
	cr_expect_eq(made.jobs, 0);
	expect_standing(MADE_UNDONE, STANDING_YES);
}

Test(unit_start, a_unit_that_is_not_there_is_a_failure)
{
	CLEANUP(result_done) struct result result, without;

	made.units[0].name = NULL;
	call(MADE_RUN, &result);
	EXPECT_FINDING(&result, "absent", VERDICT_FAIL);
	expect_standing(MADE_WANTED, STANDING_NO);
	made.open = -ENOENT;
	call(MADE_RUN, &without);
	EXPECT_FINDING(&without, "absent", VERDICT_FAIL);
}

Test(unit_start, a_unit_that_does_not_start_is_a_failure)
{
	static const char *const states[] = { "failed", "inactive", "activating" };

	for (size_t i = 0; i < ELEMENTS(states); i++) {
		CLEANUP(result_done) struct result result;

		made.units[0].active = "inactive";
		made.units[0].to = states[i];
		made.units[0].code = i ? 0 : -EREMOTEIO;
		call(MADE_RUN, &result);
		EXPECT_FINDING(&result, "not-started", VERDICT_FAIL);
		expect_standing(MADE_WANTED, STANDING_NO);
	}
}

Test(unit_start, a_start_that_has_not_ended_is_none)
{
	CLEANUP(result_done) struct result result;

	made.units[0].to = "activating";
	made.units[0].queued = true;
	made.units[0].code = -ETIMEDOUT;
	call(MADE_RUN, &result);
	EXPECT_FINDING(&result, "job-pending", VERDICT_FAIL);
}

Test(unit_start, only_names_of_units_are_taken)
{
	int (*check)(const char *text, struct error *err) = kind_unit_start.params[0].check;

	cr_expect_eq(check("k3s", NULL), 0);
	cr_expect_eq(check("dev-sda\\x2d1.swap", NULL), 0);
	cr_expect_eq(check("getty@tty1.service", NULL), 0);
	cr_expect_eq(check("", NULL), -EINVAL);
	cr_expect_eq(check("a/b", NULL), -EINVAL);
	cr_expect_eq(check("a b", NULL), -EINVAL);
}

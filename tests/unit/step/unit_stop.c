/* SPDX-License-Identifier: MIT */
#include "unit_stop_made.h"

TestSuite(unit_stop, .init = setup, .fini = teardown);

static void undo(struct result *ret)
{
	cr_assert_eq(call(MADE_UNDO, ret, NULL), 0);
}

static void expect_standing(enum made_call what, enum standing expected)
{
	made_expect(&kind_unit_stop, &params, what, expected);
}

Test(unit_stop, stops_what_runs_and_keeps_what_it_was)
{
	CLEANUP(result_done) struct result result;
	const char *original;

	expect_standing(MADE_WANTED, STANDING_NO);
	run(&result);
	cr_expect_eq(result.verdict, VERDICT_PASS);
	EXPECT_FINDING(&result, "stopped", VERDICT_PASS);
	EXPECT_FINDING(&result, "left-nothing", VERDICT_PASS);
	cr_expect(result.outputs[0].value.boolean);
	cr_expect_eq(made.jobs, 1);
	cr_expect_eq(made.verb, MANAGER_STOP);
	cr_expect_eq(session.jobs_at_save, 0);
	cr_assert_eq(made_original(&session, "active-state", &original, NULL), 1);
	cr_expect_str_eq(original, "active");
	cr_assert_eq(made_original(&session, "invocation-id", &original, NULL), 1);
	cr_expect_str_eq(original, "aa");
	expect_standing(MADE_WANTED, STANDING_YES);
	expect_standing(MADE_UNDONE, STANDING_NO);
}

Test(unit_stop, undo_starts_it_again)
{
	CLEANUP(result_done) struct result result, undone;

	run(&result);
	undo(&undone);
	EXPECT_FINDING(&undone, "started", VERDICT_PASS);
	cr_expect_eq(made.jobs, 2);
	cr_expect_eq(made.verb, MANAGER_START);
	expect_standing(MADE_UNDONE, STANDING_YES);
}

Test(unit_stop, undo_of_what_was_inactive_starts_nothing)
{
	CLEANUP(result_done) struct result result, undone;

	made.units[0].active = "failed";
	made.units[0].sub = "failed";
	run(&result);
	EXPECT_FINDING(&result, "stopped", VERDICT_PASS);
	EXPECT_FINDING(&result, "ended-badly", VERDICT_WARN);
	cr_expect_not(result.outputs[0].value.boolean);
	undo(&undone);
	EXPECT_FINDING(&undone, "untouched", VERDICT_PASS);
	cr_expect_eq(made.jobs, 0);
	expect_standing(MADE_UNDONE, STANDING_YES);
}

/* Killed between the original and the job, or while the job ran. */
Test(unit_stop, a_second_run_keeps_the_first_original)
{
	CLEANUP(result_done) struct result first, second, undone, again;

	run(&first);
	run(&second);
	cr_expect_eq(second.verdict, VERDICT_PASS);
	cr_expect_eq(made.jobs, 1);
	cr_expect(second.outputs[0].value.boolean);
	undo(&undone);
	cr_expect_eq(made.verb, MANAGER_START);
	undo(&again);
	cr_expect_eq(made.jobs, 2);
}

/* A stop that was cut off, and a start that somebody queued since. */
Test(unit_stop, a_job_that_is_queued_is_replaced)
{
	CLEANUP(result_done) struct result first, second;

	run(&first);
	made.units[0].job = 9;
	run(&second);
	cr_expect_eq(made.jobs, 2);
	EXPECT_FINDING(&second, "stopped", VERDICT_PASS);
}

Test(unit_stop, what_was_never_begun_has_nothing_to_take_back)
{
	CLEANUP(result_done) struct result result;

	undo(&result);
	EXPECT_FINDING(&result, "untouched", VERDICT_PASS);
	cr_expect_eq(made.jobs, 0);
	expect_standing(MADE_UNDONE, STANDING_YES);
}

Test(unit_stop, nothing_is_done_unless_the_original_is_kept)
{
	CLEANUP(result_done) struct result result;
	CLEANUP(error_done) struct error err = ERROR_INIT;

	session.save_code = -ENOSPC;
	cr_expect_eq(call(MADE_RUN, &result, &err), -ENOSPC);
	cr_expect_eq(made.jobs, 0);
}

Test(unit_stop, a_dry_run_is_refused)
{
	CLEANUP(result_done) struct result result;
	CLEANUP(error_done) struct error err = ERROR_INIT;
	const struct step step = { .id = "down" };

	result_init(&result, &kind_unit_stop);
	cr_expect_eq(kind_unit_stop.run(&step, &params, &result, &err), -EPERM);
	cr_expect_eq(kind_unit_stop.undo(&step, &params, &result, &err), -EPERM);
	cr_expect_eq(made.jobs, 0);
}

Test(unit_stop, a_unit_that_is_not_there_is_skipped)
{
	CLEANUP(result_done) struct result result, without;

	made.units[0].name = NULL;
	run(&result);
	cr_expect_eq(result.verdict, VERDICT_SKIP);
	EXPECT_FINDING(&result, "absent", VERDICT_SKIP);
	expect_standing(MADE_WANTED, STANDING_YES);
	made.open = -ENOENT;
	run(&without);
	cr_expect_eq(without.verdict, VERDICT_SKIP);
	EXPECT_FINDING(&without, "absent", VERDICT_SKIP);
}

Test(unit_stop, what_cannot_be_asked_is_unknown)
{
	static const int codes[] = { -ECONNREFUSED, -EACCES, -EPERM };

	for (size_t i = 0; i < ELEMENTS(codes); i++) {
		CLEANUP(result_done) struct result result;

		made.open = codes[i];
		run(&result);
		EXPECT_FINDING(&result, "unreadable", VERDICT_UNKNOWN);
		expect_standing(MADE_WANTED, STANDING_UNKNOWN);
		expect_standing(MADE_UNDONE, STANDING_UNKNOWN);
	}
	CLEANUP(result_done) struct result result;

	made.open = 0;
	made.units[0].unread = -ETIMEDOUT;
	run(&result);
	EXPECT_FINDING(&result, "unreadable", VERDICT_UNKNOWN);
	cr_expect_eq(made.jobs, 0);
}

Test(unit_stop, a_unit_that_does_not_stop_is_a_failure)
{
	static const int codes[] = { -EREMOTEIO, -EACCES, -ETIMEDOUT, -ECONNRESET };

	for (size_t i = 0; i < ELEMENTS(codes); i++) {
		CLEANUP(result_done) struct result result;

		made.units[0].active = "active";
		made.units[0].to = "active";
		made.units[0].code = codes[i];
		run(&result);
		EXPECT_FINDING(&result, "not-stopped", VERDICT_FAIL);
		EXPECT_NO_FINDING(&result, "left-nothing");
		expect_standing(MADE_WANTED, STANDING_NO);
	}
}

/* The world is asked, not the job. */
Test(unit_stop, what_is_down_is_down_whatever_the_job_said)
{
	static const int codes[] = { -EREMOTEIO, -ECONNRESET };

	for (size_t i = 0; i < ELEMENTS(codes); i++) {
		CLEANUP(result_done) struct result result;

		made.units[0].active = "active";
		made.units[0].code = codes[i];
		run(&result);
		EXPECT_FINDING(&result, "stopped", VERDICT_PASS);
	}
}

Test(unit_stop, a_timeout_proves_nothing)
{
	CLEANUP(result_done) struct result result;

	made.units[0].to = "deactivating";
	made.units[0].queued = true;
	made.units[0].code = -ETIMEDOUT;
	run(&result);
	EXPECT_FINDING(&result, "job-pending", VERDICT_FAIL);
	expect_standing(MADE_WANTED, STANDING_NO);
}

Test(unit_stop, inactive_with_a_job_is_not_stopped)
{
	CLEANUP(result_done) struct result result;

	made.units[0].queued = true;
	run(&result);
	EXPECT_FINDING(&result, "job-pending", VERDICT_FAIL);
}

Test(unit_stop, what_cannot_be_read_after_the_job_is_unknown)
{
	CLEANUP(result_done) struct result result;

	made.units[0].unread_after = -ECONNREFUSED;
	run(&result);
	cr_expect_eq(made.jobs, 1);
	EXPECT_FINDING(&result, "unreadable", VERDICT_UNKNOWN);
}

Test(unit_stop, the_operator_stops_it)
{
	CLEANUP(result_done) struct result result;
	CLEANUP(error_done) struct error err = ERROR_INIT;

	made.units[0].code = -ECANCELED;
	cr_expect_eq(call(MADE_RUN, &result, &err), -ECANCELED);
	cr_expect_eq(err.code, -ECANCELED);
}

Test(unit_stop, a_state_in_between_is_no_original)
{
	CLEANUP(result_done) struct result result;

	made.units[0].active = "activating";
	made.units[0].job = 12;
	run(&result);
	EXPECT_FINDING(&result, "job-pending", VERDICT_FAIL);
	cr_expect_eq(made.jobs, 0);
	cr_expect_eq(session.n, 0);
}

Test(unit_stop, started_again_by_another_run)
{
	CLEANUP(result_done) struct result result;

	made.units[0].to = "active";
	made.units[0].run = "bb";
	run(&result);
	EXPECT_FINDING(&result, "active-again", VERDICT_FAIL);
}

Test(unit_stop, started_again_later)
{
	CLEANUP(result_done) struct result result, looked;
	enum standing standing;

	run(&result);
	made.units[0].active = "active";
	made.units[0].invocation = "cc";
	cr_assert_eq(made_call(&kind_unit_stop, &params, MADE_WANTED, &standing, &looked, NULL), 0);
	cr_expect_eq(standing, STANDING_NO);
	EXPECT_FINDING(&looked, "active-again", VERDICT_FAIL);
}

Test(unit_stop, only_the_name_of_a_unit_is_taken)
{
	static const char *const names[] = { "", "../../etc/x", "a b", "k3s.service\n", ".x" };

	for (size_t i = 0; i < ELEMENTS(names); i++) {
		CLEANUP(result_done) struct result result;
		AUTO_FREE char *wrong = strdup(names[i]);
		const struct unit_stop_params other = { wrong };

		cr_expect_eq(made_call(&kind_unit_stop, &other, MADE_RUN, NULL, &result, NULL), 0);
		if (*wrong)
			EXPECT_FINDING(&result, "invalid-name", VERDICT_FAIL);
		else
			cr_expect_eq(result.verdict, VERDICT_FAIL);
	}
	cr_expect_eq(made.jobs, 0);
}

/* SPDX-License-Identifier: MIT */
#include "told.h"

static struct told opened(void)
{
	struct told told = { 0 };

	tell(&told, "opened", NULL, OPENED);
	return told;
}

Test(fold, an_opening_gives_the_plan_back)
{
	struct told told = opened();
	AUTO_VIEW view;

	fold_good(&told, &view);
	cr_expect_eq(view.number, 1);
	cr_expect_eq(view.phase, SESSION_BEFORE);
	cr_expect_str_eq(view.plan->name, "swap");
	cr_expect_str_eq(view.plan->sha256, "abc");
	cr_expect_eq(view.plan->boundary, 3);
	cr_assert_eq(view.plan->n_steps, 7);
	cr_expect_str_eq(view.plan->steps[1].id, "stop-a");
	cr_expect_str_eq(view.plan->steps[1].kind->name, "unit.stop");
	cr_expect_str_eq(view.plan->steps[1].text, "do stop-a");
	cr_expect_eq(view.plan->steps[1].estimate_us, 1500000);
	cr_expect(view.plan->steps[1].measured);
	cr_expect_eq(view.plan->steps[1].restores, SIZE_MAX);
	cr_expect_eq(view.plan->steps[5].restores, 2);
	cr_expect_str_eq(view.steps[1].undo_text, "start a again");
	cr_expect_eq(view.steps[1].state, STEP_NOT_BEGUN);
	cr_expect_str_eq(view.runbook_text, "coldswap: 1\n");
	cr_expect_str_eq(view.vars[0], "up=wwn-1");
	cr_expect_str_eq(view.vars[1], "to=/home");
	cr_expect_str_eq(view.work_text, "exchange A and B");
	cr_expect_str_eq(view.host_name, "h");
	cr_expect_str_eq(view.boot_id, "b1");
	cr_expect_str_eq(view.before, "/var/lib/coldswap/1/before");
	cr_expect_str_eq(view.opened_at, "2026-11-30T12:00:00.000000Z");
}

/* A step that is begun again after an unplanned reboot knows of it until it is done. */
Test(fold, a_reboot_is_known_until_the_step_is_done_again)
{
	static const struct {
		const char *type, *body;
		bool restarted;
	} walk[] = {
		{ "intent", "{}", false },
		{ "outcome", OUTCOME("pass"), false },
		{ "void", "{\"reason\":\"the power goes off again\"}", false },
		{ "outcome", OUTCOME("pass"), false },
		{ "void", "{\"reason\":\"" VOID_BY_REBOOT "\"}", true },
		{ "intent", "{}", true },
		{ "outcome", BROKEN, true },
		{ "void", "{\"reason\":\"the machine is no longer as the step left it\"}", true },
		{ "intent", "{}", true },
		{ "outcome", OUTCOME("pass"), false },
	};
	struct told told = opened();

	for (size_t i = 0; i < ELEMENTS(walk); i++) {
		AUTO_VIEW view;

		tell(&told, walk[i].type, "stop-a", walk[i].body);
		fold_good(&told, &view);
		cr_expect_eq(view.steps[1].restarted, walk[i].restarted, "%zu: %s", i,
			     walk[i].type);
		cr_expect_not(view.steps[2].restarted);
	}
}

Test(fold, a_step_goes_from_state_to_state)
{
	static const struct {
		const char *type, *body;
		enum step_state state;
	} walk[] = {
		{ "intent", "{\"boot_id\":\"b1\"}", STEP_INTENDED },
		{ "original", "{\"key\":\"state\",\"value\":\"active\"}", STEP_INTENDED },
		{ "outcome", BROKEN, STEP_FAILED },
		{ "intent", "{}", STEP_INTENDED },
		{ "outcome", OUTCOME("warn"), STEP_DONE },
		{ "void", "{\"reason\":\"a reboot\"}", STEP_VOID },
		{ "outcome", OUTCOME("unknown"), STEP_FAILED },
		{ "outcome", OUTCOME("pass"), STEP_DONE },
		{ "undo-intent", "{}", STEP_DONE },
		{ "undo-outcome", UNDONE("no"), STEP_DONE },
		{ "undo-intent", "{}", STEP_DONE },
		{ "undo-outcome", UNDONE("unknown"), STEP_DONE },
		{ "undo-outcome", UNDONE("yes"), STEP_UNDONE },
		{ "intent", "{}", STEP_INTENDED },
	};
	struct told told = opened();

	for (size_t i = 0; i < ELEMENTS(walk); i++) {
		AUTO_VIEW view;

		tell(&told, walk[i].type, "stop-a", walk[i].body);
		fold_good(&told, &view);
		cr_expect_eq(view.steps[1].state, walk[i].state, "%zu: %s", i, walk[i].type);
		cr_expect_str_eq(view.steps[1].at, told.items[i + 1].at);
		cr_expect_eq(view.steps[2].state, STEP_NOT_BEGUN);
	}
}

Test(fold, an_outcome_keeps_what_was_found)
{
	struct told told = opened();
	AUTO_VIEW view;

	tell(&told, "outcome", "names", OUTCOME("fail"));
	tell(&told, "outcome", "stop-a", BROKEN);
	fold_good(&told, &view);
	cr_expect_eq(view.steps[0].state, STEP_FAILED);
	cr_expect_eq(view.steps[0].result.verdict, VERDICT_FAIL);
	cr_expect_str_eq(view.steps[0].result.summary, "it is fail");
	cr_expect_str_eq(view.steps[0].result.findings[0].subject, "/etc/fstab:7");
	cr_expect_eq(view.steps[0].duration_us, 2500000);
	cr_expect_eq(view.steps[1].failure.code, -EIO);
	cr_expect_str_eq(view.steps[1].failure.message, "it broke");
	cr_expect_str_eq(view.steps[1].failure.hint, "mend it");
}

/* What took part in nothing has nothing to take back; whatever was begun has. */
Test(fold, a_step_that_did_not_run_is_skipped)
{
	struct told told = opened();
	AUTO_VIEW view;

	tell(&told, "outcome", "names", SKIPPED);
	tell(&told, "outcome", "stop-a", SKIPPED);
	tell(&told, "intent", "stop-b", "{}");
	tell(&told, "outcome", "stop-b", SKIPPED);
	tell(&told, "outcome", "links", OUTCOME("skip"));
	fold_good(&told, &view);
	cr_expect(view.steps[0].skipped);
	cr_expect(view.steps[1].skipped);
	cr_expect_not(view.steps[2].skipped, "it was begun");
	cr_expect_not(view.steps[4].skipped, "it looked, and found something");
	cr_expect_eq(view.steps[1].state, STEP_DONE);
}

Test(fold, the_outcome_may_say_itself_whether_it_ran)
{
	struct told told = opened();
	AUTO_VIEW view;

	tell(&told, "outcome", "names",
	     "{\"skipped\":false,\"result\":{\"verdict\":\"skip\",\"summary\":null,\"outputs\":{},"
	     "\"findings\":[]},\"duration_us\":0,\"error\":null}");
	fold_good(&told, &view);
	cr_expect_not(view.steps[0].skipped);
}

Test(fold, an_undo_that_failed_is_told_beside_what_was_done)
{
	struct told told = opened();
	AUTO_VIEW view, again, last;

	tell(&told, "outcome", "stop-a", OUTCOME("warn"));
	tell(&told, "undo-intent", "stop-a", "{}");
	fold_good(&told, &view);
	cr_expect(view.steps[1].undo_begun && !view.steps[1].undo_ended);
	tell(&told, "undo-outcome", "stop-a", UNDONE("no"));
	fold_good(&told, &again);
	cr_expect(again.steps[1].undo_begun && again.steps[1].undo_ended);
	cr_expect_eq(again.steps[1].result.verdict, VERDICT_WARN);
	cr_expect_eq(again.steps[1].undo_result.verdict, VERDICT_PASS);
	tell(&told, "outcome", "stop-a", OUTCOME("pass"));
	fold_good(&told, &last);
	cr_expect_not(last.steps[1].undo_begun || last.steps[1].undo_ended, "found done since");
}

Test(fold, the_boundary_may_be_crossed_any_number_of_times)
{
	static const struct {
		const char *type, *body;
		enum session_phase phase;
		unsigned crossings;
	} walk[] = {
		{ "card", "{\"sha256\":\"x\",\"text\":\"the card\"}", SESSION_BEFORE, 0 },
		{ "crossing", "{\"boot_id\":\"b1\",\"map\":{}}", SESSION_CROSSING, 1 },
		{ "not-crossed", "{\"boot_id\":\"b1\"}", SESSION_BEFORE, 0 },
		{ "crossing", "{\"boot_id\":\"b1\"}", SESSION_CROSSING, 1 },
		{ "crossed", "{\"boot_id\":\"b2\",\"end\":\"drives\"}", SESSION_AFTER, 1 },
		{ "crossing", "{\"boot_id\":\"b2\"}", SESSION_CROSSING, 2 },
		{ "not-crossed", "{\"boot_id\":\"b2\"}", SESSION_AFTER, 1 },
		{ "crossing", "{\"boot_id\":\"b2\"}", SESSION_CROSSING, 2 },
		{ "crossed", "{\"boot_id\":\"b3\",\"end\":null}", SESSION_AFTER, 2 },
		{ "closed", "{\"as\":\"differs\",\"how\":\"kept\"}", SESSION_CLOSED, 2 },
	};
	struct told told = opened();

	for (size_t i = 0; i < ELEMENTS(walk); i++) {
		AUTO_VIEW view;

		tell(&told, walk[i].type, NULL, walk[i].body);
		fold_good(&told, &view);
		cr_expect_eq(view.phase, walk[i].phase, "%zu: %s", i, walk[i].type);
		cr_expect_eq(view.crossings, walk[i].crossings, "%zu: %s", i, walk[i].type);
	}
}

Test(fold, what_was_crossed_is_done)
{
	struct told told = opened();
	AUTO_VIEW view;

	tell(&told, "card", NULL, "{\"sha256\":\"x\",\"text\":\"the card\"}");
	tell(&told, "crossing", NULL, "{\"boot_id\":\"b1\"}");
	tell(&told, "crossed", NULL, "{\"boot_id\":\"b2\",\"end\":\"board\"}");
	fold_good(&told, &view);
	cr_expect_eq(view.steps[3].state, STEP_DONE);
	cr_expect_eq(view.steps[3].result.verdict, VERDICT_PASS);
	cr_expect_str_eq(view.exchanged_end, "board");
	cr_expect_str_eq(view.card, "the card");
}

Test(fold, a_call_that_goes_on_is_no_longer_stopped)
{
	struct told told = opened();
	AUTO_VIEW view, again, undoing, last;

	tell(&told, "stopped", NULL, "{\"why\":\"asked\",\"next\":\"coldswap resume\"}");
	fold_good(&told, &view);
	cr_expect_str_eq(view.stopped, "asked");
	tell(&told, "resumed", NULL, "{\"boot_id\":\"b1\"}");
	fold_good(&told, &again);
	cr_expect_null(again.stopped);
	tell(&told, "stopped", NULL, "{\"why\":\"asked\",\"next\":\"coldswap abort\"}");
	tell(&told, "undo-intent", "stop-a", "{}");
	fold_good(&told, &undoing);
	cr_expect_null(undoing.stopped, "an abort that was begun since is not stopped");
	tell(&told, "accepted", NULL,
	     "{\"finding\":\"disk.smart/reallocated\",\"subject\":\"A\",\"because\":\"old\"}");
	tell(&told, "closed", NULL, "{\"as\":\"aborted\",\"how\":null}");
	fold_good(&told, &last);
	cr_expect_str_eq(last.closed_as, "aborted");
	cr_expect_str_eq(last.closed_at, "2026-11-30T12:00:06.000000Z");
	cr_expect_eq(last.n_accepted, 1);
	cr_expect_str_eq(last.accepted[0].because, "old");
}

Test(fold, a_second_crossing_is_no_longer_stopped)
{
	struct told told = opened();
	AUTO_VIEW view;

	tell(&told, "crossing", NULL, "{\"boot_id\":\"b1\"}");
	tell(&told, "crossed", NULL, "{\"boot_id\":\"b2\",\"end\":\"drives\"}");
	tell(&told, "stopped", NULL, "{\"why\":\"wrong cables\",\"next\":\"coldswap resume\"}");
	tell(&told, "crossing", NULL, "{\"boot_id\":\"b2\"}");
	fold_good(&told, &view);
	cr_expect_null(view.stopped);
}

Test(fold, whatever_does_not_fit_is_named)
{
	static const struct {
		const char *type, *step, *body;
	} bad[] = {
		{ "opened", NULL, OPENED },
		{ "unheard-of", NULL, "{}" },
		{ "", NULL, "{}" },
		{ "intent", NULL, "{}" },
		{ "intent", "stop-c", "{}" },
		{ "intent", "stop-a", "[]" },
		{ "intent", "stop-a", "" },
		{ "intent", "stop-a", "{" },
		{ "outcome", "stop-a", "{}" },
		{ "outcome", NULL, OUTCOME("pass") },
		{ "outcome", "stop-a", OUTCOME("good") },
		{ "outcome", "stop-a", "{\"result\":" RESULT("pass") ",\"error\":null}" },
		{ "outcome", "stop-a",
		  "{\"result\":" RESULT("pass") ",\"duration_us\":-1,\"error\":null}" },
		{ "outcome", "stop-a",
		  "{\"result\":" RESULT("pass") ",\"duration_us\":1,\"error\":{\"code\":0}}" },
		{ "outcome", "stop-a",
		  "{\"result\":" RESULT("pass") ",\"duration_us\":1,\"error\":{\"code\":-5}}" },
		{ "outcome", "stop-a", "{\"result\":null,\"duration_us\":1,\"error\":null}" },
		{ "outcome", "stop-a",
		  "{\"result\":" RESULT(
			  "pass") ",\"duration_us\":1,\"error\":null,\"skipped\":1}" },
		{ "undo-outcome", "stop-a", OUTCOME("pass") },
		{ "undo-outcome", "stop-a", UNDONE("maybe") },
		{ "original", "stop-a", "{\"key\":\"k\"}" },
		{ "void", "stop-a", "{}" },
		{ "accepted", NULL, "{\"finding\":\"a\",\"subject\":\"b\"}" },
		{ "stopped", NULL, "{\"next\":null}" },
		{ "card", NULL, "{}" },
		{ "crossing", NULL, "{}" },
		{ "not-crossed", NULL, "{}" },
		{ "crossed", NULL, "{}" },
		{ "closed", NULL, "{\"as\":\"well\",\"how\":null}" },
		{ "closed", NULL, "{\"as\":null}" },
	};

	for (size_t i = 0; i < ELEMENTS(bad); i++) {
		struct told told = opened();

		tell(&told, bad[i].type, bad[i].step, bad[i].body);
		fold_bad(&told, bad[i].body);
	}
}

Test(fold, a_wrong_end_of_the_cables_is_named)
{
	struct told told = opened();

	tell(&told, "crossing", NULL, "{\"boot_id\":\"b1\"}");
	tell(&told, "crossed", NULL, "{\"end\":\"middle\"}");
	fold_bad(&told, "middle");
}

Test(fold, nothing_follows_the_end)
{
	struct told told = opened();

	tell(&told, "closed", NULL, "{\"as\":\"pass\",\"how\":null}");
	tell(&told, "resumed", NULL, "{}");
	fold_bad(&told, "resumed");
}

Test(fold, an_opening_that_does_not_fit_is_refused)
{
	static const char *const bad[] = {
		"{}",
		OPENED_WITH("", "1"),
		OPENED_WITH("", "null"),
		OPENED_WITH("", "-1"),
		OPENED_WITH("{}", "1"),
		OPENED_WITH(STEP("a", "no.such", "null", "null"), "1"),
		OPENED_WITH(STEP("a", "unit.stop", "null", "1"), "1"),
		OPENED_WITH(STEP("a", "unit.stop", "7", "null"), "1"),
		OPENED_WITH(STEP("a", "unit.stop", "null", "null") "," STEP("a", "unit.stop",
									    "null", "null"),
			    "2"),
	};

	for (size_t i = 0; i < ELEMENTS(bad); i++) {
		struct told told = { 0 };

		tell(&told, "opened", NULL, bad[i]);
		fold_bad(&told, bad[i]);
	}
}

Test(fold, a_session_begins_with_its_opening)
{
	struct told told = { 0 }, none = { 0 };
	struct session_view view;

	tell(&told, "resumed", NULL, "{}");
	fold_bad(&told, "resumed");
	cr_expect_eq(fold_told(&none, &view, NULL), -EBADMSG);
}

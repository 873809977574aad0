/* SPDX-License-Identifier: MIT */
#include "told.h"

#include <unistd.h>

#include "base/json.h"
#include "base/strv.h"
#include "tree.h"

#define AUTO_REPORT CLEANUP(report_done) struct report

/* The events of `told` but the opening, written into a journal. */
static struct journal *write_told(const struct tree *state, const struct told *told)
{
	struct journal *journal = NULL;
	int64_t session = 0;

	cr_assert_eq(journal_open(state->root, JOURNAL_WRITE, &journal, NULL), 0);
	cr_assert_eq(journal_begin(journal, OPENED, &session, NULL), 0);
	for (size_t i = 0; i < told->n; i++)
		if (strcmp(told->items[i].type, "closed") == 0)
			cr_assert_eq(journal_end(journal, session, told->items[i].body, NULL), 0);
		else
			cr_assert_eq(journal_append(journal, session, told->items[i].type,
						    told->items[i].step, told->items[i].body, NULL),
				     0);
	return journal;
}

static void view_told(const struct told *told, struct session_view *ret)
{
	AUTO_TREE state = tree_new();
	CLEANUP(cleanup_journal) struct journal *journal = write_told(&state, told);
	CLEANUP(error_done) struct error err = ERROR_INIT;

	cr_assert_eq(session_view(journal, NULL, 0, ret, &err), 0, "%s", error_text(&err));
}

Test(view, finds_the_open_session_else_the_last)
{
	AUTO_TREE state = tree_new();
	struct told told = { 0 };
	CLEANUP(cleanup_journal) struct journal *journal = NULL;
	AUTO_VIEW first, second, third;
	struct session_view none;
	char head[65];
	int64_t session;

	tell(&told, "closed", NULL, "{\"as\":\"pass\",\"how\":\"well\"}");
	journal = write_told(&state, &told);
	cr_assert_eq(session_view(journal, state.root, 0, &first, NULL), 0);
	cr_expect_eq(first.number, 1);
	cr_expect_str_eq(first.closed_how, "well");
	cr_expect_eq(first.position, 7);
	cr_assert_eq(journal_begin(journal, OPENED, &session, NULL), 0);
	cr_assert_eq(session_view(journal, state.root, 0, &second, NULL), 0);
	cr_expect_eq(second.number, 2);
	cr_expect_eq(second.phase, SESSION_BEFORE);
	cr_assert_eq(journal_head(journal, head, NULL), 0);
	cr_expect_str_eq(second.head, head);
	cr_assert_eq(session_view(journal, state.root, 1, &third, NULL), 0);
	cr_expect_eq(third.phase, SESSION_CLOSED);
	cr_expect_eq(session_view(journal, state.root, 3, &none, NULL), -ENOENT);
	cr_expect_eq(session_view(journal, state.root, -1, &none, NULL), -ENOENT);
}

Test(view, the_capture_is_found_where_the_journal_lies_now)
{
	AUTO_TREE state = tree_new();
	struct told told = { 0 };
	CLEANUP(cleanup_journal) struct journal *journal = write_told(&state, &told);
	AUTO_VIEW moved, left;
	char path[512];

	snprintf(path, sizeof(path), "%s/1/before", state.root);
	cr_assert_eq(session_view(journal, state.root, 0, &moved, NULL), 0);
	cr_expect_str_eq(moved.before, path);
	cr_assert_eq(session_view(journal, NULL, 0, &left, NULL), 0);
	cr_expect_str_eq(left.before, "/var/lib/coldswap/1/before");
}

Test(view, the_step_that_comes_next)
{
	static const struct {
		const char *type, *step, *body;
		size_t position;
	} walk[] = {
		{ "outcome", "names", OUTCOME("unknown"), 0 },
		{ "accepted", NULL,
		  "{\"finding\":\"names.fstab/"
		  "kernel-name\",\"subject\":\"other\",\"because\":\"b\"}",
		  0 },
		{ "accepted", NULL,
		  "{\"finding\":\"names.fstab/kernel-name\",\"subject\":\"/etc/fstab:7\","
		  "\"because\":\"b\"}",
		  1 },
		{ "outcome", "names", OUTCOME("fail"), 0 },
		{ "outcome", "names", OUTCOME("warn"), 1 },
		{ "intent", "stop-a", "{}", 1 },
		{ "outcome", "stop-a", OUTCOME("pass"), 2 },
		{ "outcome", "stop-b", SKIPPED, 3 },
		{ "void", "stop-a", "{\"reason\":\"reboot\"}", 1 },
		{ "outcome", "stop-a", OUTCOME("pass"), 3 },
		{ "crossing", NULL, "{\"boot_id\":\"b1\"}", 3 },
		{ "crossed", NULL, "{\"boot_id\":\"b2\"}", 4 },
		{ "outcome", "links", OUTCOME("pass"), 5 },
		{ "outcome", "back-b", OUTCOME("pass"), 6 },
		{ "undo-outcome", "stop-a", UNDONE("yes"), 6 },
		{ "outcome", "back-a", OUTCOME("pass"), 7 },
	};
	struct told told = { 0 };

	for (size_t i = 0; i < ELEMENTS(walk); i++) {
		AUTO_VIEW view;

		tell(&told, walk[i].type, walk[i].step, walk[i].body);
		view_told(&told, &view);
		cr_expect_eq(view.position, walk[i].position, "%zu: %s: %zu", i, walk[i].type,
			     view.position);
	}
}

/* What was taken back comes again, but where the runbook itself takes it back. */
Test(view, an_undone_step_comes_next_unless_the_runbook_restored_it)
{
	struct told told = { 0 };
	AUTO_VIEW open, restored;

	tell(&told, "outcome", "names", OUTCOME("pass"));
	tell(&told, "undo-outcome", "stop-a", UNDONE("yes"));
	view_told(&told, &open);
	cr_expect_eq(open.position, 1);
	tell(&told, "outcome", "back-a", OUTCOME("pass"));
	view_told(&told, &restored);
	cr_expect_eq(restored.position, 2);
}

Test(view, changes_are_told_last_first)
{
	struct told told = { 0 };
	AUTO_VIEW view;
	AUTO_STRV char **changes = NULL;

	tell(&told, "outcome", "names", OUTCOME("fail"));
	tell(&told, "intent", "stop-a", "{}");
	tell(&told, "outcome", "stop-a", OUTCOME("pass"));
	tell(&told, "intent", "stop-b", "{}");
	view_told(&told, &view);
	cr_assert_eq(session_changes(&view, &changes, NULL), 0);
	cr_assert_eq(strv_length(changes), 2);
	cr_expect_str_eq(changes[0], "Step 'stop-b' was begun, and its end is not recorded: "
				     "do stop-b. Abort takes it back.");
	cr_expect_str_eq(changes[1], "Step 'stop-a' is done: do stop-a. Abort: start a again.");
}

Test(view, what_is_not_changed_is_not_told)
{
	struct told told = { 0 };
	AUTO_VIEW view, stuck;
	AUTO_STRV char **changes = NULL;

	tell(&told, "outcome", "stop-a", SKIPPED);
	tell(&told, "intent", "stop-b", "{}");
	tell(&told, "undo-intent", "stop-b", "{}");
	tell(&told, "undo-outcome", "stop-b", UNDONE("yes"));
	view_told(&told, &view);
	cr_assert_eq(session_changes(&view, &changes, NULL), 0);
	cr_expect_null(changes);
	told.n--;
	tell(&told, "undo-outcome", "stop-b", UNDONE("unknown"));
	view_told(&told, &stuck);
	cr_assert_eq(session_changes(&stuck, &changes, NULL), 0);
	cr_assert_eq(strv_length(changes), 1);
	cr_expect_not_null(strstr(changes[0], "not proved"));
}

Test(view, the_next_command)
{
	struct told told = { 0 };
	AUTO_VIEW view, closed;
	AUTO_TREE place = tree_new();
	AUTO_FREE char *usual = NULL, *odd = NULL, *none = NULL;
	char path[512], wanted[600];

	view_told(&told, &view);
	cr_assert_eq(session_next(&view, "coldswap", "/var/lib/coldswap", &usual, NULL), 0);
	cr_expect_str_eq(usual, "coldswap resume");
	tree_file(&place, "a b/x", "");
	tree_path(&place, "a b", path);
	snprintf(wanted, sizeof(wanted), "./coldswap resume --state '%s'", path);
	cr_assert_eq(chdir(place.root), 0);
	cr_assert_eq(session_next(&view, "./coldswap", "a b", &odd, NULL), 0);
	cr_expect_str_eq(odd, wanted);
	tell(&told, "closed", NULL, "{\"as\":\"aborted\",\"how\":null}");
	view_told(&told, &closed);
	cr_assert_eq(session_next(&closed, "coldswap", NULL, &none, NULL), 0);
	cr_expect_null(none);
}

Test(view, a_report_shows_what_came_of_each_step_last)
{
	static const struct {
		enum verdict verdict;
		const char *state, *summary;
	} wanted[] = {
		{ VERDICT_WARN, "done", "it is warn" },
		{ VERDICT_PASS, "undone", "it is pass" },
		{ VERDICT_UNKNOWN, "intended", "begun; how it ended is not recorded" },
		{ VERDICT_SKIP, "not begun", "not begun" },
		{ VERDICT_SKIP, "void", "a reboot" },
		{ VERDICT_UNKNOWN, "failed", NULL },
		{ VERDICT_SKIP, "done", "not here" },
	};
	struct told told = { 0 };
	AUTO_VIEW view;
	AUTO_REPORT report;

	tell(&told, "outcome", "names", OUTCOME("warn"));
	tell(&told, "outcome", "stop-a", OUTCOME("fail"));
	tell(&told, "undo-outcome", "stop-a", UNDONE("yes"));
	tell(&told, "intent", "stop-b", "{}");
	tell(&told, "outcome", "links", OUTCOME("fail"));
	tell(&told, "void", "links", "{\"reason\":\"a reboot\"}");
	tell(&told, "outcome", "back-b", BROKEN);
	tell(&told, "outcome", "back-a", SKIPPED);
	view_told(&told, &view);
	cr_assert_eq(session_report(&view, &report, NULL), 0);
	cr_assert_eq(report.n_steps, ELEMENTS(wanted));
	for (size_t i = 0; i < report.n_steps; i++) {
		const struct report_step *step = &report.steps[i];

		cr_expect_eq(step->result.verdict, wanted[i].verdict, "%zu", i);
		cr_expect_str_eq(step->state, wanted[i].state);
		if (wanted[i].summary)
			cr_expect_str_eq(step->result.summary, wanted[i].summary);
	}
	cr_expect_str_eq(report.steps[0].result.findings[0].subject, "/etc/fstab:7");
	cr_expect_eq(report.steps[0].duration_us, 2500000);
	cr_expect_eq(report.steps[0].plan->estimate_us, 1500000);
	cr_expect_eq(report.steps[5].failure.code, -EIO);
	cr_expect_eq(report.verdict, VERDICT_UNKNOWN);
	cr_expect_eq(report.exit_code, EXIT_WAITING);
	cr_expect_str_eq(report.host_name, "h");
	cr_expect_gt(report.started.tv_sec, 0);
	cr_expect_geq(report.finished.tv_sec, report.started.tv_sec);
}

Test(view, an_undo_that_failed_is_what_a_report_shows)
{
	struct told told = { 0 };
	AUTO_VIEW view;
	AUTO_REPORT report;

	tell(&told, "outcome", "stop-a", OUTCOME("pass"));
	tell(&told, "undo-intent", "stop-a", "{}");
	tell(&told, "undo-outcome", "stop-a",
	     "{\"result\":" RESULT(
		     "fail") ",\"duration_us\":1,\"error\":null,\"standing\":\"no\"}");
	view_told(&told, &view);
	cr_assert_eq(session_report(&view, &report, NULL), 0);
	cr_expect_eq(report.steps[1].result.verdict, VERDICT_FAIL);
	cr_expect_str_eq(report.steps[1].state, "done");
}

Test(view, a_report_can_be_printed)
{
	struct told told = { 0 };
	AUTO_VIEW view;
	AUTO_REPORT report;
	AUTO_BUF text = BUF_INIT, drawn = BUF_INIT;
	AUTO_JSON document = NULL;

	tell(&told, "outcome", "names", OUTCOME("warn"));
	tell(&told, "closed", NULL, "{\"as\":\"differs\",\"how\":\"kept\"}");
	view_told(&told, &view);
	cr_assert_eq(session_report(&view, &report, NULL), 0);
	cr_expect_eq(report.exit_code, EXIT_CHECK_FAILED);
	cr_assert_eq(report_json(&report, &text, NULL), 0);
	cr_assert_eq(json_parse(buf_text(&text), text.len, "report", &document, NULL), 0);
	cr_expect_eq(json_array_size(json_object_get(document, "steps")), 7);
	cr_expect_eq(report_text(&report, &(struct screen){ .width = 80 }, &drawn, NULL), 0);
}

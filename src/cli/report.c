/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/parse.h"
#include "cli/past.h"
#include "cli/scene.h"
#include "cli/talk.h"
#include "report/session.h"

/* ---- one session ---------------------------------------------------------------- */

static int no_session(const char *word)
{
	struct error err = ERROR_INIT;

	error_set(&err, -EINVAL, _("there is no session '%s'"), word);
	error_hint(&err, "%s", _("'coldswap report' lists the sessions."));
	return scene_give_up(&err);
}

static int show_one(struct past *past, const struct call *call, int64_t number)
{
	AUTO_BUF text = BUF_INIT;
	struct error err = ERROR_INIT;
	int r = past_open(past, call, number, &err);

	if (r == -ENOENT && !past->found) {
		error_done(&err);
		return no_session(call->args[0]);
	}
	past->report.exit_code = EXIT_SAFE;
	if (r >= 0)
		r = past_check(past, &err);
	if (r >= 0)
		r = past_copies(past, &err);
	if (r >= 0 && call->options.format == FORMAT_JSON)
		r = past_json(past, &text, &err);
	else if (r >= 0)
		r = session_report_text(&past->report, &call->screen, &text, &err);
	return r < 0 ? scene_give_up(&err) : talk_result(&text, past->report.exit_code);
}

/* ---- the list ------------------------------------------------------------------- */

struct list {
	struct session_view *views;
	struct report_session *sessions;
	size_t n;
};

static void list_done(struct list *list)
{
	for (size_t i = 0; i < list->n; i++)
		session_view_done(&list->views[i]);
	free(list->views);
	free(list->sessions);
}

static int read_list(struct past *past, const char *state, struct list *list, struct error *err)
{
	int64_t count;
	int r = journal_count(past->journal, &count, err);

	if (r < 0)
		return r;
	list->views = calloc((size_t)count + 1, sizeof(*list->views));
	list->sessions = calloc((size_t)count + 1, sizeof(*list->sessions));
	if (!list->views || !list->sessions)
		return error_oom(err);
	for (int64_t i = 0; i < count; i++) {
		r = session_view(past->journal, state, i + 1, &list->views[i], err);
		if (r < 0)
			return r;
		list->sessions[list->n] = past_summary(&list->views[i]);
		list->n++;
	}
	return 0;
}

static int show_list(struct past *past, const struct call *call)
{
	CLEANUP(list_done) struct list list = { 0 };
	AUTO_BUF text = BUF_INIT;
	struct error err = ERROR_INIT;
	int r = past_journal(past, call, &err);

	if (r == -ENOENT) {
		error_done(&err);
		r = 0;
	} else if (r >= 0) {
		r = read_list(past, past_state(call), &list, &err);
	}
	if (r >= 0 && call->options.format == FORMAT_JSON)
		r = session_list_json(list.sessions, list.n, &text, &err);
	else if (r >= 0)
		r = session_list_text(list.sessions, list.n, &call->screen, &text, &err);
	return r < 0 ? scene_give_up(&err) : talk_result(&text, EXIT_SAFE);
}

int verb_report(struct call *call)
{
	AUTO_PAST past = PAST_INIT;
	unsigned number;

	if (!call->n_args)
		return show_list(&past, call);
	if (parse_unsigned(call->args[0], &number) < 0 || number == 0)
		return no_session(call->args[0]);
	return show_one(&past, call, number);
}

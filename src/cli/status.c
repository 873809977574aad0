/* SPDX-License-Identifier: MIT */
#include <errno.h>

#include "base/intl.h"
#include "cli/past.h"
#include "cli/scene.h"
#include "cli/talk.h"
#include "report/page.h"
#include "report/session.h"

static void no_session(const struct call *call, struct buf *ret)
{
	struct page page = { &call->screen, ret };
	const char *text = _("No session is open, and there was none before.");

	if (call->screen.plain)
		page_fact(&page, "result", text);
	else
		page_line(&page, &(struct page_line){ 0 }, text);
}

static int print(struct past *past, const struct call *call, struct buf *ret, struct error *err)
{
	if (call->options.format == FORMAT_JSON)
		return past_json(past, ret, err);
	if (past->found)
		return session_status_text(&past->report, &call->screen, ret, err);
	no_session(call, ret);
	return 0;
}

/* The world is not judged here: open waits for the operator, closed or none is well. */
int verb_status(struct call *call)
{
	AUTO_PAST past = PAST_INIT;
	AUTO_BUF text = BUF_INIT;
	struct error err = ERROR_INIT;
	int r = past_open(&past, call, 0, &err);

	if (r == -ENOENT && !past.found) {
		error_done(&err);
		r = 0;
	}
	past.report.exit_code =
		past.found && past.view.phase != SESSION_CLOSED ? EXIT_WAITING : EXIT_SAFE;
	if (r >= 0 && past.found)
		r = past_check(&past, &err);
	if (r >= 0 && past.found)
		r = past_copies(&past, &err);
	if (r >= 0)
		r = print(&past, call, &text, &err);
	return r < 0 ? scene_give_up(&err) : talk_result(&text, past.report.exit_code);
}

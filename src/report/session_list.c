/* SPDX-License-Identifier: MIT */
#include "base/intl.h"
#include "report/session.h"

/* The day is enough to know a session by; --json and `report N` have the rest. */
static void line(struct page *page, const struct report_session *session)
{
	const char *how = session->closed_as ? session->closed_as : session->phase;
	AUTO_BUF lead = BUF_INIT, text = BUF_INIT;

	buf_addf(&text, "%.16s  %s: %s", session->opened_at ? session->opened_at : "",
		 session->runbook ? session->runbook : "-", session->closed_at ? how : _("open"));
	if (page->screen->plain) {
		buf_addf(&lead, "session %ju", (uintmax_t)session->number);
		page_fact(page, buf_text(&lead), buf_text(&text));
		return;
	}
	buf_addf(&lead, "%4ju  ", (uintmax_t)session->number);
	page_line(page, &(struct page_line){ .lead = buf_text(&lead), .lead_tone = TONE_STRONG },
		  buf_text(&text));
}

int session_list_text(const struct report_session *sessions, size_t n, const struct screen *screen,
		      struct buf *ret, struct error *err)
{
	struct page page = { screen, ret };

	for (size_t i = 0; !screen->quiet && i < n; i++)
		line(&page, &sessions[i]);
	if (!screen->plain)
		page_linef(&page, &(struct page_line){ 0 },
			   n ? PLURAL("%zu session.", "%zu sessions.", n) : _("No session yet."),
			   n);
	return buf_error(ret) < 0 ? error_oom(err) : 0;
}

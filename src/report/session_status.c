/* SPDX-License-Identifier: MIT */
/* Where a session stands: the step that comes, what is changed, what stopping leaves. */
#include <string.h>

#include "base/intl.h"
#include "report/session.h"

static void step_line(struct page *page, const struct report *report)
{
	const struct report_session *session = report->session;
	const struct plan *plan = report->plan;
	AUTO_BUF text = BUF_INIT;

	/* The power-off was asked for: what comes next is the machine's. */
	if (session->closed_at || session->position >= plan->n_steps ||
	    strcmp(session->phase, "crossing") == 0)
		return;
	buf_addf(&text, _("Step %zu of %zu comes next: %s: %s"), session->position + 1,
		 plan->n_steps, plan->steps[session->position].id,
		 plan->steps[session->position].title);
	session_fact(page, "step", buf_text(&text));
}

static void change_lines(struct page *page, const struct report_session *session)
{
	char *const *change = session->changes;

	if (!change || !*change) {
		session_fact(page, "changed", _("Nothing of the host is changed."));
		return;
	}
	if (!page->screen->plain)
		page_line(page, &(struct page_line){ 0 },
			  _("Changed now, and left so by whoever stops here:"));
	for (; *change; change++)
		if (page->screen->plain)
			page_fact(page, "changed", *change);
		else
			page_line(page, &(struct page_line){ .indent = 2, .lead = "- " }, *change);
}

static void standing(struct page *page, const struct report *report)
{
	size_t before;

	if (!page->screen->plain)
		page_blank(page);
	before = page->out->len;
	step_line(page, report);
	session_stopped(page, report->session);
	if (!report->session->closed_at)
		change_lines(page, report->session);
	session_accepted(page, report->session);
	session_copies(page, report->session);
	if (!page->screen->plain && page->out->len > before)
		page_blank(page);
}

static void draw(struct page *page, const struct report *report)
{
	session_head(page, report);
	standing(page, report);
	if (report->session->broken)
		session_chain(page, report->session);
	session_close(page, report);
}

int session_status_text(const struct report *report, const struct screen *screen, struct buf *ret,
			struct error *err)
{
	struct page page = { screen, ret };
	AUTO_BUF sentence = BUF_INIT;

	if (screen->quiet) {
		session_sentence(report->session, &sentence);
		page_line(&page, &(struct page_line){ 0 }, buf_text(&sentence));
	} else {
		draw(&page, report);
	}
	return buf_error(ret) < 0 ? error_oom(err) : 0;
}

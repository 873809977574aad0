/* SPDX-License-Identifier: MIT */
#include "report/session.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/text.h"
#include "card.h"
#include "report/fill.h"

/* One whole sentence for each phase, and for each way to close. */
static const struct {
	const char *phase, *closed_as, *sentence;
} sentences[] = {
	{ "open", NULL, N_("Session {n} is open.") },
	{ "before", NULL, N_("Session {n} is open, before the power-off.") },
	{ "crossing", NULL,
	  N_("Session {n} is open: the machine was asked to power off, and what comes after the "
	     "boot is still to be done.") },
	{ "after", NULL, N_("Session {n} is open, after the power-off.") },
	{ "closed", "pass", N_("Session {n} is closed: all was done as planned.") },
	{ "closed", "differs",
	  N_("Session {n} is closed: not everything is as planned, and it was kept so.") },
	{ "closed", "aborted", N_("Session {n} is closed: it was aborted.") },
	{ "closed", NULL, N_("Session {n} is closed.") },
};

static const char *sentence_of(const struct report_session *session)
{
	const char *phase = session->phase;

	if (!session->powers_off && strcmp(phase, "before") == 0)
		phase = "open";
	for (size_t i = 0; i < ELEMENTS(sentences); i++)
		if (strcmp(sentences[i].phase, phase) == 0 &&
		    (!sentences[i].closed_as ||
		     (session->closed_as &&
		      strcmp(sentences[i].closed_as, session->closed_as) == 0)))
			return _(sentences[i].sentence);
	return _("It is not known how session {n} stands.");
}

int session_sentence(const struct report_session *session, struct buf *ret)
{
	AUTO_BUF number = BUF_INIT;

	buf_addf(&number, "%ju", (uintmax_t)session->number);
	return fill_sentence(sentence_of(session),
			     (const struct fill[]){ { "n", buf_text(&number) }, { NULL, NULL } },
			     ret);
}

void session_fact(struct page *page, const char *label, const char *text)
{
	if (!text)
		return;
	if (page->screen->plain)
		page_fact(page, label, text);
	else
		page_line(page, &(struct page_line){ 0 }, text);
}

/* Each line of the text below the one before, behind one lead. */
static void work_lines(struct page *page, const char *text)
{
	const char *lead = _("Planned work: ");
	struct page_line line = { .lead = lead };

	while (*text) {
		size_t len = strcspn(text, "\n");
		AUTO_FREE char *each = strndup(text, len);

		if (each && page->screen->plain)
			page_fact(page, "work", each);
		else if (each)
			page_line(page, &line, each);
		line = (struct page_line){ .indent = text_columns(lead) };
		text += len + (text[len] == '\n');
	}
}

static void title(struct page *page, const struct report *report)
{
	const struct report_session *session = report->session;
	AUTO_BUF number = BUF_INIT, text = BUF_INIT;

	buf_addf(&number, "%ju", (uintmax_t)session->number);
	fill_sentence(_("coldswap session {n} of {host}: {runbook}"),
		      (const struct fill[]){
			      { "n", buf_text(&number) },
			      { "host", report->host_name ? report->host_name : _("this host") },
			      { "runbook", session->runbook ? session->runbook : "-" },
			      { NULL, NULL } },
		      &text);
	page_line(page, &(struct page_line){ .tone = TONE_STRONG, .hang = 2 }, buf_text(&text));
}

static void plain_title(struct page *page, const struct report *report)
{
	const struct report_session *session = report->session;
	AUTO_BUF number = BUF_INIT;

	buf_addf(&number, "%ju", (uintmax_t)session->number);
	page_fact(page, "command", report->command);
	page_fact(page, "session", buf_text(&number));
	page_fact(page, "host", report->host_name ? report->host_name : _("this host"));
	session_fact(page, "runbook", session->runbook);
	page_fact(page, "phase", session->phase);
	session_fact(page, "closed-as", session->closed_as);
	session_fact(page, "opened", session->opened_at);
	session_fact(page, "closed", session->closed_at);
}

/* To the second: microseconds are for machines. */
static void dates(struct page *page, const struct report_session *session)
{
	if (session->closed_at)
		page_linef(page, &(struct page_line){ 0 }, _("Opened %.19sZ, closed %.19sZ."),
			   session->opened_at, session->closed_at);
	else
		page_linef(page, &(struct page_line){ 0 }, _("Opened %.19sZ."), session->opened_at);
}

void session_stopped(struct page *page, const struct report_session *session)
{
	AUTO_BUF text = BUF_INIT;

	if (session->running) {
		buf_addf(&text, _("It is in hand now: %s."), session->running);
		session_fact(page, "running", buf_text(&text));
	} else if (session->stopped) {
		buf_addf(&text, _("It stopped: %s"), session->stopped);
		session_fact(page, "stopped", buf_text(&text));
	}
}

void session_head(struct page *page, const struct report *report)
{
	if (page->screen->plain)
		plain_title(page, report);
	else
		title(page, report);
	if (report->session->work && report->session->powers_off)
		work_lines(page, report->session->work);
	if (!page->screen->plain)
		dates(page, report->session);
}

void session_accepted(struct page *page, const struct report_session *session)
{
	for (size_t i = 0; i < session->n_accepted; i++) {
		const struct acceptance *each = &session->accepted[i];
		AUTO_BUF text = BUF_INIT;

		fill_sentence(_("Accepted: {finding} of {subject}, because {why}"),
			      (const struct fill[]){ { "finding", each->finding },
						     { "subject", each->subject },
						     { "why", each->because },
						     { NULL, NULL } },
			      &text);
		if (page->screen->plain)
			page_fact(page, "accepted", buf_text(&text));
		else
			page_line(page, &(struct page_line){ .lead = "! ", .lead_tone = TONE_WARN },
				  buf_text(&text));
	}
}

void session_chain(struct page *page, const struct report_session *session)
{
	AUTO_BUF text = BUF_INIT;

	if (session->broken)
		buf_addf(&text, _("The journal's chain does not fit: %s."), session->broken);
	else if (session->events)
		buf_addf(&text,
			 PLURAL("The chain of %zu event is whole, head %s.",
				"The chain of %zu events is whole, head %s.", session->events),
			 session->events, session->head);
	else
		return;
	if (page->screen->plain)
		page_fact(page, "chain", buf_text(&text));
	else
		page_line(page,
			  &(struct page_line){ .tone = session->broken ? TONE_BAD : TONE_PLAIN },
			  buf_text(&text));
}

void session_close(struct page *page, const struct report *report)
{
	const struct report_session *session = report->session;
	AUTO_BUF sentence = BUF_INIT;

	session_sentence(session, &sentence);
	if (page->screen->plain) {
		page_fact(page, "result", buf_text(&sentence));
		session_fact(page, "next", session->next);
		return;
	}
	page_line(page, &(struct page_line){ .tone = TONE_STRONG }, buf_text(&sentence));
	if (session->next)
		page_line(page, &(struct page_line){ .lead = _("Next: "), .whole = true },
			  session->next);
}

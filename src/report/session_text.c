/* SPDX-License-Identifier: MIT */
/* All of a session: planned and actual time beside each step, what it found, the chain. */
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "base/text.h"
#include "report/duration.h"
#include "report/session.h"
#include "report/text.h"

#define TIME_COLUMNS 9

/* Has the step an outcome that is still good? */
static bool has_run(const struct report_step *step)
{
	return !step->state || strcmp(step->state, "done") == 0 ||
	       strcmp(step->state, "failed") == 0;
}

static void add_time(uint64_t us, const char *mark, struct buf *ret)
{
	AUTO_BUF text = BUF_INIT;
	unsigned columns;

	buf_adds(&text, mark);
	if (us < 1000000)
		buf_adds(&text, _("<1 s"));
	else
		duration_words(us, &text);
	columns = text_columns(buf_text(&text));
	buf_addf(ret, "%*s%s", columns < TIME_COLUMNS ? (int)(TIME_COLUMNS - columns) : 0, "",
		 buf_text(&text));
}

static void add_times(const struct report_step *step, struct buf *ret)
{
	add_time(step->plan->estimate_us, step->plan->measured ? "" : "~", ret);
	buf_addc(ret, ' ');
	if (has_run(step) || step->duration_us)
		add_time(step->duration_us, "", ret);
	else
		buf_addf(ret, "%*s", TIME_COLUMNS, "-");
}

static const char *summary_of(const struct report_step *step)
{
	if (step->failure.code < 0)
		return error_text(&step->failure);
	if (step->result.summary)
		return step->result.summary;
	return step->plan->text ? step->plan->text : "";
}

static void step_lines(struct page *page, const struct report *report,
		       const struct report_step *step)
{
	AUTO_BUF lead = BUF_INIT, text = BUF_INIT;
	enum verdict verdict = has_run(step) ? step->result.verdict : VERDICT_SKIP;

	add_times(step, &lead);
	buf_addf(&lead, "  %s ", page_mark(page, verdict));
	if (!has_run(step))
		buf_addf(&text, "%s: ", step->state);
	buf_addf(&text, "%s: %s", step->plan->title, summary_of(step));
	page_line(page,
		  &(struct page_line){ .lead = buf_text(&lead), .lead_tone = page_tone(verdict) },
		  buf_text(&text));
	if (has_run(step))
		text_findings(page, report, step);
}

static void plain_step(struct page *page, const struct report_step *step)
{
	AUTO_BUF times = BUF_INIT;

	text_plain_step(page, step);
	session_fact(page, "state", step->state);
	buf_addf(&times, "%.1f s", (double)step->plan->estimate_us / 1e6);
	page_fact(page, step->plan->measured ? "planned-measured" : "planned-assumed",
		  buf_text(&times));
	buf_clear(&times);
	buf_addf(&times, "%.1f s", (double)step->duration_us / 1e6);
	if (has_run(step))
		page_fact(page, "actual", buf_text(&times));
}

/* `after`: of the steps that stand behind the power-off. */
static void sum_line(struct page *page, const struct report *report, bool after, const char *what)
{
	AUTO_BUF lead = BUF_INIT;
	uint64_t planned = 0, actual = 0;

	for (size_t i = 0; i < report->n_steps; i++) {
		const struct report_step *step = &report->steps[i];

		if (step->plan->after != after)
			continue;
		planned += step->plan->estimate_us;
		actual += step->duration_us;
	}
	add_time(planned, "", &lead);
	buf_addc(&lead, ' ');
	add_time(actual, "", &lead);
	buf_adds(&lead, "  ");
	page_line(page, &(struct page_line){ .lead = buf_text(&lead) }, what);
}

static void sum_lines(struct page *page, const struct report *report)
{
	if (report->plan->boundary >= report->plan->n_steps) {
		sum_line(page, report, false, _("altogether"));
		return;
	}
	sum_line(page, report, false, _("altogether before the power-off"));
	sum_line(page, report, true, _("altogether after it"));
}

static void table(struct page *page, const struct report *report)
{
	AUTO_BUF head = BUF_INIT;

	page_blank(page);
	buf_addf(&head, "%*s %*s", TIME_COLUMNS, _("planned"), TIME_COLUMNS, _("actual"));
	page_line(page, &(struct page_line){ .tone = TONE_FAINT, .whole = true }, buf_text(&head));
	for (size_t i = 0; i < report->n_steps; i++)
		step_lines(page, report, &report->steps[i]);
	sum_lines(page, report);
	page_line(page, &(struct page_line){ .tone = TONE_FAINT },
		  _("~: assumed; what has no mark was measured on this host."));
	page_blank(page);
}

static void crossings(struct page *page, const struct report_session *session)
{
	AUTO_BUF text = BUF_INIT;

	if (session->crossings == 0)
		return;
	buf_addf(&text,
		 PLURAL("The machine was powered off %u time.",
			"The machine was powered off %u times.", session->crossings),
		 session->crossings);
	session_fact(page, "crossings", buf_text(&text));
}

/* As the operator said after the boot; what the links prove hangs on it. */
static const struct {
	const char *end, *sentence;
} ends[] = {
	{ "drives", N_("The cables were exchanged at the drives, as the operator said.") },
	{ "board", N_("The cables were exchanged at the board, as the operator said.") },
	{ "both", N_("Which end of the cables was exchanged is not known: both, or nobody knew.") },
};

static void exchanged(struct page *page, const struct report_session *session)
{
	for (size_t i = 0; session->exchanged_end && i < ELEMENTS(ends); i++)
		if (strcmp(ends[i].end, session->exchanged_end) == 0)
			session_fact(page, "exchanged-end",
				     page->screen->plain ? ends[i].end : _(ends[i].sentence));
}

static void draw(struct page *page, const struct report *report)
{
	session_head(page, report);
	if (page->screen->plain)
		for (size_t i = 0; i < report->n_steps; i++)
			plain_step(page, &report->steps[i]);
	else
		table(page, report);
	crossings(page, report->session);
	exchanged(page, report->session);
	session_stopped(page, report->session);
	session_accepted(page, report->session);
	session_copies(page, report->session);
	session_chain(page, report->session);
	session_fact(page, "closed-how", report->session->closed_how);
	session_close(page, report);
}

int session_report_text(const struct report *report, const struct screen *screen, struct buf *ret,
			struct error *err)
{
	struct page page = { screen, ret };

	if (screen->quiet)
		return session_status_text(report, screen, ret, err);
	draw(&page, report);
	return buf_error(ret) < 0 ? error_oom(err) : 0;
}

/* SPDX-License-Identifier: MIT */
/* A report for a person at a console. */
#include "report/text.h"

#include "base/intl.h"

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
	AUTO_BUF text = BUF_INIT;

	buf_addf(&text, "%s: %s", step->plan->title, summary_of(step));
	page_judged(page, step->result.verdict, buf_text(&text));
	text_findings(page, report, step);
}

static int sentence_only(struct page *page, const struct report *report)
{
	AUTO_BUF sentence = BUF_INIT;
	int r = report_sentence(report, &sentence);

	if (r < 0)
		return r;
	page_line(page, &(struct page_line){ 0 }, buf_text(&sentence));
	return buf_error(page->out);
}

static int full(struct page *page, const struct report *report)
{
	int r;

	r = text_head(page, &(struct head){ report->command, report->host_name, report->root,
					    report->plan,
					    report->session ? report->session->work : NULL });
	if (r < 0)
		return r;
	for (size_t i = 0; i < report->n_steps; i++)
		step_lines(page, report, &report->steps[i]);
	page_blank(page);
	return text_close(page, report);
}

int report_text(const struct report *report, const struct screen *screen, struct buf *ret,
		struct error *err)
{
	struct page page = { screen, ret };
	int r;

	if (screen->quiet)
		r = sentence_only(&page, report);
	else if (screen->plain)
		r = text_plain_report(&page, report);
	else
		r = full(&page, report);
	return r < 0 ? error_set(err, r, "%s", _("cannot write the report")) : 0;
}

/* SPDX-License-Identifier: MIT */
/* One fact a line: for screen readers, and for grep.  The labels are keys. */
#include "report/text.h"

static void fact(struct page *page, const char *label, const char *text)
{
	if (text)
		page_fact(page, label, text);
}

static void evidence_facts(struct page *page, const struct evidence *evidence)
{
	AUTO_BUF text = BUF_INIT;

	buf_adds(&text, evidence->source ? evidence->source : "");
	if (evidence->observed)
		buf_addf(&text, ": %s", evidence->observed);
	fact(page, "evidence", buf_text(&text));
	fact(page, "law", evidence->formula);
	fact(page, "gives", evidence->derived);
}

static void finding_facts(struct page *page, const struct finding *finding)
{
	AUTO_BUF text = BUF_INIT;

	buf_addf(&text, "%s: %s: %s", verdict_name(finding->verdict), finding->subject,
		 finding->summary ? finding->summary : "");
	fact(page, finding->id, buf_text(&text));
	for (size_t i = 0; i < finding->n_evidence; i++)
		evidence_facts(page, &finding->evidence[i]);
	fact(page, "remedy", finding->remedy);
}

void text_plain_step(struct page *page, const struct report_step *step)
{
	AUTO_BUF text = BUF_INIT;
	const struct error *failure = &step->failure;

	buf_addf(&text, "%s: %s: %s", verdict_name(step->result.verdict), step->plan->title,
		 step->result.summary ? step->result.summary : "");
	fact(page, step->plan->id, buf_text(&text));
	fact(page, "error", failure->code < 0 ? error_text(failure) : NULL);
	fact(page, "remedy", failure->hint);
	for (size_t i = 0; i < step->result.n_findings; i++)
		finding_facts(page, &step->result.findings[i]);
}

int text_plain_report(struct page *page, const struct report *report)
{
	AUTO_BUF sentence = BUF_INIT, next = BUF_INIT, then = BUF_INIT;
	int r;

	r = text_plain_head(page, &(struct head){ report->command, report->host_name, report->root,
						  report->plan,
						  report->session ? report->session->work : NULL });
	if (r < 0)
		return r;
	for (size_t i = 0; i < report->n_steps; i++)
		text_plain_step(page, &report->steps[i]);
	r = report_sentence(report, &sentence);
	if (r >= 0)
		r = text_next(report, page->screen, &next, &then);
	if (r < 0)
		return r;
	fact(page, "result", buf_text(&sentence));
	fact(page, "next", next.data);
	fact(page, "then", then.data);
	return buf_error(page->out);
}

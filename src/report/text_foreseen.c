/* SPDX-License-Identifier: MIT */
/* What an action would do on the host as it is now: lines below its own in a plan. */
#include <stdio.h>
#include <string.h>

#include "report/text.h"

static void finding_line(struct page *page, const struct finding *finding)
{
	const char *summary = finding->summary ? finding->summary : "";
	const char *subject = finding->subject ? finding->subject : "";
	char lead[16];
	struct page_line line = { .indent = 7,
				  .lead = lead,
				  .lead_tone = page_tone(finding->verdict) };

	snprintf(lead, sizeof(lead), "%s ", page_mark(page, finding->verdict));
	if (strncmp(summary, subject, strlen(subject)) == 0)
		page_line(page, &line, summary);
	else
		page_linef(page, &line, "%s: %s", subject, summary);
	if (finding->remedy)
		page_line(page,
			  &(struct page_line){
				  .indent = 9, .lead = page_arrow(page), .lead_tone = TONE_STRONG },
			  finding->remedy);
}

void text_foreseen(struct page *page, const struct report_step *foreseen)
{
	const struct result *result = &foreseen->result;
	const struct page_line line = { .indent = 5, .lead = page_arrow(page) };

	if (foreseen->failure.code < 0)
		page_line(page, &line, error_text(&foreseen->failure));
	if (result->summary)
		page_line(page, &line, result->summary);
	for (size_t i = 0; i < result->n_findings; i++)
		finding_line(page, &result->findings[i]);
}

void text_plain_foreseen(struct page *page, const struct report_step *foreseen)
{
	const struct result *result = &foreseen->result;
	AUTO_BUF text = BUF_INIT;

	if (foreseen->failure.code < 0)
		page_fact(page, "error", error_text(&foreseen->failure));
	if (result->summary)
		page_fact(page, "foreseen", result->summary);
	for (size_t i = 0; i < result->n_findings; i++) {
		const struct finding *finding = &result->findings[i];

		buf_clear(&text);
		buf_addf(&text, "%s: %s: %s", verdict_name(finding->verdict), finding->subject,
			 finding->summary ? finding->summary : "");
		page_fact(page, finding->id, buf_text(&text));
		if (finding->remedy)
			page_fact(page, "remedy", finding->remedy);
	}
}

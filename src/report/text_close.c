/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/intl.h"
#include "base/shell.h"
#include "report/text.h"
#include "work/work.h"

/* Is this the first finding of the report that asks for its remedy? */
static bool is_first(const struct report *report, const struct finding *finding)
{
	for (size_t i = 0; i < report->n_steps; i++) {
		const struct result *result = &report->steps[i].result;

		for (size_t j = 0; j < result->n_findings; j++) {
			const struct finding *each = &result->findings[j];

			if (each == finding)
				return true;
			if (each->verdict == VERDICT_UNKNOWN && each->remedy &&
			    strcmp(each->remedy, finding->remedy) == 0)
				return false;
		}
	}
	return true;
}

static void shared_remedy(struct page *page, const struct report *report,
			  const struct finding *finding)
{
	size_t n;

	if (finding->verdict != VERDICT_UNKNOWN)
		return;
	n = text_remedy_count(report, finding->remedy);
	if (n < 2 || !is_first(report, finding))
		return;
	page_linef(page,
		   &(struct page_line){
			   .lead = page_arrow(page), .lead_tone = TONE_STRONG, .hang = 2 },
		   PLURAL("%zu fact needs this: %s", "%zu facts need this: %s", n), n,
		   finding->remedy);
}

static void shared_remedies(struct page *page, const struct report *report)
{
	size_t before = page->out->len;

	for (size_t i = 0; i < report->n_steps; i++)
		for (size_t j = 0; j < report->steps[i].result.n_findings; j++)
			shared_remedy(page, report, &report->steps[i].result.findings[j]);
	if (page->out->len > before)
		page_blank(page);
}

static const struct finding *first_of(const struct report *report, enum verdict verdict)
{
	for (size_t i = 0; i < report->n_steps; i++) {
		const struct result *result = &report->steps[i].result;

		for (size_t j = 0; j < result->n_findings; j++)
			if (result->findings[j].verdict == verdict)
				return &result->findings[j];
	}
	return NULL;
}

static void add_again(const struct report *report, const char *prefix, struct buf *ret)
{
	if (report->again)
		buf_addf(ret, "%s%s", prefix, report->again);
}

/* The board shows which two cables; a check by hand has none to show. */
static void next_when_safe(const struct report *report, struct buf *next)
{
	if (strcmp(report->command, "check") == 0)
		return;
	buf_adds(next, "coldswap ports");
	if (strcmp(report->root, "/") == 0)
		return;
	buf_adds(next, " --root ");
	shell_word(report->root, next);
}

int text_next(const struct report *report, const struct screen *screen, struct buf *next,
	      struct buf *then)
{
	const struct finding *worst = first_of(report, report->verdict);
	bool live = strcmp(report->root, "/") == 0;
	const char *goes_on = NULL;

	if (report->session)
		goes_on = report->session->next;
	if (report->verdict < VERDICT_UNKNOWN && report->session) {
		buf_adds(next, goes_on ? goes_on : "");
	} else if (report->verdict < VERDICT_UNKNOWN) {
		next_when_safe(report, next);
	} else if (report->verdict == VERDICT_UNKNOWN && live && !screen->root) {
		add_again(report, "sudo ", next);
	} else if (worst) {
		buf_addf(next, "coldswap explain %s", worst->id);
		if (goes_on)
			buf_adds(then, goes_on);
		else
			add_again(report, "", then);
	} else {
		add_again(report, "", next);
	}
	return buf_error(next) < 0 ? buf_error(next) : buf_error(then);
}

static void command_line(struct page *page, const char *lead, const struct buf *command)
{
	if (command->len > 0)
		page_line(page, &(struct page_line){ .lead = lead, .whole = true },
			  buf_text(command));
}

int text_close(struct page *page, const struct report *report)
{
	AUTO_BUF sentence = BUF_INIT, next = BUF_INIT, then = BUF_INIT;
	int r;

	shared_remedies(page, report);
	r = report_sentence(report, &sentence);
	if (r >= 0)
		r = text_next(report, page->screen, &next, &then);
	if (r < 0)
		return r;
	page_line(page, &(struct page_line){ .tone = TONE_STRONG }, buf_text(&sentence));
	command_line(page, _("Next: "), &next);
	command_line(page, _("Then: "), &then);
	return buf_error(page->out);
}

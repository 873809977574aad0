/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "base/text.h"
#include "report/fill.h"
#include "report/text.h"

/* A line of a file may be long; the document in JSON has all of it. */
#define OBSERVED_COLUMNS 240
/* So many facts of one sort are shown, the rest is counted. */
#define SHOWN_OF_A_SORT 3
/* Findings of one id, and facts of one finding: a hundred say no more, and hide the rest. */
#define SHOWN_OF_AN_ID 20
#define FACTS_SHOWN 8

static const enum verdict worst_first[] = { VERDICT_FAIL, VERDICT_UNKNOWN, VERDICT_WARN };

static bool same_remedy(const struct finding *a, const struct finding *b)
{
	return a->remedy && b->remedy && strcmp(a->remedy, b->remedy) == 0;
}

size_t text_remedy_count(const struct report *report, const char *remedy)
{
	size_t n = 0;

	if (!remedy)
		return 0;
	for (size_t i = 0; i < report->n_steps; i++) {
		const struct result *result = &report->steps[i].result;

		for (size_t j = 0; j < result->n_findings; j++)
			n += result->findings[j].verdict == VERDICT_UNKNOWN &&
			     result->findings[j].remedy &&
			     strcmp(result->findings[j].remedy, remedy) == 0;
	}
	return n;
}

/* A line of a file as a person reads it: its columns need no aligning here. */
static void add_observed(struct buf *ret, const char *text)
{
	AUTO_BUF squeezed = BUF_INIT;
	size_t len;

	for (; *text; text += len) {
		len = strspn(text, " \t");
		if (len > 0) {
			buf_addc(&squeezed, ' ');
			continue;
		}
		len = strcspn(text, " \t");
		buf_add(&squeezed, text, len);
	}
	if (text_columns(buf_text(&squeezed)) > OBSERVED_COLUMNS)
		text_pad(buf_text(&squeezed), OBSERVED_COLUMNS, ret);
	else
		buf_adds(ret, buf_text(&squeezed));
}

/* Why something is not known stands in the sentence already. */
static bool is_reason(const struct finding *finding, const struct evidence *evidence)
{
	return finding->verdict == VERDICT_UNKNOWN && finding->summary && evidence->observed &&
	       strstr(finding->summary, evidence->observed);
}

static void evidence_line(struct page *page, const struct finding *finding,
			  const struct evidence *evidence)
{
	bool said = !evidence->source || strcmp(evidence->source, finding->subject) == 0;
	AUTO_BUF text = BUF_INIT;

	if (said && is_reason(finding, evidence))
		return;

	if (!said)
		buf_adds(&text, evidence->source);
	if (!said && evidence->observed)
		buf_adds(&text, ": ");
	if (evidence->observed)
		add_observed(&text, evidence->observed);
	if (text.len > 0)
		page_line(page, &(struct page_line){ .indent = 6, .tone = TONE_FAINT },
			  buf_text(&text));
}

static void law_line(struct page *page, const struct evidence *evidence)
{
	AUTO_BUF text = BUF_INIT;

	fill_sentence(evidence->derived ? _("law: {formula}; it gives {derived}")
					: _("law: {formula}"),
		      (const struct fill[]){ { "formula", evidence->formula },
					     { "derived", evidence->derived },
					     { NULL, NULL } },
		      &text);
	page_line(page, &(struct page_line){ .indent = 6, .tone = TONE_FAINT }, buf_text(&text));
}

static void finding_line(struct page *page, const struct finding *finding)
{
	const char *summary = finding->summary ? finding->summary : "";
	const char *subject = finding->subject ? finding->subject : "";
	char lead[16];
	struct page_line line = { .indent = 2,
				  .lead = lead,
				  .lead_tone = page_tone(finding->verdict) };

	snprintf(lead, sizeof(lead), "%s ", page_mark(page, finding->verdict));
	if (strncmp(summary, subject, strlen(subject)) == 0)
		page_linef(page, &line, "%s [%s]", summary, finding->id);
	else
		page_linef(page, &line, "%s: %s [%s]", subject, summary, finding->id);
}

static void show(struct page *page, const struct finding *finding)
{
	/* One more takes no more room than the line that counts it. */
	size_t n = finding->n_evidence, shown = n > FACTS_SHOWN + 1 ? FACTS_SHOWN : n;

	finding_line(page, finding);
	for (size_t i = 0; i < shown; i++) {
		evidence_line(page, finding, &finding->evidence[i]);
		if (finding->evidence[i].formula)
			law_line(page, &finding->evidence[i]);
	}
	if (shown < n)
		page_linef(page, &(struct page_line){ .indent = 6, .tone = TONE_FAINT },
			   _("and %zu more; --plain shows them all"), n - shown);
}

static void show_remedy(struct page *page, const char *remedy)
{
	page_line(page,
		  &(struct page_line){
			  .indent = 4, .lead = page_arrow(page), .lead_tone = TONE_STRONG },
		  remedy);
}

/* The next finding of this verdict, or NULL. */
static const struct finding *next_of(const struct result *result, enum verdict verdict, size_t *i)
{
	while (*i < result->n_findings) {
		const struct finding *finding = &result->findings[(*i)++];

		if (finding->verdict == verdict)
			return finding;
	}
	return NULL;
}

/* How many findings before this one share its remedy and its verdict? */
static size_t seen_before(const struct result *result, const struct finding *finding)
{
	size_t n = 0;

	for (const struct finding *each = result->findings; each < finding; each++)
		n += each->verdict == finding->verdict && same_remedy(each, finding);
	return n;
}

static size_t same_before(const struct result *result, const struct finding *finding)
{
	size_t n = 0;

	for (const struct finding *each = result->findings; each < finding; each++)
		n += each->verdict == finding->verdict && strcmp(each->id, finding->id) == 0;
	return n;
}

static bool is_left_off(const struct result *result, const struct finding *finding, bool shared)
{
	return (shared && seen_before(result, finding) >= SHOWN_OF_A_SORT) ||
	       same_before(result, finding) >= SHOWN_OF_AN_ID;
}

static void findings_of(struct page *page, const struct report *report, const struct result *result,
			enum verdict verdict)
{
	const struct finding *finding, *next;
	size_t i = 0, left_off = 0;

	for (next = next_of(result, verdict, &i); (finding = next);) {
		bool shared = verdict == VERDICT_UNKNOWN &&
			      text_remedy_count(report, finding->remedy) > 1;

		next = next_of(result, verdict, &i);
		if (is_left_off(result, finding, shared)) {
			left_off++;
			continue;
		}
		show(page, finding);
		if (!shared && finding->remedy && !(next && same_remedy(finding, next)))
			show_remedy(page, finding->remedy);
	}
	if (left_off > 0)
		page_linef(page, &(struct page_line){ .indent = 4 },
			   PLURAL("and %zu more of this sort; --plain shows it",
				  "and %zu more of this sort; --plain shows them all", left_off),
			   left_off);
}

void text_findings(struct page *page, const struct report *report, const struct report_step *step)
{
	for (size_t i = 0; i < ELEMENTS(worst_first); i++)
		findings_of(page, report, &step->result, worst_first[i]);
	if (step->failure.code < 0 && step->failure.hint)
		show_remedy(page, step->failure.hint);
}

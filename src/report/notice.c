/* SPDX-License-Identifier: MIT */
#include "report/notice.h"

#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "base/shell.h"
#include "report/text.h"

/* "[3/14] " on a screen. */
static void place_lead(const struct notice_place *place, char lead[48])
{
	lead[0] = '\0';
	if (place->of)
		snprintf(lead, 48, "[%zu/%zu] ", place->number, place->of);
}

static void heading(struct page *page, const struct notice_place *place, const char *what)
{
	AUTO_BUF text = BUF_INIT;
	char lead[48];

	if (page->screen->plain) {
		buf_addf(&text, _("%zu of %zu: %s: %s"), place->number, place->of, place->step->id,
			 what);
		page_fact(page, "step", buf_text(&text));
		return;
	}
	buf_addf(&text, "%s: %s", place->step->id, what);
	place_lead(place, lead);
	page_blank(page);
	page_line(
		page,
		&(struct page_line){ .lead = lead, .lead_tone = TONE_STRONG, .tone = TONE_STRONG },
		buf_text(&text));
}

static void detail(struct page *page, const char *label, const char *text)
{
	if (page->screen->plain)
		page_fact(page, label, text);
	else
		page_line(page, &(struct page_line){ .indent = 2 }, text);
}

/* The first sentence of what the kind says of itself: why there is such a step. */
static void why(struct page *page, const struct kind *kind)
{
	const char *help = _(kind->help), *end = strstr(help, ". ");
	AUTO_FREE char *first = strndup(help, end ? (size_t)(end + 1 - help) : strlen(help));

	if (first)
		detail(page, "why", first);
}

static void undo_line(struct page *page, const struct plan_step *step)
{
	AUTO_BUF how = BUF_INIT, text = BUF_INIT;

	if (!step->kind->undo) {
		detail(page, "undo", _("There is nothing in it to take back."));
		return;
	}
	if (!step->params || !step->kind->describe_undo ||
	    step->kind->describe_undo(step->params, &how) < 0)
		return;
	buf_addf(&text, _("To take it back: %s."), buf_text(&how));
	detail(page, "undo", buf_text(&text));
}

void notice_begins(struct page *page, const struct notice_place *place)
{
	const struct plan_step *step = place->step;
	enum kind_class class = step->kind->class;
	bool asks_alone = class == KIND_GATE && !(step->kind->flags & KIND_BOUNDARY);

	heading(page, place, step->title);
	if (asks_alone) /* the question says the rest */
		return;
	if (step->text && strcmp(step->text, step->title) != 0)
		detail(page, "does", step->text);
	if (class == KIND_CHECK || (step->kind->flags & KIND_RESTORE))
		return;
	why(page, step->kind);
	if (class == KIND_ACTION)
		undo_line(page, step);
}

static const char *summary_of(const struct report_step *step)
{
	if (step->failure.code < 0)
		return error_text(&step->failure);
	return step->result.summary ? step->result.summary : step->plan->title;
}

static void outcome_lines(struct page *page, const struct notice_place *place,
			  const struct report_step *outcome)
{
	struct report_step step = *outcome;
	struct report report = { .steps = &step, .n_steps = 1 };

	step.plan = place->step;
	if (page->screen->plain) {
		text_plain_step(page, &step);
		return;
	}
	page_judged(page, step.result.verdict, summary_of(&step));
	text_findings(page, &report, &step);
}

/* What stands in the way, and need not. */
static bool blocks(const struct plan_step *step, const struct finding *finding)
{
	const struct finding_row *row = kind_finding(step->kind, finding->id);

	if (!row || !row->acceptable)
		return false;
	return finding->verdict == VERDICT_UNKNOWN ||
	       (finding->verdict == VERDICT_WARN && step->on_warn == ON_WARN_ASK);
}

static void accept_line(struct page *page, const struct finding *finding)
{
	AUTO_BUF name = BUF_INIT, word = BUF_INIT, text = BUF_INIT;

	buf_addf(&name, "%s:%s", finding->id, finding->subject);
	shell_word(buf_text(&name), &word);
	buf_addf(&text, "--accept %s --because TEXT", buf_text(&word));
	if (page->screen->plain)
		page_fact(page, "accept", buf_text(&text));
	else
		page_line(page,
			  &(struct page_line){
				  .indent = 2, .lead = _("To live with it: "), .whole = true },
			  buf_text(&text));
}

void notice_ends(struct page *page, const struct notice_place *place,
		 const struct report_step *outcome)
{
	outcome_lines(page, place, outcome);
	for (size_t i = 0; i < outcome->result.n_findings; i++)
		if (blocks(place->step, &outcome->result.findings[i]))
			accept_line(page, &outcome->result.findings[i]);
}

void notice_undoes(struct page *page, const struct notice_place *place)
{
	AUTO_BUF what = BUF_INIT, text = BUF_INIT;
	const struct plan_step *step = place->step;

	if (step->params && step->kind->describe_undo)
		step->kind->describe_undo(step->params, &what);
	buf_addf(&text, _("taking back %s"), step->title);
	heading(page, place, buf_text(&text));
	if (what.len)
		detail(page, "does", buf_text(&what));
}

void notice_undone(struct page *page, const struct notice_place *place,
		   const struct report_step *outcome)
{
	outcome_lines(page, place, outcome);
}

/* Calls `each` for every line of the text, the empty ones too. */
static void for_lines(struct page *page, const char *text,
		      void (*each)(struct page *page, const char *line, bool first))
{
	bool first = true;

	while (*text) {
		size_t len = strcspn(text, "\n");
		AUTO_FREE char *line = strndup(text, len);

		if (line)
			each(page, line, first);
		first = false;
		text += len + (text[len] == '\n');
	}
}

static void wrapped(struct page *page, const char *line, bool first)
{
	(void)first;
	page_line(page, &(struct page_line){ 0 }, line);
}

static void warned(struct page *page, const char *line, bool first)
{
	page_line(page, &(struct page_line){ .lead = first ? "! " : "  ", .lead_tone = TONE_WARN },
		  line);
}

static void as_it_is(struct page *page, const char *line, bool first)
{
	(void)first;
	page_line(page, &(struct page_line){ .whole = true }, line);
}

void notice_text(struct page *page, const char *text)
{
	if (!page->screen->plain)
		page_blank(page);
	for_lines(page, text, wrapped);
}

void notice_warning(struct page *page, const char *text)
{
	if (!page->screen->plain)
		page_blank(page);
	for_lines(page, text, warned);
}

void notice_page(struct page *page, const char *text)
{
	page_blank(page);
	for_lines(page, text, as_it_is);
	page_blank(page);
}

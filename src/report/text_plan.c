/* SPDX-License-Identifier: MIT */
/* A plan for a person: the work, the variables, the numbered steps. */
#include <errno.h>
#include <stdio.h>

#include "base/intl.h"
#include "plan/times.h"
#include "probe/facts.h"
#include "probe/identity.h"
#include "report/duration.h"
#include "report/text.h"

static const char *const states[] = {
	[PLAN_READY] = "ready",
	[PLAN_SKIPPED] = "skipped",
	[PLAN_UNKNOWN] = "unknown",
};

static const char *text_of(const struct plan_step *step)
{
	const char *text = step->state == PLAN_READY ? step->text : step->reason;

	return text ? text : "";
}

static const char *basis_word(enum time_basis basis)
{
	static const char *const words[] = {
		[TIME_ASSUMED] = N_("assumed"),
		[TIME_MIXED] = N_("partly measured"),
		[TIME_MEASURED] = N_("measured"),
	};

	return _(words[basis]);
}

/* "stop a service: stop k3s.service (30 s, assumed)" */
static int step_words(const struct plan_step *step, struct buf *ret)
{
	buf_addf(ret, "%s: ", step->title);
	if (step->state != PLAN_READY)
		return buf_addf(ret, "%s: %s", states[step->state], text_of(step));
	buf_adds(ret, text_of(step));
	if (!step->estimate_us && !step->measured)
		return buf_error(ret);
	buf_adds(ret, " (");
	duration_words(step->estimate_us, ret);
	return buf_addf(ret, ", %s)", basis_word(step->measured ? TIME_MEASURED : TIME_ASSUMED));
}

/* What `abort` would do about an action: empty for anything else. */
static int undo_words(const struct plan_step *step, struct buf *ret)
{
	AUTO_BUF text = BUF_INIT;

	if (step->state != PLAN_READY || step->kind->class != KIND_ACTION ||
	    (step->kind->flags & KIND_RESTORE))
		return 0;
	if (!step->kind->undo)
		return buf_adds(ret, _("Nothing takes this back."));
	if (step->params && step->kind->describe_undo(step->params, &text))
		return buf_error(&text);
	if (!text.len)
		return 0; /* not known before the steps that it hangs on */
	return buf_addf(ret,
			step->keep ? _("It stays so after the work; `coldswap abort` would %s.")
				   : _("`coldswap abort` would %s."),
			buf_text(&text));
}

static bool needs_operator(const struct plan_step *step)
{
	return step->state == PLAN_READY && step->kind->class == KIND_GATE;
}

static void step_line(struct page *page, const struct plan_step *step,
		      const struct report_step *foreseen, size_t number)
{
	static const enum tone tones[] = {
		[PLAN_READY] = TONE_PLAIN,
		[PLAN_SKIPPED] = TONE_FAINT,
		[PLAN_UNKNOWN] = TONE_UNKNOWN,
	};
	AUTO_BUF words = BUF_INIT, undo = BUF_INIT;
	char lead[48];

	snprintf(lead, sizeof(lead), "%3zu. ", number);
	step_words(step, &words);
	page_line(page, &(struct page_line){ .lead = lead, .tone = tones[step->state] },
		  buf_text(&words));
	if (needs_operator(step))
		page_line(page,
			  &(struct page_line){
				  .indent = 5, .lead = page_arrow(page), .lead_tone = TONE_STRONG },
			  _("It waits for your answer."));
	if (foreseen)
		text_foreseen(page, foreseen);
	if (undo_words(step, &undo) < 0 || buf_error(&words))
		page->out->failed = -ENOMEM;
	if (undo.len)
		page_line(page, &(struct page_line){ .indent = 5, .lead = page_arrow(page) },
			  buf_text(&undo));
}

static void step_lines(struct page *page, const struct plan *plan,
		       const struct report_step *foreseen)
{
	bool divided = plan->boundary < plan->n_steps;

	if (divided)
		page_line(page, &(struct page_line){ .tone = TONE_STRONG },
			  _("Before the power goes off:"));
	for (size_t i = 0; i < plan->n_steps; i++) {
		step_line(page, &plan->steps[i], foreseen ? &foreseen[i] : NULL, i + 1);
		if (i != plan->boundary)
			continue;
		page_blank(page);
		page_line(page, &(struct page_line){ .tone = TONE_STRONG },
			  _("After the boot, by `coldswap resume`:"));
	}
}

static void var_line(struct page *page, const struct var_value *var)
{
	page_linef(page, &(struct page_line){ .indent = 2 }, "%s = %s%s", var->name,
		   var->value ? var->value : _("(not given)"),
		   var->given || !var->value ? "" : _(" (the default)"));
}

/* ---- times, and what takes a person ------------------------------------------------- */

static void time_line(struct page *page, const char *label, const struct plan_time *time)
{
	AUTO_BUF text = BUF_INIT;

	duration_words(time->us, &text);
	buf_addf(&text, " (%s)", basis_word(time->basis));
	if (page->screen->plain)
		page_fact(page, label, buf_text(&text));
	else
		page_linef(page, &(struct page_line){ .indent = 2 }, "%s: %s", label,
			   buf_text(&text));
}

/* Where no numbers stand, a step is called by its id. */
static void name_step(const struct page *page, const struct plan *plan, size_t index,
		      struct buf *ret)
{
	if (page->screen->plain)
		buf_adds(ret, plan->steps[index].id);
	else
		buf_addf(ret, "%zu", index + 1);
}

/* "10, 14" */
static void list_gates(const struct page *page, const struct plan *plan, struct buf *ret)
{
	for (size_t i = 0; i < plan->n_steps; i++) {
		if (!needs_operator(&plan->steps[i]))
			continue;
		buf_adds(ret, ret->len ? ", " : "");
		name_step(page, plan, i, ret);
	}
}

static void down_line(struct page *page, const struct plan *plan, const struct plan_times *times)
{
	AUTO_BUF from = BUF_INIT, to = BUF_INIT, label = BUF_INIT;

	name_step(page, plan, times->down_from, &from);
	name_step(page, plan, times->down_to, &to);
	buf_addf(&label, _("downtime, from step %s to step %s"), buf_text(&from), buf_text(&to));
	time_line(page, buf_text(&label), &times->down);
}

static void operator_line(struct page *page, const struct plan *plan)
{
	AUTO_BUF gates = BUF_INIT, boundary = BUF_INIT, text = BUF_INIT;

	list_gates(page, plan, &gates);
	name_step(page, plan, plan->boundary, &boundary);
	buf_addf(&text, _("the answers at %s, and the work itself behind %s"), buf_text(&gates),
		 buf_text(&boundary));
	if (page->screen->plain)
		page_fact(page, _("what needs you"), buf_text(&text));
	else
		page_linef(page, &(struct page_line){ 0 }, _("What needs you: %s."),
			   buf_text(&text));
}

static void plan_closing(struct page *page, const struct plan *plan)
{
	struct plan_times times;

	plan_times(plan, &times);
	if (!page->screen->plain)
		page_line(page, &(struct page_line){ .tone = TONE_STRONG },
			  _("Time, without that for the cables:"));
	time_line(page, _("before the power goes off"), &times.before);
	time_line(page, _("power-off, firmware and boot"), &times.boot);
	down_line(page, plan, &times);
	operator_line(page, plan);
}

static int draw(struct page *page, const struct head *head, const struct report_step *foreseen)
{
	const struct plan *plan = head->plan;
	int r = text_head(page, head);

	if (r < 0)
		return r;
	for (size_t i = 0; i < plan->n_vars; i++)
		var_line(page, &plan->vars[i]);
	if (plan->n_vars > 0)
		page_blank(page);
	step_lines(page, plan, foreseen);
	if (plan->boundary < plan->n_steps) {
		page_blank(page);
		plan_closing(page, plan);
	}
	return buf_error(page->out);
}

static void plain_step(struct page *page, const struct plan_step *step, struct buf *text)
{
	AUTO_BUF undo = BUF_INIT;

	buf_clear(text);
	buf_addf(text, "%s: ", states[step->state]);
	if (step->state == PLAN_READY)
		step_words(step, text);
	else
		buf_addf(text, "%s: %s", step->title, text_of(step));
	if (needs_operator(step))
		buf_addf(text, " %s", _("It waits for your answer."));
	undo_words(step, &undo);
	if (undo.len)
		buf_addf(text, " %s", buf_text(&undo));
	page_fact(page, step->id, buf_text(text));
}

static int draw_plain(struct page *page, const struct head *head,
		      const struct report_step *foreseen)
{
	const struct plan *plan = head->plan;
	AUTO_BUF text = BUF_INIT;
	int r = text_plain_head(page, head);

	if (r < 0)
		return r;
	for (size_t i = 0; i < plan->n_vars; i++)
		page_fact(page, plan->vars[i].name,
			  plan->vars[i].value ? plan->vars[i].value : _("(not given)"));
	for (size_t i = 0; i < plan->n_steps; i++) {
		plain_step(page, &plan->steps[i], &text);
		if (foreseen)
			text_plain_foreseen(page, &foreseen[i]);
	}
	if (plan->boundary < plan->n_steps)
		plan_closing(page, plan);
	return buf_error(page->out);
}

static int count_only(struct page *page, const struct plan *plan)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->n_steps; i++)
		n += plan->steps[i].state == PLAN_READY;
	page_linef(page, &(struct page_line){ 0 },
		   PLURAL("%zu step of %zu would run.", "%zu steps of %zu would run.", n), n,
		   plan->n_steps);
	return buf_error(page->out);
}

int plan_text(struct facts *facts, const struct plan *plan, const struct report_step *foreseen,
	      const struct screen *screen, struct buf *ret, struct error *err)
{
	struct page page = { screen, ret };
	struct identity identity = IDENTITY_INIT;
	struct head head = { "plan", NULL, host_root(facts_host(facts)), plan, NULL };
	int r;

	r = identity_load(facts_host(facts), &identity, err);
	if (r < 0)
		return r;
	head.host_name = identity.name;
	if (screen->quiet)
		r = count_only(&page, plan);
	else
		r = screen->plain ? draw_plain(&page, &head, foreseen)
				  : draw(&page, &head, foreseen);
	if (r >= 0 && !screen->quiet && !screen->plain) {
		page_blank(&page);
		r = count_only(&page, plan);
	}
	identity_done(&identity);
	return r < 0 ? error_set(err, r, "%s", _("cannot write the plan")) : 0;
}

/* SPDX-License-Identifier: MIT */
/* A plan for a person: the work, the variables, the numbered steps. */
#include <stdio.h>

#include "base/intl.h"
#include "probe/facts.h"
#include "probe/identity.h"
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

static void step_line(struct page *page, const struct plan_step *step, size_t number)
{
	char lead[48];
	struct page_line line = { .lead = lead };

	snprintf(lead, sizeof(lead), "%3zu. ", number);
	if (step->state == PLAN_READY) {
		page_linef(page, &line, "%s: %s", step->title, text_of(step));
		return;
	}
	line.tone = step->state == PLAN_SKIPPED ? TONE_FAINT : TONE_UNKNOWN;
	page_linef(page, &line, "%s: %s: %s", step->title, states[step->state], text_of(step));
}

static void var_line(struct page *page, const struct var_value *var)
{
	page_linef(page, &(struct page_line){ .indent = 2 }, "%s = %s%s", var->name,
		   var->value ? var->value : _("(not given)"),
		   var->given || !var->value ? "" : _(" (the default)"));
}

static int draw(struct page *page, const struct head *head)
{
	const struct plan *plan = head->plan;
	int r = text_head(page, head);

	if (r < 0)
		return r;
	for (size_t i = 0; i < plan->n_vars; i++)
		var_line(page, &plan->vars[i]);
	if (plan->n_vars > 0)
		page_blank(page);
	for (size_t i = 0; i < plan->n_steps; i++)
		step_line(page, &plan->steps[i], i + 1);
	return buf_error(page->out);
}

static int draw_plain(struct page *page, const struct head *head)
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
		const struct plan_step *step = &plan->steps[i];

		buf_clear(&text);
		buf_addf(&text, "%s: %s: %s", states[step->state], step->title, text_of(step));
		page_fact(page, step->id, buf_text(&text));
	}
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

int plan_text(struct facts *facts, const struct plan *plan, const struct screen *screen,
	      struct buf *ret, struct error *err)
{
	struct page page = { screen, ret };
	struct identity identity = IDENTITY_INIT;
	struct head head = { "plan", NULL, host_root(facts_host(facts)), plan };
	int r;

	r = identity_load(facts_host(facts), &identity, err);
	if (r < 0)
		return r;
	head.host_name = identity.name;
	if (screen->quiet)
		r = count_only(&page, plan);
	else
		r = screen->plain ? draw_plain(&page, &head) : draw(&page, &head);
	if (r >= 0 && !screen->quiet && !screen->plain) {
		page_blank(&page);
		r = count_only(&page, plan);
	}
	identity_done(&identity);
	return r < 0 ? error_set(err, r, "%s", _("cannot write the plan")) : 0;
}

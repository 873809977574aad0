/* SPDX-License-Identifier: MIT */
/* One step of a plan: is it due here, and with which parameters? */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/parse.h"
#include "base/strv.h"
#include "plan/planner.h"

static void later_free(struct plan_later *later)
{
	if (!later)
		return;
	raw_done(&later->raw);
	free(later);
}
DEFINE_CLEANUP(plan_later, later_free)

void plan_step_done(struct plan_step *step)
{
	if (step->params)
		params_done(step->kind, step->params);
	later_free(step->later);
	free(step->params);
	free(step->id);
	free(step->title);
	free(step->text);
	free(step->reason);
}

static int copy_value(const struct runbook_value *value, struct runbook_value *ret)
{
	size_t n = strv_length(value->items);

	if (strv_copy(value->items, &ret->items))
		return -ENOMEM;
	if (value->cells && raw_copy_cells(value, ret))
		return -ENOMEM;
	ret->is_list = value->is_list;
	ret->at = value->at;
	ret->places = value->places ? calloc(n + 1, sizeof(*ret->places)) : NULL;
	if (ret->places)
		memcpy(ret->places, value->places, n * sizeof(*ret->places));
	return value->places && !ret->places ? -ENOMEM : 0;
}

static size_t count_rows(const struct kind *kind)
{
	size_t n = 0;

	while (kind->params && kind->params[n].name)
		n++;
	return n;
}

static int collect(const struct runbook_step *from, struct raw_params *ret, struct error *err)
{
	ret->n = count_rows(from->kind);
	ret->values = calloc(ret->n + 1, sizeof(*ret->values));
	if (!ret->values)
		return error_oom(err);
	for (size_t i = 0; i < from->n_params; i++)
		if (copy_value(&from->params[i].value,
			       &ret->values[from->params[i].row - from->kind->params]))
			return error_oom(err);
	return 0;
}

static int name_step(struct plan_step *step, const struct runbook_step *from, struct error *err)
{
	const char *title = from->title ? from->title : _(from->kind->title);

	step->kind = from->kind;
	step->on_warn = from->on_warn;
	step->keep = from->keep;
	step->restores = from->restores;
	step->id = strdup(from->id);
	step->title = strdup(title);
	step->text = strdup(title);
	if (!step->id || !step->title || !step->text)
		return error_oom(err);
	return from->timeout ? parse_duration(from->timeout, &step->timeout_us) : 0;
}

/* Type the parameters now; a host that cannot be read makes the step unknown. */
static int bind_now(const struct planner *planner, struct plan_step *step,
		    const struct raw_params *raw, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r = bind_params(planner, step, raw, &why);

	if (!r || r == -EINVAL)
		return 0; /* -EINVAL: the diagnostics say it */
	if (r == -ENOMEM)
		return error_oom(err);
	return plan_step_state(step, PLAN_UNKNOWN, err, _("A value could not be determined: %s."),
			       error_text(&why));
}

int plan_step_make(const struct planner *planner, const struct runbook_step *from,
		   struct plan_step *step, struct error *err)
{
	CLEANUP(cleanup_plan_later) struct plan_later *later = calloc(1, sizeof(*later));
	const char *unset;
	bool waits = false;
	int r = later ? name_step(step, from, err) : error_oom(err);

	if (!r)
		r = collect(from, &later->raw, err);
	if (!r && from->when && !planner->past && !when_parse(from->when, &later->when))
		r = plan_when(planner, step, &later->when, &waits, err);
	if (r || step->state != PLAN_READY)
		return r;
	later->conditional = waits;
	unset = raw_unset(planner->plan, &later->raw);
	if (unset)
		return plan_step_state(step, PLAN_SKIPPED, err,
				       _("The variable %s was not given (--var %s=...)."), unset,
				       unset);
	if (raw_needs_outputs(&later->raw)) {
		step->later = TAKE(later);
		return 0;
	}
	r = bind_now(planner, step, &later->raw, err);
	if (!r && waits && step->state == PLAN_READY)
		step->later = TAKE(later);
	return r;
}

/* What is wrong with a value that came from an output is no mistake of the operator's. */
static int bind_later(struct planner *planner, struct plan_step *step, struct plan_later *later,
		      struct error *err)
{
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	int r;

	if (raw_needs_skipped(planner, &later->raw))
		return plan_step_state(step, PLAN_SKIPPED, err,
				       _("It takes an output of a step that was skipped."));
	planner->diags = &diags;
	r = bind_now(planner, step, &later->raw, err);
	if (r || !diagnostics_any(&diags))
		return r;
	return plan_step_state(step, PLAN_UNKNOWN, err, _("A value could not be used: %s."),
			       diags.n ? diags.items[0].message : strerror(ENOMEM));
}

int plan_step_due(struct plan *plan, size_t index, struct facts *facts, plan_result_of result_of,
		  void *data, struct error *err)
{
	struct plan_step *step = &plan->steps[index];
	CLEANUP(cleanup_plan_later) struct plan_later *later = TAKE(step->later);
	struct planner planner = {
		.facts = facts,
		.plan = plan,
		.result_of = result_of,
		.data = data,
	};
	/* Its parameters are what a restore takes it back by. */
	bool past = plan->after && !step->after;
	bool waits;
	int r = 0;

	if (later && later->conditional && !past)
		r = plan_when(&planner, step, &later->when, &waits, err);
	if (!r && later && (step->state == PLAN_READY || past) && !step->params)
		r = bind_later(&planner, step, later, err);
	return r ? r : plan_restore(plan, step, err);
}

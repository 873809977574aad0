/* SPDX-License-Identifier: MIT */
/* A plan as one JSON document: what would run, and why not. */
#include "report.h"

#include "base/json.h"
#include "plan/times.h"
#include "report/frontmatter.h"
#include "report/json_work.h"

static const char *const states[] = {
	[PLAN_READY] = "ready",
	[PLAN_SKIPPED] = "skipped",
	[PLAN_UNKNOWN] = "unknown",
};

static int add_var(json_t *list, const struct var_value *var)
{
	json_t *object = json_object();

	if (json_array_append_new(list, object) < 0 ||
	    json_set_text(object, "name", var->name) < 0 ||
	    json_set_text(object, "value", var->value) < 0)
		return -1;
	return json_object_set_new(object, "given", json_boolean(var->given));
}

/* What `abort` would do; null where nothing is changed, or it cannot be taken back. */
static int set_undo(json_t *object, const struct plan_step *step)
{
	AUTO_BUF text = BUF_INIT;

	if (step->kind->undo && step->params && step->kind->describe_undo(step->params, &text))
		return -1;
	return json_set_text(object, "undo", text.len ? buf_text(&text) : NULL);
}

static int set_session(json_t *object, const struct plan *plan, const struct plan_step *step)
{
	bool restores = step->kind->flags & KIND_RESTORE;

	if (json_object_set_new(object, "after", json_boolean(step->after)) < 0 ||
	    json_object_set_new(object, "boundary",
				json_boolean(step == &plan->steps[plan->boundary])) < 0 ||
	    json_object_set_new(object, "keep", json_boolean(step->keep)) < 0 ||
	    json_set_text(object, "restores", restores ? plan->steps[step->restores].id : NULL) <
		    0 ||
	    json_object_set_new(object, "estimate_ms",
				json_integer((json_int_t)(step->estimate_us / 1000))) < 0 ||
	    json_object_set_new(object, "measured", json_boolean(step->measured)) < 0)
		return -1;
	return set_undo(object, step);
}

/* Null where nothing is foreseen. */
static int set_foreseen(json_t *object, const struct report_step *foreseen)
{
	json_t *value;

	if (!foreseen || (!foreseen->result.summary && !foreseen->result.n_findings))
		return json_set_text(object, "foreseen", NULL);
	value = json_object();
	if (json_object_set_new(object, "foreseen", value) < 0)
		return -1;
	return result_set_json(&foreseen->result, value);
}

static int add_step(json_t *list, const struct plan *plan, const struct plan_step *step,
		    const struct report_step *foreseen)
{
	json_t *object = json_object();

	if (json_array_append_new(list, object) < 0 || json_set_text(object, "id", step->id) < 0 ||
	    json_set_text(object, "kind", step->kind->name) < 0 ||
	    json_set_text(object, "class", kind_class_name(step->kind->class)) < 0 ||
	    json_set_text(object, "title", step->title) < 0 ||
	    json_set_text(object, "state", states[step->state]) < 0 ||
	    json_set_text(object, "text", step->text) < 0)
		return -1;
	if (json_set_text(object, "reason", step->reason) < 0 || set_foreseen(object, foreseen) < 0)
		return -1;
	return set_session(object, plan, step);
}

static const char *const bases[] = {
	[TIME_ASSUMED] = "assumed",
	[TIME_MIXED] = "mixed",
	[TIME_MEASURED] = "measured",
};

static int set_time(json_t *object, const char *key, const struct plan_time *time)
{
	json_t *value = json_object();

	if (json_object_set_new(object, key, value) < 0 ||
	    json_object_set_new(value, "ms", json_integer((json_int_t)(time->us / 1000))) < 0)
		return -1;
	return json_set_text(value, "basis", bases[time->basis]);
}

/* Null in a plan that never powers off. */
static int set_times(json_t *document, const struct plan *plan)
{
	json_t *object;
	struct plan_times times;

	if (plan->boundary >= plan->n_steps)
		return json_set_text(document, "times", NULL);
	object = json_object();
	plan_times(plan, &times);
	if (json_object_set_new(document, "times", object) < 0 ||
	    set_time(object, "before", &times.before) < 0 ||
	    set_time(object, "boot", &times.boot) < 0)
		return -1;
	return set_time(object, "down", &times.down);
}

static int set_lists(json_t *document, const struct plan *plan, const struct report_step *foreseen)
{
	json_t *vars = json_array(), *steps = json_array();
	int r;

	r = json_object_set_new(document, "vars", vars);
	if (json_object_set_new(document, "steps", steps) < 0 || r < 0)
		return -1;
	for (size_t i = 0; i < plan->n_vars; i++)
		if (add_var(vars, &plan->vars[i]) < 0)
			return -1;
	for (size_t i = 0; i < plan->n_steps; i++)
		if (add_step(steps, plan, &plan->steps[i], foreseen ? &foreseen[i] : NULL) < 0)
			return -1;
	return 0;
}

int plan_json(struct facts *facts, const struct plan *plan, const struct report_step *foreseen,
	      struct buf *ret, struct error *err)
{
	AUTO_JSON document = NULL;
	int r = frontmatter_new("plan", facts, &document, err);

	if (r < 0)
		return r;
	if (json_set_runbook(document, plan) < 0 || json_set_work(document, plan) < 0 ||
	    set_lists(document, plan, foreseen) < 0 || set_times(document, plan) < 0)
		return error_oom(err);
	return json_print(document, ret, err);
}

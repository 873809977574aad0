/* SPDX-License-Identifier: MIT */
/* A plan as one JSON document: what would run, and why not. */
#include "report.h"

#include "base/json.h"
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

static int add_step(json_t *list, const struct plan_step *step)
{
	json_t *object = json_object();

	if (json_array_append_new(list, object) < 0 || json_set_text(object, "id", step->id) < 0 ||
	    json_set_text(object, "kind", step->kind->name) < 0 ||
	    json_set_text(object, "class", kind_class_name(step->kind->class)) < 0 ||
	    json_set_text(object, "title", step->title) < 0 ||
	    json_set_text(object, "state", states[step->state]) < 0 ||
	    json_set_text(object, "text", step->text) < 0)
		return -1;
	return json_set_text(object, "reason", step->reason);
}

static int set_lists(json_t *document, const struct plan *plan)
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
		if (add_step(steps, &plan->steps[i]) < 0)
			return -1;
	return 0;
}

int plan_json(struct facts *facts, const struct plan *plan, struct buf *ret, struct error *err)
{
	AUTO_JSON document = NULL;
	int r = frontmatter_new("plan", facts, &document, err);

	if (r < 0)
		return r;
	if (json_set_runbook(document, plan) < 0 || json_set_work(document, plan) < 0 ||
	    set_lists(document, plan) < 0)
		return error_oom(err);
	return json_print(document, ret, err);
}

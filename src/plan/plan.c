/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "plan/planner.h"

static const struct plan_args no_args;

int plan_note(struct plan *plan, struct error *err, const char *fmt, ...)
{
	AUTO_FREE char *note = NULL;
	va_list args;
	int n;

	va_start(args, fmt);
	n = vasprintf(&note, fmt, args);
	va_end(args);
	if (n < 0) {
		note = NULL;
		return error_oom(err);
	}
	if (strv_has(plan->notes, note))
		return 0;
	return strv_add(&plan->notes, note) ? error_oom(err) : 0;
}

bool is_usage(int code)
{
	return code == -EINVAL || code == -ENOENT || code == -ENOTUNIQ || code == -ERANGE;
}

void diagnose(struct diagnostics *diags, struct position at, const char *what,
	      const struct error *why)
{
	diagnostics_add(diags, at, "%s%s%s%s%s", what ? what : "", what ? ": " : "",
			error_text(why), why->hint ? "; " : "", why->hint ? why->hint : "");
}

static int plan_steps(struct planner *planner, struct error *err)
{
	struct plan *plan = planner->plan;
	size_t n = planner->runbook->n_steps;
	int r = 0;

	if (planner->args->side == PLAN_AFTER && plan_first_after(planner->runbook) == n)
		diagnostics_add(planner->diags, (struct position){ 0 }, "%s",
				_("no step of the runbook stands after the work: there is nothing "
				  "to verify"));
	plan->steps = calloc(n + 1, sizeof(*plan->steps));
	if (!plan->steps)
		return error_oom(err);
	plan->boundary = planner->runbook->boundary;
	plan_estimate_boot(planner);
	for (size_t i = 0; i < n && !r; i++)
		r = plan_step_place(planner, i, err);
	return r;
}

static int name_plan(const struct runbook *runbook, struct plan *plan, struct error *err)
{
	plan->name = strdup(runbook->name);
	plan->file = strdup(runbook->file);
	memcpy(plan->sha256, runbook->sha256, sizeof(plan->sha256));
	return plan->name && plan->file ? 0 : error_oom(err);
}

int plan_make(const struct runbook *runbook, struct facts *facts, const struct plan_args *args,
	      struct plan **ret, struct diagnostics *diags, struct error *err)
{
	CLEANUP(cleanup_plan) struct plan *plan = calloc(1, sizeof(*plan));
	struct planner planner = {
		.runbook = runbook,
		.facts = facts,
		.args = args ? args : &no_args,
		.plan = plan,
		.diags = diags,
	};
	int r;

	*ret = NULL;
	if (!diags->file)
		diags->file = strdup(runbook->file);
	if (!plan || !diags->file)
		return error_oom(err);
	plan->after = planner.args->side == PLAN_AFTER;
	planner.before = plan->after ? planner.args->before : NULL;
	r = name_plan(runbook, plan, err);
	if (!r)
		r = plan_vars(&planner, err);
	/* A variable without its value would be reported again wherever it stands. */
	if (!r && !diagnostics_any(diags))
		r = plan_work(&planner, err);
	if (!r && !diagnostics_any(diags))
		r = plan_steps(&planner, err);
	if (diags->failed)
		return error_oom(err);
	if (diags->n)
		return error_set(err, -EINVAL, _("%s cannot be planned as it was asked for"),
				 runbook->file);
	if (r)
		return r;
	*ret = TAKE(plan);
	return 0;
}

void plan_free(struct plan *plan)
{
	if (!plan)
		return;
	for (size_t i = 0; i < plan->n_vars; i++) {
		free(plan->vars[i].name);
		free(plan->vars[i].value);
	}
	for (size_t i = 0; i < plan->n_steps; i++)
		plan_step_done(&plan->steps[i]);
	free(plan->vars);
	free(plan->steps);
	strv_free(plan->notes);
	work_free(plan->work);
	free(plan->name);
	free(plan->file);
	free(plan);
}

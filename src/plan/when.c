/* SPDX-License-Identifier: MIT */
/* Is a step due on this host? */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "plan/planner.h"

int plan_step_state(struct plan_step *step, enum plan_state state, struct error *err,
		    const char *fmt, ...)
{
	va_list args;
	char *reason;
	int n;

	va_start(args, fmt);
	n = vasprintf(&reason, fmt, args);
	va_end(args);
	if (n < 0)
		return error_oom(err);
	free(step->reason);
	step->reason = reason;
	step->state = state;
	return 0;
}

static int decide(struct plan_step *step, const struct when *when, bool value, struct error *err)
{
	if (value != when->negated)
		return 0;
	return plan_step_state(step, PLAN_SKIPPED, err,
			       _("It stands under 'when: %s%s%s%s', and that is not so here."),
			       when->negated ? "not " : "", when->step, *when->step ? "." : "",
			       when->name);
}

static int decide_fact(const struct planner *planner, struct plan_step *step,
		       const struct when *when, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	const struct fact_row *row = fact_find(when->name);
	bool value = false;
	int r = row ? row->probe(planner->facts, &value, &why) : -EINVAL;

	if (r == -ENOMEM)
		return error_oom(err);
	if (r)
		return plan_step_state(step, PLAN_UNKNOWN, err,
				       _("Whether '%s' is true here is not known: %s."), when->name,
				       error_text(&why));
	return decide(step, when, value, err);
}

static int decide_output(const struct planner *planner, struct plan_step *step,
			 const struct when *when, struct error *err)
{
	const struct output *output = find_output(planner, when->step, when->name);

	if (output)
		return decide(step, when, output->value.boolean, err);
	if (was_skipped(planner, when->step))
		return plan_step_state(step, PLAN_SKIPPED, err,
				       _("It depends on the step '%s', which was skipped."),
				       when->step);
	return plan_step_state(
		step, PLAN_UNKNOWN, err,
		_("It depends on the output '%s' of the step '%s', which gave none."), when->name,
		when->step);
}

int plan_when(const struct planner *planner, struct plan_step *step, const struct when *when,
	      bool *ret_later, struct error *err)
{
	*ret_later = *when->step && !planner->result_of;
	if (*ret_later)
		return 0;
	return *when->step ? decide_output(planner, step, when, err)
			   : decide_fact(planner, step, when, err);
}

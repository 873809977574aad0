/* SPDX-License-Identifier: MIT */
/*
 * Before the work and after it.
 *
 * The step that powers off divides a runbook; one without such a step is
 * divided by its first check that judges what the work has done.
 */
#include "base/intl.h"
#include "plan/planner.h"

size_t plan_first_after(const struct runbook *runbook)
{
	size_t i = 0;

	if (runbook->boundary < runbook->n_steps)
		return runbook->boundary + 1;
	while (i < runbook->n_steps && !(runbook->steps[i].kind->flags & KIND_AFTER))
		i++;
	return i;
}

static bool is_check(const struct plan_step *step)
{
	return step->kind->class == KIND_CHECK;
}

/*
 * A step that is past is not run again, so what its names mean today is no
 * mistake of the operator's; its parameters are kept for its restore.
 */
static int make_past(const struct planner *planner, const struct runbook_step *from,
		     struct plan_step *step, struct error *err)
{
	CLEANUP(diagnostics_done) struct diagnostics unheard = { 0 };
	struct planner quiet = *planner;
	int r;

	quiet.diags = &unheard;
	quiet.past = true;
	r = plan_step_make(&quiet, from, step, err);
	if (!r && unheard.failed)
		r = error_oom(err);
	return r ? r
		 : plan_step_state(
			   step, PLAN_SKIPPED, err, "%s",
			   is_check(step)
				   ? _("It stands before the work: `coldswap audit` runs it.")
				   : _("It stands before the work: only `coldswap run` does it."));
}

/* Without a boundary, a check of the present state that stands behind others is good now too. */
static bool is_too_early(const struct planner *planner, const struct plan_step *step)
{
	bool divided = planner->plan->boundary < planner->runbook->n_steps;

	return planner->args->side == PLAN_BEFORE && step->after &&
	       (divided || (step->kind->flags & KIND_AFTER));
}

int plan_step_place(struct planner *planner, size_t index, struct error *err)
{
	const struct runbook_step *from = &planner->runbook->steps[index];
	struct plan_step *step = &planner->plan->steps[planner->plan->n_steps++];
	int r;

	step->after = index >= plan_first_after(planner->runbook);
	if (planner->args->side == PLAN_AFTER && !step->after)
		r = make_past(planner, from, step, err);
	else
		r = plan_step_make(planner, from, step, err);
	if (!r)
		r = plan_restore(planner->plan, step, err);
	if (r)
		return r;
	plan_estimate(planner, step);
	if (step->state != PLAN_READY || !is_too_early(planner, step))
		return 0;
	return plan_step_state(
		step, PLAN_SKIPPED, err, "%s",
		is_check(step) ? _("It stands after the work: `coldswap verify` runs it.")
			       : _("It stands after the work: only `coldswap resume` does it."));
}

/* ---- restores ------------------------------------------------------------------ */

static int say_undo(const struct plan_step *undone, struct plan_step *step, struct error *err)
{
	AUTO_BUF text = BUF_INIT;
	char *made;

	if (!undone->params || !undone->kind->describe_undo)
		return 0; /* the kind's own words stand */
	if (undone->kind->describe_undo(undone->params, &text) || buf_error(&text))
		return error_oom(err);
	made = buf_take(&text);
	if (!made)
		return error_oom(err);
	free(step->text);
	step->text = made;
	return 0;
}

int plan_restore(const struct plan *plan, struct plan_step *step, struct error *err)
{
	const struct plan_step *undone;

	if (!(step->kind->flags & KIND_RESTORE) || step->state != PLAN_READY)
		return 0;
	undone = &plan->steps[step->restores];
	/* After the work the journal alone knows what was done. */
	if (plan->after || undone->state == PLAN_READY)
		return say_undo(undone, step, err);
	if (undone->state == PLAN_SKIPPED)
		return plan_step_state(step, PLAN_SKIPPED, err,
				       _("It restores the step '%s', which is skipped."),
				       undone->id);
	return plan_step_state(step, PLAN_UNKNOWN, err,
			       _("It restores the step '%s', of which it is not known whether it "
				 "is due."),
			       undone->id);
}

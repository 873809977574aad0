/* SPDX-License-Identifier: MIT */
#include "exec/undo.h"

#include <errno.h>

#include "base/intl.h"
#include "exec/action.h"
#include "exec/check.h"
#include "exec/inhibitor.h"
#include "exec/record.h"
#include "exec/stop.h"
#include "exec/turn.h"

bool undo_is_due(const struct executor *executor, size_t index)
{
	for (size_t i = index + 1; i < executor->n_steps; i++)
		if (executor->plan->steps[i].restores == index)
			return executor->steps[i].state != STEP_NOT_BEGUN;
	return false;
}

bool undo_has_work(const struct executor *executor, size_t index)
{
	size_t of = executor->plan->steps[index].restores;

	return of < executor->n_steps && action_stands(executor, of);
}

/* The outcome of the restore is that of the undo, under the restore's own name. */
static int settle(struct executor *executor, size_t index, struct report_step *undone,
		  struct error *err)
{
	undone->plan = &executor->plan->steps[index];
	return check_settle(executor, index, undone, err);
}

static int nothing_to_do(struct executor *executor, size_t index, struct error *err)
{
	AUTO_REPORT_STEP outcome = { .plan = &executor->plan->steps[index] };

	result_init(&outcome.result, outcome.plan->kind);
	outcome.result.verdict = VERDICT_PASS;
	result_summary(&outcome.result, "%s", _("There was nothing to take back."));
	return check_settle(executor, index, &outcome, err);
}

int undo_restore(struct executor *executor, size_t index, struct error *err)
{
	AUTO_REPORT_STEP undone = { 0 };
	enum standing standing;
	size_t of = executor->plan->steps[index].restores;
	int r;

	if (!undo_has_work(executor, index))
		return nothing_to_do(executor, index, err);
	r = check_announce(executor, index, err);
	if (!r)
		r = inhibitor_hold(executor, err);
	if (!r)
		r = record_intent(executor, index, err);
	if (!r)
		r = action_undo(executor, of, &standing, &undone, err);
	return r ? r : settle(executor, index, &undone, err);
}

/* Why it is left, for whoever decides what becomes of the session. */
static void keep_why(struct session_step *step, bool left, struct report_step *undone)
{
	step->undo_ended = left;
	if (!left)
		return;
	result_done(&step->undo_result);
	error_done(&step->undo_failure);
	step->undo_result = undone->result;
	step->undo_failure = undone->failure;
	undone->result = (struct result){ 0 };
	undone->failure = (struct error)ERROR_INIT;
}

static int take_back(struct executor *executor, size_t index, bool *ret_left, struct error *err)
{
	AUTO_REPORT_STEP undone = { 0 };
	enum standing standing;
	int r;

	executor_tell_step(executor, NOTICE_UNDOES, index, NULL);
	r = action_undo(executor, index, &standing, &undone, err);
	if (r)
		return r;
	executor_tell_step(executor, NOTICE_UNDONE, index, &undone);
	*ret_left = standing != STANDING_YES;
	keep_why(&executor->steps[index], *ret_left, &undone);
	return 0;
}

int undo_all(struct executor *executor, bool kept_too, size_t *ret_left, struct error *err)
{
	int r = inhibitor_hold(executor, err);

	*ret_left = 0;
	for (size_t i = executor->n_steps; !r && i-- > 0;) {
		bool left = false;

		if (!action_stands(executor, i) || (executor->plan->steps[i].keep && !kept_too))
			continue;
		r = take_back(executor, i, &left, err);
		*ret_left += left;
		if (!r && executor->signal)
			return stop_interrupted(executor, err);
	}
	return r;
}

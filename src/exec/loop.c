/* SPDX-License-Identifier: MIT */
#include "exec/loop.h"

#include "exec/action.h"
#include "exec/boundary.h"
#include "exec/cables.h"
#include "exec/check.h"
#include "exec/proofs.h"
#include "exec/stop.h"
#include "exec/undo.h"

/* Of an earlier call: does the record still hold without a look at the world? */
static bool is_settled(const struct executor *executor, size_t index)
{
	const struct kind *kind = executor->plan->steps[index].kind;
	const struct session_step *step = &executor->steps[index];

	if (step->state != STEP_DONE)
		return false;
	if (executor->renewed[index] || step->skipped || step->result.verdict == VERDICT_SKIP ||
	    (kind->flags & KIND_RESTORE))
		return true;
	if (kind->class == KIND_ACTION)
		return false;
	return !(kind->flags & KIND_VOLATILE) || !proofs_is_due(executor, index);
}

static bool is_past(const struct executor *executor, size_t index)
{
	if (executor->after && index <= executor->plan->boundary)
		return true;
	if (executor->plan->steps[index].kind->class == KIND_ACTION && undo_is_due(executor, index))
		return true;
	return is_settled(executor, index);
}

int loop_prepare(struct executor *executor, size_t index, struct error *err)
{
	int r = 0;

	if (executor->stale && executor->plan->steps[index].kind->class != KIND_ACTION)
		r = executor_renew(executor, err);
	if (!r && executor->plan->steps[index].state == PLAN_READY)
		r = plan_step_due(executor->plan, index, executor->facts, executor_result_of,
				  executor, err);
	return r;
}

static int take(struct executor *executor, size_t index, struct error *err)
{
	const struct plan_step *step = &executor->plan->steps[index];

	/* What was done is to be restored, whatever its condition would say today. */
	if ((step->kind->flags & KIND_RESTORE) && undo_has_work(executor, index))
		return undo_restore(executor, index, err);
	if (step->state != PLAN_READY)
		return check_leave_out(executor, index, err);
	if (step->kind->flags & KIND_BOUNDARY)
		return boundary_take(executor, index, err);
	if (step->kind->flags & KIND_RESTORE)
		return undo_restore(executor, index, err);
	if (step->kind->class == KIND_ACTION)
		return action_take(executor, index, err);
	return check_take(executor, index, err);
}

static int visit(struct executor *executor, size_t index, struct error *err)
{
	int r;

	if (is_past(executor, index))
		return 0;
	if (executor_interrupted(executor))
		return stop_interrupted(executor, err);
	r = loop_prepare(executor, index, err);
	if (!r)
		r = take(executor, index, err);
	if (r == 1 && cables_failed(executor, index))
		return cables_take(executor, index, err);
	return r;
}

int loop_run(struct executor *executor, struct error *err)
{
	int r = 0;

	for (size_t i = 0; !r && i < executor->n_steps; i++)
		r = visit(executor, i, err);
	return r;
}

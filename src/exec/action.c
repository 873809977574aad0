/* SPDX-License-Identifier: MIT */
#include "exec/action.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "exec/check.h"
#include "exec/inhibitor.h"
#include "exec/record.h"
#include "exec/stop.h"
#include "exec/turn.h"

/* What run() could not tell, verify() has told: only the findings count. */
static void forgive(struct report_step *outcome)
{
	struct result *result = &outcome->result;

	error_done(&outcome->failure);
	result->verdict = VERDICT_PASS;
	for (size_t i = 0; i < result->n_findings; i++)
		result->verdict = verdict_worse(result->verdict, result->findings[i].verdict);
	/* The effect is proved; what could not be told beside it is for the report. */
	if (result->verdict == VERDICT_UNKNOWN)
		result->verdict = VERDICT_WARN;
}

static void judge(enum standing standing, struct report_step *outcome)
{
	if (standing == STANDING_YES)
		forgive(outcome);
	else if (standing == STANDING_NO)
		outcome->result.verdict = VERDICT_FAIL;
	else
		outcome->result.verdict = verdict_worse(outcome->result.verdict, VERDICT_UNKNOWN);
}

static int prove(struct executor *executor, size_t index, enum standing *ret_standing,
		 struct report_step *outcome, struct error *err)
{
	AUTO_REPORT_STEP proof = { 0 };
	int r = turn_verify(executor, index, EFFECT_WANTED, ret_standing, &proof);

	if (!r)
		r = turn_absorb(outcome, &proof);
	if (r)
		return error_oom(err);
	judge(*ret_standing, outcome);
	return 0;
}

/* ---- done ----------------------------------------------------------------------- */

/* The operator stopped the run: half a change is no safe point. */
static int take_back(struct executor *executor, size_t index, struct report_step *outcome,
		     struct error *err)
{
	AUTO_REPORT_STEP undone = { 0 };
	enum standing standing = STANDING_UNKNOWN;
	const char *id = executor->plan->steps[index].id;
	int r = record_outcome(executor, index, outcome, err);

	if (!r && executor->plan->steps[index].kind->undo) {
		executor_tell_step(executor, NOTICE_UNDOES, index, NULL);
		r = action_undo(executor, index, &standing, &undone, err);
		if (!r)
			executor_tell_step(executor, NOTICE_UNDONE, index, &undone);
	}
	if (r)
		return r;
	if (standing == STANDING_YES)
		return stop_interrupted(executor, err);
	return stop_here(executor, EXIT_SYSTEM, err,
			 _("Step '%s' was stopped half-way, and it is not proved that it was taken "
			   "back; the next command goes on with it, abort takes it back."),
			 id);
}

static bool was_stopped(const struct report_step *outcome)
{
	return outcome->failure.code == -ECANCELED || outcome->failure.code == -EIO ||
	       outcome->failure.code == -EPIPE;
}

/* There is nothing of that name here: nothing was done, nothing is to be proved or undone. */
static bool does_not_apply(const struct report_step *outcome)
{
	return outcome->failure.code == 0 && outcome->result.verdict == VERDICT_SKIP;
}

/* intent -> run -> verify -> outcome */
static int carry_out(struct executor *executor, size_t index, struct error *err)
{
	AUTO_REPORT_STEP outcome = { 0 };
	enum standing standing = STANDING_UNKNOWN;
	bool stopped;
	int r = inhibitor_hold(executor, err);

	if (!r)
		r = record_intent(executor, index, err);
	if (r)
		return r;
	executor->stale = true;
	r = turn_run(executor, index, &outcome);
	if (r)
		return error_oom(err);
	/* The signal is taken back here, so that what comes now is not cut short. */
	stopped = executor_interrupted(executor) && was_stopped(&outcome);
	if (does_not_apply(&outcome))
		return check_settle(executor, index, &outcome, err);
	r = prove(executor, index, &standing, &outcome, err);
	if (r)
		return r;
	if (standing != STANDING_YES && stopped)
		return take_back(executor, index, &outcome, err);
	return check_settle(executor, index, &outcome, err);
}

static int begin(struct executor *executor, size_t index, struct error *err)
{
	int r = check_announce(executor, index, err);

	return r ? r : carry_out(executor, index, err);
}

/* ---- found done ------------------------------------------------------------------ */

static int cannot_tell(struct executor *executor, size_t index, struct report_step *proof,
		       struct error *err)
{
	executor_tell_step(executor, NOTICE_ENDS, index, proof);
	return stop_here(executor, EXIT_NOT_KNOWN, err,
			 _("It cannot be told whether step '%s' is done: see what the step says; "
			   "then go on."),
			 executor->plan->steps[index].id);
}

/* Intended and no outcome, failed, or void: only the world knows. */
static int recover(struct executor *executor, size_t index, struct error *err)
{
	AUTO_REPORT_STEP proof = { 0 };
	enum standing standing;

	if (turn_verify(executor, index, EFFECT_WANTED, &standing, &proof))
		return error_oom(err);
	if (executor_interrupted(executor))
		return stop_interrupted(executor, err);
	if (standing == STANDING_UNKNOWN)
		return cannot_tell(executor, index, &proof, err);
	if (standing == STANDING_NO)
		return begin(executor, index, err);
	forgive(&proof);
	result_summary(&proof.result, "%s", _("It was found done."));
	executor->stale = true;
	return check_settle(executor, index, &proof, err);
}

static int look_again(struct executor *executor, size_t index, struct error *err)
{
	bool holds;
	int r = action_holds(executor, index, &holds, err);

	if (r || holds)
		return r;
	r = record_void(executor, index, _("the machine is no longer as the step left it"), err);
	return r ? r : begin(executor, index, err);
}

int action_holds(struct executor *executor, size_t index, bool *ret, struct error *err)
{
	AUTO_REPORT_STEP proof = { 0 };
	enum standing standing;

	*ret = false;
	if (turn_verify(executor, index, EFFECT_WANTED, &standing, &proof))
		return error_oom(err);
	if (executor_interrupted(executor))
		return stop_interrupted(executor, err);
	if (standing == STANDING_UNKNOWN)
		return cannot_tell(executor, index, &proof, err);
	*ret = standing == STANDING_YES;
	if (*ret)
		executor->renewed[index] = true;
	else
		executor_tell(executor, NOTICE_WARNING,
			      _("Step '%s' was done, and the machine is no longer as it left it."),
			      executor->plan->steps[index].id);
	return 0;
}

int action_take(struct executor *executor, size_t index, struct error *err)
{
	static int (*const arrows[])(struct executor *, size_t, struct error *) = {
		[STEP_NOT_BEGUN] = begin, [STEP_INTENDED] = recover, [STEP_DONE] = look_again,
		[STEP_FAILED] = recover,  [STEP_UNDONE] = begin,     [STEP_VOID] = recover,
	};

	return arrows[executor->steps[index].state](executor, index, err);
}

/* ---- taken back -------------------------------------------------------------------- */

bool action_stands(const struct executor *executor, size_t index)
{
	const struct kind *kind = executor_outline(executor)->steps[index].kind;
	const struct session_step *step = &executor->steps[index];

	if (step->skipped || (step->state == STEP_DONE && step->result.verdict == VERDICT_SKIP))
		return false;
	return kind->class == KIND_ACTION && kind->undo && step->state != STEP_NOT_BEGUN &&
	       step->state != STEP_UNDONE;
}

/* Once more when the operator stopped it: an undo is what a stop waits for. */
static int run_undo(struct executor *executor, size_t index, struct report_step *ret,
		    enum standing *ret_standing, struct error *err)
{
	AUTO_REPORT_STEP proof = { 0 };
	int r = turn_undo(executor, index, ret);

	if (!r && executor_interrupted(executor) && ret->failure.code == -ECANCELED) {
		report_step_done(ret);
		r = turn_undo(executor, index, ret);
	}
	if (!r)
		r = turn_verify(executor, index, EFFECT_UNDONE, ret_standing, &proof);
	if (!r)
		r = turn_absorb(ret, &proof);
	return r ? error_oom(err) : 0;
}

int action_undo(struct executor *executor, size_t index, enum standing *ret_standing,
		struct report_step *ret, struct error *err)
{
	int r = turn_verify(executor, index, EFFECT_UNDONE, ret_standing, ret);

	if (r)
		return error_oom(err);
	(void)executor_interrupted(executor);
	r = record_undo_intent(executor, index, err);
	if (r)
		return r;
	if (*ret_standing == STANDING_YES) {
		result_summary(&ret->result, "%s", _("It was as before already."));
	} else {
		report_step_done(ret);
		executor->stale = true;
		r = run_undo(executor, index, ret, ret_standing, err);
	}
	if (r)
		return r;
	judge(*ret_standing, ret);
	return record_undo_outcome(executor, index, *ret_standing, ret, err);
}

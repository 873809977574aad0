/* SPDX-License-Identifier: MIT */
/*
 * The three calls that act: one function an arrow of session.h's state machine.
 *
 *	(nothing) --run_session()--> BEFORE --loop--> boundary_take() --> CROSSING
 *	BEFORE, CROSSING, AFTER --resume_session()--> loop --> finish()
 *	BEFORE, CROSSING, AFTER --abort_session()--> CLOSED, or open with what is left
 */
#include "exec/session.h"

#include <errno.h>

#include "base/intl.h"
#include "exec/abort.h"
#include "exec/acceptance.h"
#include "exec/executor.h"
#include "exec/loop.h"
#include "exec/opening.h"
#include "exec/resume.h"
#include "exec/stop.h"

/* The last step is settled: nothing that was changed for the work is left. */
static int finish(struct executor *executor, struct error *err)
{
	if (executor->differs)
		return stop_closed(executor, "differs", executor->how, EXIT_CHECK_FAILED, err);
	return stop_closed(executor, "pass", _("Every step of the runbook is done, and proved."),
			   EXIT_SAFE, err);
}

/* Every step is visited anew: what holds is passed by in silence. */
static void say_again(struct executor *executor)
{
	executor_tell(executor, NOTICE_TEXT, "%s",
		      _("Looking again at what was done and proved before; only what no longer "
			"holds is told."));
}

static int go_on(struct executor *executor, struct error *err)
{
	int r = loop_run(executor, err);

	return r ? r : finish(executor, err);
}

static int run_session(struct executor *executor, const struct runbook *runbook,
		       const struct plan_args *plan_args, struct error *err)
{
	int r = opening_make(executor, runbook, plan_args, err);

	return r ? r : go_on(executor, err);
}

static int resume_session(struct executor *executor, struct error *err)
{
	int r = resume_load(executor, err);

	if (!r)
		r = resume_arrive(executor, err);
	if (!r)
		r = resume_compare(executor, err);
	if (!r)
		r = executor_plan(executor, err);
	if (!r)
		r = acceptance_take(executor, err);
	if (r)
		return r;
	say_again(executor);
	return go_on(executor, err);
}

static int abort_session(struct executor *executor, struct error *err)
{
	int r = resume_load(executor, err);

	if (!r)
		r = abort_arrive(executor, err);
	return r ? r : abort_all(executor, err);
}

/* What an arrow returned, to what the caller of the program sees. */
static int ended(int r)
{
	return r < 0 ? r : 0;
}

int session_run(const struct session_args *args, const struct runbook *runbook,
		const struct plan_args *plan_args, struct session_end *ret, struct error *err)
{
	AUTO_EXECUTOR executor = EXECUTOR_INIT;
	int r;

	*ret = (struct session_end){ 0 };
	r = executor_open(&executor, args, ret, "run", err);
	return ended(r ? r : run_session(&executor, runbook, plan_args, err));
}

int session_resume(const struct session_args *args, struct session_end *ret, struct error *err)
{
	AUTO_EXECUTOR executor = EXECUTOR_INIT;
	int r;

	*ret = (struct session_end){ 0 };
	r = executor_open(&executor, args, ret, "resume", err);
	return ended(r ? r : resume_session(&executor, err));
}

int session_abort(const struct session_args *args, struct session_end *ret, struct error *err)
{
	AUTO_EXECUTOR executor = EXECUTOR_INIT;
	int r;

	*ret = (struct session_end){ 0 };
	r = executor_open(&executor, args, ret, "abort", err);
	return ended(r ? r : abort_session(&executor, err));
}

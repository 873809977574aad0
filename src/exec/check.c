/* SPDX-License-Identifier: MIT */
#include "exec/check.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "exec/acceptance.h"
#include "exec/record.h"
#include "exec/stop.h"
#include "exec/turn.h"

/* A question whose one word goes on. */
static int ask_yes(struct executor *executor, size_t index, const struct question *question,
		   struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_FREE char *answer = NULL;

	return executor_ask(executor, index, question, &answer, &why)
		       ? stop_asked(executor, &why, err)
		       : 0;
}

int check_announce(struct executor *executor, size_t index, struct error *err)
{
	const struct question question = {
		.text = _("Run this step?"),
		.word = "yes",
		.goes_on = _("runs the step"),
		.leaves = _("The step is not run; everything up to here is saved."),
	};

	executor_tell_step(executor, NOTICE_BEGINS, index, NULL);
	return executor->args->by_step ? ask_yes(executor, index, &question, err) : 0;
}

void check_tell(struct executor *executor, enum notice_type type, size_t index)
{
	const struct session_step *step = &executor->steps[index];
	const struct report_step outcome = {
		.plan = &executor->plan->steps[index],
		.result = step->result,
		.failure = step->failure,
		.duration_us = step->duration_us,
	};

	executor_tell_step(executor, type, index, &outcome);
}

static int exit_code(const struct plan_step *step, const struct session_step *record)
{
	if (record->failure.code < 0)
		return EXIT_SYSTEM;
	if (record->result.verdict == VERDICT_FAIL && step->kind->class == KIND_ACTION)
		return EXIT_SYSTEM;
	return exit_code_of(record->result.verdict);
}

static int block(struct executor *executor, size_t index, struct error *err)
{
	const struct plan_step *step = &executor->plan->steps[index];
	const struct session_step *record = &executor->steps[index];
	int code = exit_code(step, record);

	if (step->kind->class == KIND_ACTION)
		return stop_here(executor, code, err,
				 _("Step '%s' did not do what it should; mend what it found, then "
				   "go on, or take everything back with abort."),
				 step->id);
	if (code == EXIT_SYSTEM)
		return stop_here(executor, code, err,
				 _("Step '%s' could not be carried out: %s; nothing further was "
				   "changed."),
				 step->id, error_text(&record->failure));
	return stop_here(executor, code, err,
			 code == EXIT_CHECK_FAILED
				 ? _("Step '%s' failed; mend what it found, then go on. Nothing "
				     "further was changed.")
				 : _("Step '%s' could not be decided, and what is not known is "
				     "never passed; mend what it found, then go on. Nothing "
				     "further was changed."),
			 step->id);
}

int check_settle(struct executor *executor, size_t index, struct report_step *outcome,
		 struct error *err)
{
	bool blocks = acceptance_blocks(executor, outcome);
	int r = record_outcome(executor, index, outcome, err);

	if (r)
		return r;
	check_tell(executor, NOTICE_ENDS, index);
	if (blocks)
		return block(executor, index, err);
	/* Accepted: it is done, and stands so in this session. */
	executor->steps[index].state = STEP_DONE;
	return 0;
}

static int ask_about_warnings(struct executor *executor, size_t index,
			      const struct report_step *outcome, struct error *err)
{
	const struct question question = {
		.text = _("This step found warnings, and the runbook wants to know: go on with "
			  "them?"),
		.word = "yes",
		.goes_on = _("goes on with the warnings as they are"),
		.leaves = _("Nothing further is changed; the step runs again when the session "
			    "goes on."),
	};

	if (executor->plan->steps[index].on_warn != ON_WARN_ASK ||
	    outcome->result.verdict != VERDICT_WARN ||
	    !acceptance_warns(executor, &outcome->result))
		return 0;
	executor_tell_step(executor, NOTICE_ENDS, index, outcome);
	return ask_yes(executor, index, &question, err);
}

/* Of a gate: nobody was there, or the operator stopped. */
static bool went_unanswered(const struct report_step *outcome)
{
	switch (outcome->failure.code) {
	case -ENOTTY:
	case -ECANCELED:
	case -EIO:
	case -EPIPE:
		return outcome->plan->kind->class == KIND_GATE;
	default:
		return false;
	}
}

int check_take(struct executor *executor, size_t index, struct error *err)
{
	AUTO_REPORT_STEP outcome = { 0 };
	int r = check_announce(executor, index, err);

	if (r)
		return r;
	if (turn_run(executor, index, &outcome))
		return error_oom(err);
	if (went_unanswered(&outcome))
		return stop_asked(executor, &outcome.failure, err);
	/* Facts that a stopped probe left out would look like facts that are not there. */
	if (executor_interrupted(executor))
		return stop_interrupted(executor, err);
	r = ask_about_warnings(executor, index, &outcome, err);
	return r ? r : check_settle(executor, index, &outcome, err);
}

int check_leave_out(struct executor *executor, size_t index, struct error *err)
{
	AUTO_REPORT_STEP outcome = { 0 };

	turn_leave_out(executor, index, &outcome);
	return check_settle(executor, index, &outcome, err);
}

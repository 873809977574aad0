/* SPDX-License-Identifier: MIT */
#include "exec/abort.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "exec/action.h"
#include "exec/resume.h"
#include "exec/stop.h"
#include "exec/undo.h"

int abort_arrive(struct executor *executor, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r;

	executor->verb = "abort";
	r = resume_refuse_machine(executor, err);
	if (r)
		return r;
	r = resume_side(executor, err);
	if (r)
		return r;
	r = executor_open_seal(executor, &why);
	if (r == -ENOMEM)
		return error_oom(err);
	/* Without a seal the machine as it is must do; a disk that is gone is then an error. */
	if (r)
		return executor_plan(executor, err);
	return pinned_plan(&executor->pinned, executor->before, NULL, PLAN_WHOLE, &executor->plan,
			   err);
}

/* ---- what cannot be taken back ------------------------------------------------------ */

static const char *why_left(const struct session_step *step)
{
	const struct result *result = &step->undo_result;

	for (size_t i = 0; i < result->n_findings; i++)
		if (result->findings[i].verdict >= VERDICT_UNKNOWN && result->findings[i].summary)
			return result->findings[i].summary;
	if (step->undo_failure.code)
		return error_text(&step->undo_failure);
	return result->summary ? result->summary : "";
}

static int list_left(const struct executor *executor, struct buf *ret)
{
	for (size_t i = executor->n_steps; i-- > 0;)
		if (action_stands(executor, i) && executor->steps[i].undo_ended)
			buf_addf(ret, _(" Step '%s' (%s): %s"), executor->plan->steps[i].id,
				 executor->plan->steps[i].text, why_left(&executor->steps[i]));
	return buf_error(ret);
}

static int ask_left(struct executor *executor, const char *list, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_FREE char *answer = NULL, *text = NULL;
	struct question question = {
		.word = "differs",
		.goes_on = _("closes the session as differing, with this in its report; what is "
			     "named stays as it is now, and nothing looks after it any more"),
		.leaves = _("The session stays open; mend what is named, then abort again."),
	};
	int r;

	if (asprintf(&text,
		     _("Not everything could be proved to be taken back; the rest is as it was "
		       "before.%s If this can never be taken back, the session can be closed."),
		     list) < 0) {
		text = NULL;
		return error_oom(err);
	}
	question.text = text;
	r = executor_ask(executor, SIZE_MAX, &question, &answer, &why);
	if (r == -ENOTTY || r == -ECANCELED || r == -EIO || r == -EPIPE)
		return 0;
	return r ? error_copy(err, &why) : 1;
}

/* Nobody but the operator, by a word of his own, closes what is not as it was. */
static int left_over(struct executor *executor, size_t left, struct error *err)
{
	AUTO_BUF list = BUF_INIT;
	AUTO_FREE char *how = NULL;
	int r = list_left(executor, &list) < 0 ? error_oom(err)
					       : ask_left(executor, buf_text(&list), err);

	if (r < 0)
		return r;
	if (r == 0)
		return stop_here(
			executor, EXIT_SYSTEM, err,
			PLURAL("%zu step could not be proved to be taken back; mend what it "
			       "says, then abort again, or close the session as it is there: "
			       "abort asks for it at a terminal.",
			       "%zu steps could not be proved to be taken back; mend what they "
			       "say, then abort again, or close the session as it is there: "
			       "abort asks for it at a terminal.",
			       left),
			left);
	if (asprintf(&how, _("Closed by the operator, with what could not be taken back:%s"),
		     buf_text(&list)) < 0) {
		how = NULL;
		return error_oom(err);
	}
	return stop_closed(executor, "differs", how, EXIT_CHECK_FAILED, err);
}

int abort_all(struct executor *executor, struct error *err)
{
	size_t left = 0;
	int r = undo_all(executor, true, &left, err);

	if (r)
		return r;
	if (left)
		return left_over(executor, left, err);
	return stop_closed(executor, "aborted",
			   executor->after
				   ? _("Everything that this session did is taken back; the "
				       "cables stay as they are now.")
				   : _("Everything that this session did is taken back."),
			   EXIT_SAFE, err);
}

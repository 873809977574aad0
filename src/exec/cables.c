/* SPDX-License-Identifier: MIT */
#include "exec/cables.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "exec/boundary.h"
#include "exec/stop.h"
#include "exec/undo.h"
#include "work/remaining.h"
#include "work/work.h"

int cables_ask_end(struct executor *executor, struct error *err)
{
	static const char *const others[] = { "board", "both", NULL };
	const char *const mean[] = {
		_("the plugs at the board were exchanged: each cable went with its drive"),
		_("both ends were touched, or nobody remembers"),
		NULL,
	};
	const struct question question = {
		.text = _("The machine was off and is on again. Which ends of the data cables were "
			  "exchanged? What the links prove hangs on it."),
		.word = "drives",
		.goes_on = _("the plugs at the drives were exchanged, as the card says"),
		.leaves = _("Nothing is changed; the question comes again."),
		.others = others,
		.others_mean = mean,
	};
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_FREE char *answer = NULL;

	if (!executor_outline(executor)->work || !executor_outline(executor)->work->n)
		return 0;
	if (executor_ask(executor, SIZE_MAX, &question, &answer, &why))
		return stop_asked(executor, &why, err);
	free(executor->end_of_cables);
	executor->end_of_cables = TAKE(answer);
	return 0;
}

bool cables_failed(const struct executor *executor, size_t index)
{
	const struct session_step *step = &executor->steps[index];

	return executor->after && (executor->plan->steps[index].kind->flags & KIND_CABLES) &&
	       step->state == STEP_FAILED && step->result.verdict == VERDICT_FAIL;
}

/* ---- the three ways ------------------------------------------------------------------ */

static int off(struct executor *executor, size_t index, struct error *err)
{
	CLEANUP(cleanup_work) struct work *work = NULL;
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r = executor_renew(executor, err);

	(void)index;
	if (r)
		return r;
	r = work_remaining(executor->facts, executor->before, executor->plan->work, &work, &why);
	if (r == -ENOMEM)
		return error_oom(err);
	if (r)
		return stop_here(executor, EXIT_NOT_KNOWN, err,
				 _("What is left to be done with the cables cannot be said: %s."),
				 error_text(&why));
	return boundary_take_again(executor, work, err);
}

/* The session's steps are taken back, whatever the runbook had in mind for later. */
static int keep(struct executor *executor, size_t index, struct error *err)
{
	size_t left = 0;
	AUTO_FREE char *how = NULL;
	const struct result *result = &executor->steps[index].result;
	int r;

	if (asprintf(&how, _("The cables stay as they are, and everything else is restored. %s"),
		     result->summary ? result->summary : "") < 0) {
		how = NULL;
		return error_oom(err);
	}
	r = undo_all(executor, false, &left, err);
	if (r)
		return r;
	if (left)
		return stop_here(executor, EXIT_SYSTEM, err,
				 PLURAL("%zu step could not be proved to be taken back; mend what "
					"it says, then go on.",
					"%zu steps could not be proved to be taken back; mend what "
					"they say, then go on.",
					left),
				 left);
	return stop_closed(executor, "differs", how, EXIT_CHECK_FAILED, err);
}

static const struct way {
	const char *word;
	int (*take)(struct executor *executor, size_t index, struct error *err);
} ways[] = {
	{ "off", off },
	{ "keep", keep },
};

int cables_take(struct executor *executor, size_t index, struct error *err)
{
	static const char *const others[] = { "keep", NULL };
	const char *const mean[] = {
		_("leaves the cables as they are, restores everything else, and closes the session "
		  "as differing"),
		NULL,
	};
	const struct question question = {
		.text = _("The cables are not where they should be. The machine can be powered off "
			  "once more, with a new card for what is left to be done."),
		.word = "off",
		.goes_on = _("shows a new card, then powers this machine off again"),
		.leaves = _("The machine stays as it is, with what was stopped still down; the "
			    "question comes again when the session goes on."),
		.others = others,
		.others_mean = mean,
	};
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_FREE char *answer = NULL;
	int r = executor_ask(executor, index, &question, &answer, &why);

	/* It has stopped already, with what the links said: that stands. */
	if (r == -ENOTTY || r == -ECANCELED || r == -EIO || r == -EPIPE)
		return 1;
	if (r)
		return error_copy(err, &why);
	for (size_t i = 0; i < ELEMENTS(ways); i++)
		if (strcmp(answer, ways[i].word) == 0)
			return ways[i].take(executor, index, err);
	return 1;
}

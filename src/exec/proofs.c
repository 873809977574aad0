/* SPDX-License-Identifier: MIT */
#include "exec/proofs.h"

#include <errno.h>

#include "base/intl.h"
#include "base/strv.h"
#include "exec/acceptance.h"
#include "exec/action.h"
#include "exec/check.h"
#include "exec/record.h"
#include "exec/stop.h"
#include "exec/turn.h"
#include "exec/worldcheck.h"

static int changed(struct executor *executor, size_t index, struct error *err)
{
	return stop_here(executor, EXIT_CHANGED, err,
			 _("Step '%s' was proved, and no longer holds: the machine was not powered "
			   "off. See what changed, then go on."),
			 executor->plan->steps[index].id);
}

static int renew_action(struct executor *executor, size_t index, struct error *err)
{
	bool holds;
	int r = action_holds(executor, index, &holds, err);

	if (r || holds)
		return r;
	/* Behind the boundary it stays done, to be repeated or taken back. */
	r = executor->after ? 0
			    : record_void(executor, index,
					  "the machine is no longer as the step left it", err);
	return r ? r : changed(executor, index, err);
}

static int renew_check(struct executor *executor, size_t index, struct error *err)
{
	AUTO_REPORT_STEP outcome = { 0 };
	bool blocks;
	int r;

	if (turn_run(executor, index, &outcome))
		return error_oom(err);
	if (executor_interrupted(executor))
		return stop_interrupted(executor, err);
	blocks = acceptance_blocks(executor, &outcome);
	r = record_outcome(executor, index, &outcome, err);
	if (r || !blocks)
		return r;
	check_tell(executor, NOTICE_ENDS, index);
	return changed(executor, index, err);
}

static int renew_world(struct executor *executor, struct error *err)
{
	AUTO_STRV char **differences = NULL;
	int r = worldcheck(executor, executor->plan, &differences, err);

	if (r || !differences)
		return r;
	for (char **text = differences; *text; text++)
		executor_tell(executor, NOTICE_WARNING, "%s.", *text);
	return stop_here(executor, EXIT_CHANGED, err,
			 _("This machine is not as it was when the session began (%s%s): it was "
			   "not powered off. Mend that and go on, or take everything back with "
			   "abort."),
			 differences[0], differences[1] ? _(", and more") : "");
}

static bool has_begun(const struct executor *executor, size_t index)
{
	const struct session_step *step = &executor->steps[index];

	return step->state != STEP_NOT_BEGUN && !step->skipped;
}

bool proofs_is_due(const struct executor *executor, size_t index)
{
	bool behind_action = false, begun_since = false, restored_since = false;

	for (size_t i = 0; i < executor->n_steps; i++) {
		const struct kind *kind = executor->plan->steps[i].kind;

		if (kind->class != KIND_ACTION || i == index)
			continue;
		behind_action = behind_action || (i < index && !executor->steps[i].skipped);
		begun_since = begun_since || (i > index && has_begun(executor, i));
		if ((kind->flags & KIND_RESTORE) && i > index && has_begun(executor, i))
			restored_since = true;
	}
	return !begun_since || (behind_action && !restored_since);
}

static bool is_proof(const struct executor *executor, size_t index)
{
	const struct kind *kind = executor->plan->steps[index].kind;
	const struct session_step *step = &executor->steps[index];

	if (step->state != STEP_DONE || step->skipped || step->result.verdict == VERDICT_SKIP)
		return false;
	if (kind->class == KIND_ACTION)
		return !(kind->flags & KIND_RESTORE);
	return kind->class != KIND_GATE && (kind->flags & KIND_VOLATILE) &&
	       proofs_is_due(executor, index);
}

int proofs_renew(struct executor *executor, size_t index, struct error *err)
{
	int r = executor_renew(executor, err);

	if (!r && !executor->after)
		r = renew_world(executor, err);
	for (size_t i = 0; !r && i < index; i++) {
		if (!is_proof(executor, i))
			continue;
		r = executor->plan->steps[i].kind->class == KIND_ACTION
			    ? renew_action(executor, i, err)
			    : renew_check(executor, i, err);
	}
	return r;
}

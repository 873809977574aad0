/* SPDX-License-Identifier: MIT */
#include "exec/boundary.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "exec/action.h"
#include "exec/check.h"
#include "exec/inhibitor.h"
#include "exec/lastpage.h"
#include "exec/proofs.h"
#include "exec/record.h"
#include "exec/stop.h"
#include "exec/swapcard.h"
#include "exec/turn.h"
#include "exec/world.h"
#include "work/work.h"

static int ask_name(struct executor *executor, size_t index, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_FREE char *answer = NULL;
	const struct question question = {
		.text = _(
			"This is the point of no return: every proof is made once more, then "
			"the machine is powered off. Type its name, so that it is the right one."),
		.word = executor->identity.name,
		.goes_on = _("proves everything once more, and powers this machine off"),
		.leaves = _("The machine stays on; what was done stays as it is until you go on or "
			    "abort."),
	};

	if (!executor->identity.name) {
		error_set(err, -ENODATA, "%s", _("this machine does not tell its name"));
		error_hint(err, "%s", _("name it: hostnamectl hostname NAME; then go on"));
		return -ENODATA;
	}
	return executor_ask(executor, index, &question, &answer, &why)
		       ? stop_asked(executor, &why, err)
		       : 0;
}

/* ---- crossing ---------------------------------------------------------------------- */

/* The after-steps of an earlier crossing prove nothing about other cables. */
static int void_after(struct executor *executor, size_t index, struct error *err)
{
	int r = 0;

	for (size_t i = index + 1; !r && i < executor->n_steps; i++)
		if (executor->steps[i].state == STEP_DONE ||
		    executor->steps[i].state == STEP_FAILED)
			r = record_void(executor, i, "the power goes off again", err);
	return r;
}

static int record_crossing(struct executor *executor, size_t index, const char *card_sha256,
			   struct error *err)
{
	char head[65];
	json_t *world = NULL, *body;
	int r = executor->after ? void_after(executor, index, err) : 0;

	if (!r)
		r = world_take(executor->facts, executor->plan, &world, err);
	if (!r)
		r = journal_head(executor->journal, head, err);
	if (r) {
		json_decref(world);
		return r;
	}
	body = record_body(executor);
	if (body) {
		json_object_set(body, "map", json_object_get(world, "ports"));
		json_set_text(body, "card_sha256", card_sha256);
		json_set_text(body, "head", head);
	}
	json_decref(world);
	return record_event(executor, "crossing", SIZE_MAX, body, err);
}

static int waits(struct executor *executor, int exit_code, struct error *err)
{
	AUTO_FREE char *next = NULL;
	int r = executor_command(executor, "resume", &next, err);

	if (r)
		return r;
	*executor->end = (struct session_end){
		.number = executor->number,
		.exit_code = exit_code,
		.next = TAKE(next),
		.summary = strdup(_("The session waits for the machine: do what the card says, "
				    "start it again, then go on.")),
	};
	return executor->end->summary ? 1 : error_oom(err);
}

/* It was refused: still the same boot, and the journal has to say so. */
static int refused(struct executor *executor, size_t index, const struct report_step *outcome,
		   struct error *err)
{
	int r = journal_open(statedir_path(executor->dir), JOURNAL_WRITE, &executor->journal, err);

	if (!r)
		r = record_event(executor, "not-crossed", SIZE_MAX, record_body(executor), err);
	if (r)
		return r;
	executor_tell_step(executor, NOTICE_ENDS, index, outcome);
	return stop_here(executor, EXIT_SYSTEM, err, "%s",
			 _("The power-off was refused, and the machine is still on; mend what it "
			   "says, then go on."));
}

static int cross(struct executor *executor, size_t index, const char *card_sha256,
		 struct error *err)
{
	AUTO_REPORT_STEP outcome = { 0 };
	int r;

	lastpage_close(executor);
	r = record_crossing(executor, index, card_sha256, err);
	if (r)
		return r;
	journal_free(executor->journal);
	executor->journal = NULL;
	inhibitor_release(executor);
	if (turn_run(executor, index, &outcome))
		return error_oom(err);
	/* Whatever else it says, only the next boot's id tells whether the power went. */
	if (outcome.result.verdict == VERDICT_FAIL)
		return refused(executor, index, &outcome, err);
	executor_tell_step(executor, NOTICE_ENDS, index, &outcome);
	return waits(executor,
		     outcome.failure.code < 0 || outcome.result.verdict == VERDICT_UNKNOWN
			     ? EXIT_NOT_KNOWN
			     : EXIT_WAITING,
		     err);
}

int boundary_take(struct executor *executor, size_t index, struct error *err)
{
	char card_sha256[65];
	int r;

	executor_tell_step(executor, NOTICE_BEGINS, index, NULL);
	r = inhibitor_hold(executor, err);
	if (!r)
		r = lastpage_show(executor, index, err);
	if (!r)
		r = swapcard_hand_over(executor, index, card_sha256, err);
	if (!r)
		r = ask_name(executor, index, err);
	if (!r)
		r = proofs_renew(executor, index, err);
	return r ? r : cross(executor, index, card_sha256, err);
}

/* A boot starts what was stopped and not held: it is stopped once more, or nothing goes off. */
static int repeat_actions(struct executor *executor, size_t index, struct error *err)
{
	int r = inhibitor_hold(executor, err);

	for (size_t i = 0; !r && i < index; i++) {
		const struct kind *kind = executor->plan->steps[i].kind;

		if (kind->class == KIND_ACTION && !(kind->flags & KIND_RESTORE) &&
		    action_stands(executor, i))
			r = action_take(executor, i, err);
	}
	return r;
}

/* The plan gets the work that is left for as long as the card and the crossing need it. */
int boundary_take_again(struct executor *executor, struct work *work, struct error *err)
{
	struct plan *plan = executor->plan;
	struct work *planned = plan->work;
	char card_sha256[65];
	size_t index = plan->boundary;
	int r;

	plan->work = work;
	executor_tell_step(executor, NOTICE_BEGINS, index, NULL);
	r = repeat_actions(executor, index, err);
	if (!r)
		r = swapcard_hand_over(executor, index, card_sha256, err);
	if (!r)
		r = ask_name(executor, index, err);
	if (!r)
		r = proofs_renew(executor, index, err);
	if (!r)
		r = cross(executor, index, card_sha256, err);
	plan->work = planned;
	return r;
}

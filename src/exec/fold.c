/* SPDX-License-Identifier: MIT */
#include "exec/fold.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"

/* ---- of steps -------------------------------------------------------------------- */

/* What an event may change; `step` and `kind` NULL: it is of no step. */
struct fold {
	struct session_view *view;
	struct session_step *step;
	const struct kind *kind;
	const char *at;
};

static int get_failure(const json_t *body, struct error *ret, struct error *err)
{
	const json_t *failure = json_object_get(body, "error"), *code;
	AUTO_FREE char *text = NULL, *hint = NULL;
	int r;

	error_done(ret);
	if (!failure || json_is_null(failure))
		return 0;
	code = json_object_get(failure, "code");
	if (!json_is_integer(code) || json_integer_value(code) >= 0 ||
	    json_integer_value(code) < -4095)
		return fold_misfit("code", err);
	if ((r = fold_text(failure, "text", false, &text, err)) < 0 ||
	    (r = fold_text(failure, "hint", true, &hint, err)) < 0)
		return r;
	error_set(ret, (int)json_integer_value(code), "%s", text);
	if (hint)
		error_hint(ret, "%s", hint);
	return 0;
}

static int get_result(const struct fold *fold, const json_t *body, struct result *ret,
		      struct error *err)
{
	struct result result;
	int r = result_from_json(json_object_get(body, "result"), fold->kind, &result, err);

	if (r < 0)
		return error_wrap(err, "'result'");
	result_done(ret);
	*ret = result;
	return 0;
}

static int fold_intent(struct fold *fold, const json_t *body, struct error *err)
{
	struct session_step *step = fold->step;

	(void)body;
	(void)err;
	step->state = STEP_INTENDED;
	step->skipped = step->undo_begun = step->undo_ended = false;
	result_done(&step->result);
	result_done(&step->undo_result);
	error_done(&step->failure);
	error_done(&step->undo_failure);
	return 0;
}

static int fold_original(struct fold *fold, const json_t *body, struct error *err)
{
	struct session_step *step = fold->step;
	struct session_original *grown =
		reallocarray(step->originals, step->n_originals + 1, sizeof(*grown));
	int r;

	if (!grown)
		return error_oom(err);
	step->originals = grown;
	grown += step->n_originals++;
	*grown = (struct session_original){ 0 };
	r = fold_text(body, "key", false, &grown->key, err);
	return r < 0 ? r : fold_text(body, "value", false, &grown->value, err);
}

/*
 * An action that ran has an intent before; of what was only looked at, the
 * result tells: a check that found itself out of place said something by it.
 */
static bool did_not_run(const struct fold *fold, enum step_state before)
{
	const struct result *result = &fold->step->result;

	if (result->verdict != VERDICT_SKIP)
		return false;
	if (fold->kind->class == KIND_ACTION)
		return before != STEP_INTENDED;
	return !result->n_findings && !result->n_outputs;
}

static int fold_outcome(struct fold *fold, const json_t *body, struct error *err)
{
	struct session_step *step = fold->step;
	enum step_state before = step->state;
	int r;

	if ((r = get_result(fold, body, &step->result, err)) < 0 ||
	    (r = get_failure(body, &step->failure, err)) < 0 ||
	    (r = fold_count(body, "duration_us", UINT64_MAX, &step->duration_us, err)) < 0)
		return r;
	step->undo_begun = step->undo_ended = false;
	step->skipped = did_not_run(fold, before);
	if (json_object_get(body, "skipped") &&
	    (r = fold_bool(body, "skipped", &step->skipped, err)) < 0)
		return r;
	step->state = step->failure.code || step->result.verdict >= VERDICT_UNKNOWN ? STEP_FAILED
										    : STEP_DONE;
	step->restarted &= step->state != STEP_DONE;
	return 0;
}

static int fold_undo_intent(struct fold *fold, const json_t *body, struct error *err)
{
	(void)body;
	(void)err;
	fold->step->undo_begun = true;
	fold->step->undo_ended = false;
	return 0;
}

static int fold_undo_outcome(struct fold *fold, const json_t *body, struct error *err)
{
	static const char *const standings[] = { "yes", "no", "unknown" };
	struct session_step *step = fold->step;
	AUTO_FREE char *standing = NULL;
	uint64_t duration_us;
	int r;

	if ((r = fold_word(body, "standing", standings, ELEMENTS(standings), false, &standing,
			   err)) < 0 ||
	    (r = get_result(fold, body, &step->undo_result, err)) < 0 ||
	    (r = get_failure(body, &step->undo_failure, err)) < 0 ||
	    (r = fold_count(body, "duration_us", UINT64_MAX, &duration_us, err)) < 0)
		return r;
	step->undo_begun = step->undo_ended = true;
	if (strcmp(standing, "yes") == 0)
		step->state = STEP_UNDONE;
	return 0;
}

static int fold_void(struct fold *fold, const json_t *body, struct error *err)
{
	int r = fold_text(body, "reason", false, &fold->step->reason, err);

	fold->step->state = STEP_VOID;
	if (r >= 0 && strcmp(fold->step->reason, VOID_BY_REBOOT) == 0)
		fold->step->restarted = true;
	return r;
}

/* ---- of the session ------------------------------------------------------------------ */

static int fold_accepted(struct fold *fold, const json_t *body, struct error *err)
{
	struct session_view *view = fold->view;
	struct acceptance *grown =
		reallocarray(view->accepted, view->n_accepted + 1, sizeof(*grown));
	int r;

	if (!grown)
		return error_oom(err);
	view->accepted = grown;
	grown += view->n_accepted++;
	*grown = (struct acceptance){ 0 };
	if ((r = fold_text(body, "finding", false, &grown->finding, err)) < 0 ||
	    (r = fold_text(body, "subject", false, &grown->subject, err)) < 0)
		return r;
	return fold_text(body, "because", false, &grown->because, err);
}

static int fold_resumed(struct fold *fold, const json_t *body, struct error *err)
{
	(void)fold;
	(void)body;
	(void)err;
	return 0;
}

static int fold_stopped(struct fold *fold, const json_t *body, struct error *err)
{
	AUTO_FREE char *next = NULL;
	int r = fold_text(body, "next", true, &next, err);

	return r < 0 ? r : fold_text(body, "why", false, &fold->view->stopped, err);
}

static int fold_card(struct fold *fold, const json_t *body, struct error *err)
{
	return fold_text(body, "text", false, &fold->view->card, err);
}

static int fold_crossing(struct fold *fold, const json_t *body, struct error *err)
{
	struct session_view *view = fold->view;

	if (view->plan->boundary == view->plan->n_steps)
		return error_set(err, -EBADMSG, "%s", _("the plan has no step that powers off"));
	if (!json_text(body, "boot_id"))
		return fold_misfit("boot_id", err);
	view->phase = SESSION_CROSSING;
	view->crossings++;
	return 0;
}

static int not_crossing(struct error *err)
{
	return error_set(err, -EBADMSG, "%s", _("no power-off stands before it"));
}

static int fold_not_crossed(struct fold *fold, const json_t *body, struct error *err)
{
	struct session_view *view = fold->view;

	(void)body;
	if (view->phase != SESSION_CROSSING)
		return not_crossing(err);
	view->crossings--;
	view->phase = view->crossings ? SESSION_AFTER : SESSION_BEFORE;
	return 0;
}

/* That the machine was off is all that the step at the boundary was to do. */
static int fold_crossed(struct fold *fold, const json_t *body, struct error *err)
{
	static const char *const ends[] = { "drives", "board", "both" };
	struct session_view *view = fold->view;
	struct session_step *step;

	if (view->phase != SESSION_CROSSING)
		return not_crossing(err);
	view->phase = SESSION_AFTER;
	step = &view->steps[view->plan->boundary];
	step->state = STEP_DONE;
	result_done(&step->result);
	error_done(&step->failure);
	step->result.verdict = VERDICT_PASS;
	result_summary(&step->result, "%s", _("powered off, and started again"));
	free(step->at);
	step->at = strdup(fold->at);
	if (!step->at || step->result.failed)
		return error_oom(err);
	return fold_word(body, "end", ends, ELEMENTS(ends), true, &view->exchanged_end, err);
}

static int fold_closed(struct fold *fold, const json_t *body, struct error *err)
{
	static const char *const ways[] = { "pass", "differs", "aborted" };
	struct session_view *view = fold->view;
	int r = fold_word(body, "as", ways, ELEMENTS(ways), false, &view->closed_as, err);

	if (r < 0 || (r = fold_text(body, "how", true, &view->closed_how, err)) < 0)
		return r;
	view->phase = SESSION_CLOSED;
	view->closed_at = strdup(fold->at);
	return view->closed_at ? 0 : error_oom(err);
}

static int fold_second_opening(struct fold *fold, const json_t *body, struct error *err)
{
	(void)fold;
	(void)body;
	return error_set(err, -EBADMSG, "%s", _("the session is open already"));
}

/* ---- the table ----------------------------------------------------------------------- */

static const struct row {
	const char *type;
	bool of_step;
	int (*fold)(struct fold *fold, const json_t *body, struct error *err);
} rows[] = {
	{ "opened", false, fold_second_opening },
	{ "accepted", false, fold_accepted },
	{ "intent", true, fold_intent },
	{ "original", true, fold_original },
	{ "outcome", true, fold_outcome },
	{ "undo-intent", true, fold_undo_intent },
	{ "undo-outcome", true, fold_undo_outcome },
	{ "void", true, fold_void },
	{ "resumed", false, fold_resumed },
	{ "stopped", false, fold_stopped },
	{ "card", false, fold_card },
	{ "crossing", false, fold_crossing },
	{ "not-crossed", false, fold_not_crossed },
	{ "crossed", false, fold_crossed },
	{ "closed", false, fold_closed },
};

static const struct row *row_of(const char *type)
{
	for (size_t i = 0; i < ELEMENTS(rows); i++)
		if (strcmp(type, rows[i].type) == 0)
			return &rows[i];
	return NULL;
}

static int find_step(struct fold *fold, const struct journal_event *event, struct error *err)
{
	const struct plan *plan = fold->view->plan;

	for (size_t i = 0; event->step && i < plan->n_steps; i++)
		if (strcmp(plan->steps[i].id, event->step) == 0) {
			fold->step = &fold->view->steps[i];
			fold->kind = plan->steps[i].kind;
			free(fold->step->at);
			fold->step->at = strdup(event->at);
			return fold->step->at ? 0 : error_oom(err);
		}
	return error_set(err, -EBADMSG, _("the plan has no step '%s'"),
			 event->step ? event->step : "");
}

static int fold_one(struct session_view *view, const struct journal_event *event, bool first,
		    struct error *err)
{
	struct fold fold = { .view = view, .at = event->at };
	const struct row *row = row_of(event->type);
	AUTO_JSON body = NULL;
	int r;

	if (!row)
		return error_set(err, -EBADMSG, "%s", _("this coldswap knows no such event"));
	if (first != (strcmp(event->type, "opened") == 0))
		return error_set(err, -EBADMSG, "%s",
				 _("the first event, and no other, opens a session"));
	if ((r = json_parse(event->body, strlen(event->body), "its body", &body, err)) < 0)
		return r;
	if (!json_is_object(body))
		return error_set(err, -EBADMSG, "%s", _("its body is no JSON object"));
	if (first)
		return fold_opened(view, body, err);
	if (view->phase == SESSION_CLOSED)
		return error_set(err, -EBADMSG, "%s", _("the session was closed before it"));
	if (row->of_step && (r = find_step(&fold, event, err)) < 0)
		return r;
	/* Whatever came after a stop, it is not what the session waits for any more. */
	free(TAKE(view->stopped));
	return row->fold(&fold, body, err);
}

static int explain(const struct journal_event *event, struct error *err)
{
	int r = error_wrap(err, _("event %lld of the journal, '%s', does not fit"),
			   (long long)event->seq, event->type);

	if (r == -EBADMSG)
		error_hint(err, "%s",
			   _("use the coldswap that wrote it, and keep the journal as it is"));
	return r;
}

int fold_events(const struct journal_events *events, struct session_view *ret, struct error *err)
{
	CLEANUP(session_view_done) struct session_view view = { 0 };
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r;

	if (!events->n) {
		error_set(err, -EBADMSG, "%s", _("a session without any event"));
		error_hint(err, "%s", _("list the sessions that there are: coldswap report"));
		return -EBADMSG;
	}
	view.number = events->items[0].session;
	view.opened_at = strdup(events->items[0].at);
	if (!view.opened_at)
		return error_oom(err);
	for (size_t i = 0; i < events->n; i++) {
		r = fold_one(&view, &events->items[i], i == 0, &why);
		if (r < 0) {
			(void)explain(&events->items[i], &why);
			return error_copy(err, &why);
		}
	}
	*ret = view;
	view = (struct session_view){ 0 };
	return 0;
}

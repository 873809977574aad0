/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "exec/fold.h"

void session_step_done(struct session_step *step)
{
	result_done(&step->result);
	result_done(&step->undo_result);
	error_done(&step->failure);
	error_done(&step->undo_failure);
	for (size_t i = 0; i < step->n_originals; i++) {
		free(step->originals[i].key);
		free(step->originals[i].value);
	}
	free(step->originals);
	free(step->at);
	free(step->reason);
	free(step->undo_text);
	*step = (struct session_step){ 0 };
}

static void acceptances_done(struct session_view *view)
{
	for (size_t i = 0; i < view->n_accepted; i++) {
		free(view->accepted[i].finding);
		free(view->accepted[i].subject);
		free(view->accepted[i].because);
	}
	free(view->accepted);
}

void session_view_done(struct session_view *view)
{
	char *const texts[] = { view->closed_as,     view->runbook_text, view->work_text,
				view->host_name,     view->machine_id,   view->boot_id,
				view->opened_at,     view->closed_at,    view->stopped,
				view->exchanged_end, view->card,         view->closed_how,
				view->before,        view->before_sha256 };

	for (size_t i = 0; view->steps && i < view->plan->n_steps; i++)
		session_step_done(&view->steps[i]);
	free(view->steps);
	plan_free(view->plan);
	strv_free(view->vars);
	acceptances_done(view);
	for (size_t i = 0; i < ELEMENTS(texts); i++)
		free(texts[i]);
	*view = (struct session_view){ 0 };
}

/* ---- which step comes next ------------------------------------------------------------ */

static bool is_accepted(const struct session_view *view, const struct finding *finding)
{
	for (size_t i = 0; i < view->n_accepted; i++)
		if (strcmp(view->accepted[i].finding, finding->id) == 0 && finding->subject &&
		    strcmp(view->accepted[i].subject, finding->subject) == 0)
			return true;
	return false;
}

/* A failed step holds nothing up when all that is unknown was accepted; a fail never can be. */
static bool is_cleared(const struct session_view *view, const struct session_step *step)
{
	const struct result *result = &step->result;
	size_t cleared = 0;

	if (step->failure.code || result->verdict == VERDICT_FAIL)
		return false;
	for (size_t i = 0; i < result->n_findings; i++)
		if (result->findings[i].verdict >= VERDICT_UNKNOWN) {
			if (!is_accepted(view, &result->findings[i]))
				return false;
			cleared++;
		}
	return cleared > 0;
}

/* Is it taken back because the runbook wants that? */
static bool is_restored(const struct session_view *view, size_t index)
{
	for (size_t i = index + 1; i < view->plan->n_steps; i++)
		if (view->plan->steps[i].restores == index)
			return view->steps[i].state == STEP_DONE;
	return false;
}

static bool is_settled(const struct session_view *view, size_t index)
{
	const struct session_step *step = &view->steps[index];

	switch (step->state) {
	case STEP_DONE:
		return true;
	case STEP_FAILED:
		return is_cleared(view, step);
	case STEP_UNDONE:
		return is_restored(view, index);
	default:
		return false;
	}
}

static size_t position_of(const struct session_view *view)
{
	const struct plan *plan = view->plan;
	size_t i = 0;

	if (view->phase == SESSION_CLOSED)
		return plan->n_steps;
	if (view->phase == SESSION_CROSSING)
		return plan->boundary;
	if (view->phase == SESSION_AFTER)
		i = plan->boundary + 1;
	while (i < plan->n_steps && is_settled(view, i))
		i++;
	return i;
}

/* ---- out of the journal ------------------------------------------------------------------ */

static int find_number(struct journal *journal, int64_t wanted, int64_t *ret, struct error *err)
{
	int64_t n = 0, current = 0;
	int r;

	if ((r = journal_count(journal, &n, err)) < 0 ||
	    (r = journal_current(journal, &current, err)) < 0)
		return r;
	*ret = wanted ? wanted : current ? current : n;
	if (*ret > 0 && *ret <= n)
		return 0;
	error_set(err, -ENOENT, _("there is no session %lld; the last one is %lld"),
		  (long long)wanted, (long long)n);
	error_hint(err, "%s", _("list them with: coldswap report"));
	return -ENOENT;
}

/* On a disk that is mounted elsewhere the capture is found beside the journal. */
static int place_before(struct session_view *view, const char *state, struct error *err)
{
	char *path;

	if (!view->before || !state)
		return 0;
	if (asprintf(&path, "%s/%lld/before", state, (long long)view->number) < 0)
		return error_oom(err);
	free(view->before);
	view->before = path;
	return 0;
}

int session_view(struct journal *journal, const char *state, int64_t number,
		 struct session_view *ret, struct error *err)
{
	CLEANUP(journal_events_done) struct journal_events events = { 0 };
	CLEANUP(session_view_done) struct session_view view = { 0 };
	int64_t found = 0;
	int r;

	if ((r = find_number(journal, number, &found, err)) < 0 ||
	    (r = journal_read(journal, found, &events, err)) < 0 ||
	    (r = fold_events(&events, &view, err)) < 0 ||
	    (r = journal_head(journal, view.head, err)) < 0 ||
	    (r = place_before(&view, state, err)) < 0)
		return r;
	view.position = position_of(&view);
	*ret = view;
	view = (struct session_view){ 0 };
	return 0;
}

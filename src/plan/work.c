/* SPDX-License-Identifier: MIT */
/*
 * The planned work: the command line's, else the runbook's, else the swap
 * that the port map advises, else a plain power cycle.
 *
 * After the work it is past: its disks are looked for in what an earlier
 * capture recorded, and where nobody named it, nothing is taken for it.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "plan/planner.h"
#include "work/advice.h"

static const enum work_type types[] = {
	[WORK_WORD_EXCHANGE] = WORK_EXCHANGE, [WORK_WORD_MOVE] = WORK_MOVE,
	[WORK_WORD_REMOVE] = WORK_REMOVE,     [WORK_WORD_REPLACE] = WORK_REPLACE,
	[WORK_WORD_RECABLE] = WORK_RECABLE,
};

struct requests {
	struct work_request *items;
	size_t n;
};

static void requests_done(struct requests *requests)
{
	for (size_t i = 0; i < requests->n; i++)
		work_request_done(&requests->items[i]);
	free(requests->items);
}

static const char *unset_of(const struct plan *plan, const struct runbook_work *work)
{
	const char *texts[] = { work->disk, work->other, work->to };

	for (size_t i = 0; i < ELEMENTS(texts); i++) {
		const char *name = texts[i] ? unset_var(plan, texts[i]) : NULL;

		if (name)
			return name;
	}
	return NULL;
}

static int fill_request(const struct planner *planner, const struct runbook_work *work,
			struct work_request *ret, struct error *err)
{
	const char *texts[] = { work->disk, work->other, work->to };
	char **into[] = { &ret->disk, &ret->other, &ret->to };
	int r = 0;

	ret->type = types[work->word];
	for (size_t i = 0; i < ELEMENTS(texts) && !r; i++)
		if (texts[i])
			r = resolve_text(planner, texts[i], into[i], err);
	if (!r && asprintf(&ret->position, "%s:%u:%u", planner->runbook->file, work->at.line,
			   work->at.column) < 0) {
		ret->position = NULL;
		r = error_oom(err);
	}
	return r;
}

static int runbook_requests(const struct planner *planner, struct requests *ret, struct error *err)
{
	const struct runbook *runbook = planner->runbook;
	int r = 0;

	ret->items = calloc(runbook->n_work + 1, sizeof(*ret->items));
	if (!ret->items)
		return error_oom(err);
	for (size_t i = 0; i < runbook->n_work && !r; i++) {
		const struct runbook_work *work = &runbook->work[i];
		const char *unset = unset_of(planner->plan, work);

		if (work->word == WORK_WORD_POWER_CYCLE)
			continue;
		if (unset)
			r = plan_note(planner->plan, err,
				      _("The work on line %u of the runbook was left out: the "
					"variable %s was not given (--var %s=...)."),
				      work->at.line, unset, unset);
		else
			r = fill_request(planner, work, &ret->items[ret->n++], err);
	}
	return r;
}

static int resolve(struct planner *planner, const struct work_request *items, size_t n,
		   struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	struct facts *before = planner->args->before;
	int r = work_resolve(before ? before : planner->facts, items, n, &planner->plan->work,
			     &why);

	if (!r)
		return 0;
	if (n && is_usage(r)) {
		/* The message bears its position: it may be a flag's. */
		diagnose(planner->diags, (struct position){ 0 }, NULL, &why);
		return -EINVAL;
	}
	if (before && r != -ENOMEM)
		error_wrap(&why, _("the earlier capture %s"), host_root(facts_host(before)));
	if (before && r == -ENOENT && !why.hint)
		error_hint(&why, "%s",
			   _("name the directory that `coldswap capture` wrote: --before DIR"));
	return error_copy(err, &why);
}

static int note_advised(struct plan *plan, struct error *err)
{
	return plan_note(plan, err, "%s",
			 _("No work was named: this is what the port map advises."));
}

static int power_cycle(struct planner *planner, const char *why, struct error *err)
{
	int r = plan_note(planner->plan, err,
			  _("No work was named, and %s: a plain power cycle is judged."), why);

	return r ? r : resolve(planner, NULL, 0, err);
}

static int take_advice(struct planner *planner, struct error *err)
{
	CLEANUP(cleanup_advice) struct advice *advice = NULL;
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r = advice_make(planner->facts, &advice, &why);

	if (!r && advice->action == ADVICE_NONE)
		return power_cycle(planner, _("the port map advises no exchange"), err);
	if (!r)
		r = advice_work(planner->facts, advice, &planner->plan->work, &why);
	if (r == -ENOMEM)
		return error_oom(err);
	/* Why the port map cannot be read is for disk.ports to say. */
	return r ? power_cycle(planner, _("the port map could give no advice"), err)
		 : note_advised(planner->plan, err);
}

static bool only_power_cycle(const struct runbook *runbook)
{
	for (size_t i = 0; i < runbook->n_work; i++)
		if (runbook->work[i].word != WORK_WORD_POWER_CYCLE)
			return false;
	return runbook->work_given;
}

/* Nothing was to move: what has moved all the same is wrong. */
static int past_power_cycle(struct planner *planner, struct error *err)
{
	int r = resolve(planner, NULL, 0, err);

	if (!r)
		planner->plan->work->meant = true;
	return r;
}

/* What was done: by the command line, else by the runbook; nobody's advice. */
static int past_work(struct planner *planner, struct error *err)
{
	CLEANUP(requests_done) struct requests requests = { 0 };
	int r;

	if (!planner->args->before) {
		r = plan_note(planner->plan, err, "%s",
			      _("Nothing was recorded before: the present state alone is judged."));
		return r ? r : resolve(planner, NULL, 0, err);
	}
	r = plan_note(planner->plan, err, _("Compared with the capture in %s."),
		      host_root(facts_host(planner->args->before)));
	if (r)
		return r;
	if (planner->args->n_work)
		return resolve(planner, planner->args->work, planner->args->n_work, err);
	if (planner->args->work_known || only_power_cycle(planner->runbook))
		return past_power_cycle(planner, err);
	r = runbook_requests(planner, &requests, err);
	if (!r && !requests.n)
		r = plan_note(planner->plan, err, "%s",
			      _("No work was named: what moved is told, not judged."));
	return r ? r : resolve(planner, requests.items, requests.n, err);
}

int plan_work(struct planner *planner, struct error *err)
{
	CLEANUP(requests_done) struct requests requests = { 0 };
	int r;

	if (planner->args->side == PLAN_AFTER)
		return past_work(planner, err);
	if (planner->args->n_work)
		return resolve(planner, planner->args->work, planner->args->n_work, err);
	if (!planner->runbook)
		return take_advice(planner, err);
	if (only_power_cycle(planner->runbook))
		return resolve(planner, NULL, 0, err);
	r = runbook_requests(planner, &requests, err);
	if (r)
		return r;
	if (requests.n)
		return resolve(planner, requests.items, requests.n, err);
	return take_advice(planner, err);
}

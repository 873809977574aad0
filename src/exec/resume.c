/* SPDX-License-Identifier: MIT */
#include "exec/resume.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "exec/acceptance.h"
#include "exec/cables.h"
#include "exec/record.h"
#include "exec/stop.h"
#include "exec/worldcheck.h"

/* ---- out of the journal ------------------------------------------------------------ */

static int none_open(struct error *err)
{
	int r = error_set(err, -ENOENT, "%s", _("no session is open"));

	error_hint(err, "%s",
		   _("begin one: coldswap run RUNBOOK; those of before: coldswap report"));
	return r;
}

static int take_view(struct executor *executor, struct session_view *view, struct error *err)
{
	if (view->plan->n_steps != executor->pinned.runbook->n_steps)
		return error_set(err, -EUCLEAN, "%s",
				 _("the journal's plan has another number of steps than its "
				   "runbook"));
	executor->n_steps = view->plan->n_steps;
	executor->steps = TAKE(view->steps);
	executor->renewed = calloc(executor->n_steps + 1, sizeof(*executor->renewed));
	executor->accepted = TAKE(view->accepted);
	executor->n_accepted = view->n_accepted;
	executor->crossings = view->crossings;
	executor->phase = view->phase;
	view->n_accepted = 0;
	return executor->renewed ? 0 : error_oom(err);
}

int resume_load(struct executor *executor, struct error *err)
{
	CLEANUP(session_view_done) struct session_view view = { 0 };
	int r = journal_current(executor->journal, &executor->number, err);

	if (r)
		return r;
	if (!executor->number)
		return none_open(err);
	r = statedir_session(executor->dir, (uint64_t)executor->number, &executor->place, err);
	if (!r)
		r = pinned_load(executor->journal, executor->number, &executor->pinned, err);
	if (!r)
		r = session_view(executor->journal, statedir_path(executor->dir), executor->number,
				 &view, err);
	return r ? r : take_view(executor, &view, err);
}

/* ---- the machine and its boot ------------------------------------------------------- */

/* Which boot the session last saw: "void" is not among them, see invariant 4. */
static const char *const seen_by[] = { "opened", "resumed", "crossing", "crossed", "not-crossed" };

static const char *boot_id_of(const json_t *body)
{
	const char *boot_id = json_text(body, "boot_id");

	return boot_id ? boot_id : json_text(json_object_get(body, "host"), "boot_id");
}

static int keep(char **into, const char *text)
{
	if (!text)
		return 0;
	free(*into);
	*into = strdup(text);
	return *into ? 0 : -ENOMEM;
}

/* The last boot that was seen, and which end of the cables was exchanged. */
static int remember(struct executor *executor, const struct journal_event *event, char **boot_id,
		    struct error *err)
{
	AUTO_JSON body = NULL;
	size_t k = 0;
	int r;

	while (k < ELEMENTS(seen_by) && strcmp(seen_by[k], event->type) != 0)
		k++;
	if (k == ELEMENTS(seen_by))
		return 0;
	r = json_parse(event->body, strlen(event->body), "journal", &body, err);
	if (r)
		return r;
	if (keep(boot_id, boot_id_of(body)) ||
	    keep(&executor->end_of_cables, json_text(body, "end")))
		return error_oom(err);
	return 0;
}

static int last_boot(struct executor *executor, char **ret, struct error *err)
{
	CLEANUP(journal_events_done) struct journal_events events = { 0 };
	int r = journal_read(executor->journal, executor->number, &events, err);

	for (size_t i = 0; !r && i < events.n; i++)
		r = remember(executor, &events.items[i], ret, err);
	return r;
}

static bool is_voided(const struct executor *executor, size_t index)
{
	const struct kind *kind = executor_outline(executor)->steps[index].kind;

	if (executor->steps[index].state != STEP_DONE || executor->steps[index].skipped)
		return false;
	if (executor->after && index <= executor_outline(executor)->boundary)
		return false;
	if (kind->flags & KIND_RESTORE)
		return false;
	return kind->class == KIND_ACTION || (kind->flags & KIND_VOLATILE);
}

static int void_all(struct executor *executor, struct error *err)
{
	int r = 0;

	executor_tell(executor, NOTICE_WARNING, "%s",
		      _("This machine was started again, and not by this session: what was proved "
			"and done before that is looked at again."));
	for (size_t i = 0; !r && i < executor->n_steps; i++)
		if (is_voided(executor, i))
			r = record_void(executor, i, VOID_BY_REBOOT, err);
	return r;
}

static int note(struct executor *executor, const char *type, struct error *err)
{
	return record_event(executor, type, SIZE_MAX, record_body(executor), err);
}

/* CROSSING, and still the same boot: the machine was never off. */
static int not_crossed(struct executor *executor, struct error *err)
{
	int r = note(executor, "not-crossed", err);

	if (!r)
		executor_tell(executor, NOTICE_WARNING, "%s",
			      _("The machine was not powered off: it is still the same boot. The "
				"session goes on before the power-off."));
	executor->after = executor->crossings > 1;
	return r;
}

/* Nothing but the operator knows which end of the cables it was. */
static int crossed(struct executor *executor, struct error *err)
{
	json_t *body;
	int r = cables_ask_end(executor, err);

	if (r)
		return r;
	executor->after = true;
	body = record_body(executor);
	if (body)
		json_set_text(body, "end", executor->end_of_cables);
	return record_event(executor, "crossed", SIZE_MAX, body, err);
}

int resume_refuse_machine(struct executor *executor, struct error *err)
{
	const char *id = json_text(json_object_get(executor->pinned.opened, "host"), "machine_id");
	char *why;

	if (id && strcmp(id, executor->identity.machine_id) == 0)
		return 0;
	if (asprintf(&why,
		     _("Session %lld was begun on another machine (machine-id %s, this one is %s): "
		       "go on with it there."),
		     (long long)executor->number, id ? id : "?", executor->identity.machine_id) < 0)
		why = NULL;
	return stop_unsaid(executor, EXIT_CHANGED, why, err);
}

int resume_side(struct executor *executor, struct error *err)
{
	AUTO_FREE char *last = NULL;
	int r = last_boot(executor, &last, err);

	if (r)
		return r;
	executor->after = executor->phase == SESSION_AFTER ||
			  (executor->phase == SESSION_CROSSING &&
			   (!last || strcmp(last, executor->identity.boot_id) != 0));
	return 0;
}

int resume_arrive(struct executor *executor, struct error *err)
{
	AUTO_FREE char *last = NULL;
	bool same;
	int r = resume_refuse_machine(executor, err);

	if (!r)
		r = last_boot(executor, &last, err);
	if (!r)
		r = executor_open_seal(executor, err);
	if (r)
		return r;
	same = last && strcmp(last, executor->identity.boot_id) == 0;
	executor->after = executor->phase == SESSION_AFTER;
	if (executor->phase == SESSION_CROSSING)
		r = same ? not_crossed(executor, err) : crossed(executor, err);
	else if (!same)
		r = void_all(executor, err);
	return r ? r : note(executor, "resumed", err);
}

/* ---- runbook and world ---------------------------------------------------------------- */

static int compare_file(struct executor *executor, struct error *err)
{
	AUTO_FREE char *how = NULL;
	int r = pinned_file_differs(&executor->pinned, &how, err);

	if (r == -ENOENT) {
		executor_tell(executor, NOTICE_TEXT,
			      _("The runbook %s is no longer there; the session goes on with its "
				"text as it was when it began."),
			      executor->pinned.runbook->file);
		return 0;
	}
	if (r <= 0)
		return r;
	return stop_here(executor, EXIT_CHANGED, err,
			 _("%s. A session goes on only with the runbook that it began with: put "
			   "the file back as it was or move it away, then go on; or take "
			   "everything back with abort."),
			 how);
}

static int compare_world(struct executor *executor, struct error *err)
{
	AUTO_STRV char **differences = NULL;
	int r = worldcheck(executor, executor->undo_plan, &differences, err);

	if (r || !differences)
		return r;
	for (char **text = differences; *text; text++)
		executor_tell(executor, NOTICE_WARNING, "%s.", *text);
	return stop_here(executor, EXIT_CHANGED, err,
			 _("This machine is not as it was when the session began (%s%s): mend that "
			   "and go on, or take everything back with abort."),
			 differences[0], differences[1] ? _(", and more") : "");
}

int resume_compare(struct executor *executor, struct error *err)
{
	int r = compare_file(executor, err);

	return r || executor->after ? r : compare_world(executor, err);
}

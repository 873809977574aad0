/* SPDX-License-Identifier: MIT */
#include "cli/past.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/shell.h"
#include "base/strv.h"
#include "report/session.h"
#include "sys/lock.h"
#include "sys/statedir.h"

static const char *const phases[] = {
	[SESSION_BEFORE] = "before",
	[SESSION_CROSSING] = "crossing",
	[SESSION_AFTER] = "after",
	[SESSION_CLOSED] = "closed",
};

const char *past_state(const struct call *call)
{
	return call->options.state ? call->options.state : STATEDIR_DEFAULT;
}

int past_journal(struct past *past, const struct call *call, struct error *err)
{
	CLEANUP(cleanup_statedir) struct statedir *dir = NULL;
	int r = statedir_open(past_state(call), STATEDIR_READ, &dir, err);

	if (r >= 0)
		r = journal_open(statedir_path(dir), JOURNAL_LOOK, &past->journal, err);
	return r;
}

/* Who holds the lock is told where it can be known: an emergency shell has no /run of ours. */
static void look_who_runs(struct past *past)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_LOCK_HOLDER holder = { 0 };
	AUTO_BUF text = BUF_INIT;

	if (host_open(NULL, &past->host, &why) < 0 || lock_look(past->host, &holder, &why) != 1)
		return;
	if (holder.pid)
		buf_addf(&text, _("by process %d, %s"), (int)holder.pid,
			 holder.text ? holder.text : "coldswap");
	else
		buf_adds(&text, _("by another process"));
	if (holder.since)
		buf_addf(&text, _(", since %s"), holder.since);
	past->running = buf_take(&text);
}

struct report_session past_summary(const struct session_view *view)
{
	return (struct report_session){
		.number = view->number,
		.runbook = view->plan ? view->plan->name : NULL,
		.phase = phases[view->phase],
		.closed_as = view->closed_as,
		.closed_how = view->closed_how,
		.opened_at = view->opened_at,
		.closed_at = view->closed_at,
		.work = view->work_text,
		.powers_off = view->plan && view->plan->boundary < view->plan->n_steps,
		.position = view->position,
		.crossings = view->crossings,
		.exchanged_end = view->exchanged_end,
		.accepted = view->accepted,
		.n_accepted = view->n_accepted,
		.stopped = view->stopped,
		.head = view->head,
	};
}

static int gather(struct past *past, const struct call *call, struct error *err)
{
	AUTO_BUF program = BUF_INIT;
	int r = session_report(&past->view, &past->report, err);

	if (r < 0)
		return r;
	shell_word(call->program, &program);
	r = session_next(&past->view, buf_text(&program), past_state(call), &past->next, err);
	if (r >= 0)
		r = session_changes(&past->view, &past->changes, err);
	if (r < 0)
		return r;
	if (past->view.phase != SESSION_CLOSED)
		look_who_runs(past);
	past->session = past_summary(&past->view);
	past->session.next = past->next;
	/* What a closed session left changed is meant to be so. */
	past->session.changes = past->view.phase == SESSION_CLOSED ? NULL : past->changes;
	past->session.running = past->running;
	past->report.session = &past->session;
	return 0;
}

int past_open(struct past *past, const struct call *call, int64_t number, struct error *err)
{
	int r;

	past->report.command = call->verb->name;
	past->state = past_state(call);
	r = past->journal ? 0 : past_journal(past, call, err);
	if (r >= 0)
		r = session_view(past->journal, past_state(call), number, &past->view, err);
	if (r < 0)
		return r;
	past->found = true;
	r = gather(past, call, err);
	past->report.command = call->verb->name;
	return r;
}

int past_check(struct past *past, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	CLEANUP(journal_events_done) struct journal_events events = { 0 };
	int r = journal_check(past->journal, NULL, &why);

	if (r == -EUCLEAN) {
		past->broken = strdup(error_text(&why));
		past->session.broken = past->broken;
		past->report.exit_code = EXIT_SYSTEM;
		return past->broken ? 0 : error_oom(err);
	}
	if (r < 0)
		return error_copy(err, &why);
	r = journal_read(past->journal, 0, &events, err);
	past->session.events = events.n;
	return r;
}

int past_whole(struct past *past, struct error *err)
{
	int r = journal_check(past->journal, NULL, err);

	if (r == -EUCLEAN)
		error_hint(err,
			   _("nothing is done by a journal that does not fit: keep a copy of it; "
			     "the card as it was handed over is in %s/%lld/card.txt"),
			   past->state, (long long)past->view.number);
	return r;
}

int past_json(struct past *past, struct buf *ret, struct error *err)
{
	return session_json(&past->report, ret, err);
}

void past_done(struct past *past)
{
	report_done(&past->report);
	if (past->found)
		session_view_done(&past->view);
	strv_free(past->changes);
	past_copies_free(past->copies);
	free(past->next);
	free(past->running);
	free(past->broken);
	journal_free(past->journal);
	host_free(past->host);
}

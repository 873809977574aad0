/* SPDX-License-Identifier: MIT */
#include "exec/stop.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "exec/record.h"

static int keep_end(struct executor *executor, int exit_code, char *summary, char *next,
		    struct error *err)
{
	struct session_end *end = executor->end;

	session_end_done(end);
	*end = (struct session_end){
		.number = executor->number,
		.exit_code = exit_code,
		.next = next,
		.summary = summary,
	};
	return summary ? 1 : error_oom(err);
}

/* Nobody but the journal may have heard it: a terminal that went away shows nothing. */
static int stop(struct executor *executor, int exit_code, char *why, struct error *err)
{
	AUTO_FREE char *reason = why;
	AUTO_FREE char *next = NULL;
	json_t *body = record_body(executor);
	int r = reason ? executor_command(executor, executor->verb, &next, err) : error_oom(err);

	if (r) {
		json_decref(body);
		return r;
	}
	if (body) {
		json_set_text(body, "why", reason);
		json_set_text(body, "next", next);
	}
	r = record_event(executor, "stopped", SIZE_MAX, body, err);
	return r ? r : keep_end(executor, exit_code, TAKE(reason), TAKE(next), err);
}

int stop_unsaid(struct executor *executor, int exit_code, char *why, struct error *err)
{
	return keep_end(executor, exit_code, why, NULL, err);
}

int stop_here(struct executor *executor, int exit_code, struct error *err, const char *fmt, ...)
{
	char *why;
	va_list args;

	va_start(args, fmt);
	if (vasprintf(&why, fmt, args) < 0)
		why = NULL;
	va_end(args);
	return stop(executor, exit_code, why, err);
}

int stop_interrupted(struct executor *executor, struct error *err)
{
	if (executor->gone_away)
		return stop_here(executor, EXIT_WAITING, err, "%s",
				 _("The terminal went away; the session stopped at a safe point, "
				   "and everything up to here is saved."));
	return stop_here(executor, EXIT_BY_SIGNAL(executor->signal), err, "%s",
			 _("Stopped by the operator at a safe point; everything up to here is "
			   "saved."));
}

int stop_asked(struct executor *executor, const struct error *why, struct error *err)
{
	if (executor_interrupted(executor))
		return stop_interrupted(executor, err);
	if (why->code == -ENOTTY)
		return stop_here(executor, EXIT_WAITING, err, "%s",
				 _("A question has to be answered at a terminal, and there is "
				   "none: type the next command at one."));
	if (why->code == -ECANCELED)
		return stop_here(executor, EXIT_WAITING, err, "%s",
				 _("The operator stopped at a question; everything up to here is "
				   "saved."));
	return error_copy(err, why);
}

/*
 * Before the session is closed: nobody looks after it later.  What is in it
 * serves nobody by now; that it cannot be removed is told, and no obstacle.
 */
static int clear_scratch(struct executor *executor, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_FREE char *scratch = NULL;

	if (asprintf(&scratch, "%lld/scratch", (long long)executor->number) < 0) {
		scratch = NULL;
		return error_oom(err);
	}
	if (statedir_clear(executor->dir, scratch, &why))
		executor_tell(executor, NOTICE_WARNING, _("Left behind: %s."), error_text(&why));
	return 0;
}

int stop_closed(struct executor *executor, const char *as, const char *how, int exit_code,
		struct error *err)
{
	AUTO_BUF text = BUF_INIT;
	json_t *body = record_body(executor);
	int r;

	if (body) {
		json_set_text(body, "as", as);
		json_set_text(body, "how", how);
	}
	r = body ? json_print(body, &text, err) : error_oom(err);
	json_decref(body);
	if (!r)
		r = clear_scratch(executor, err);
	if (!r)
		r = journal_end(executor->journal, executor->number, buf_text(&text), err);
	return r ? r : keep_end(executor, exit_code, strdup(how), NULL, err);
}

void session_end_done(struct session_end *end)
{
	free(end->next);
	free(end->summary);
	*end = (struct session_end){ 0 };
}

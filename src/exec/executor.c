/* SPDX-License-Identifier: MIT */
#include "exec/executor.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/intl.h"
#include "exec/seal.h"
#include "probe/paths.h"
#include "sys/process.h"

static int open_lock(struct executor *executor, const char *what, struct error *err)
{
	int r;

	if (!host_is_live(executor->args->host)) {
		r = error_set(err, -EPERM, "%s",
			      _("a session changes the running system alone, "
				"and this is a capture"));
		error_hint(err, "%s", _("judge a capture with: coldswap audit --root DIR"));
		return r;
	}
	return lock_take(executor->args->host, what, &executor->lock, err);
}

/* A session that goes on is there already: a wrong --state makes nothing anywhere. */
static int find_state(struct executor *executor, struct error *err)
{
	CLEANUP(cleanup_journal) struct journal *journal = NULL;
	CLEANUP(error_done) struct error why = ERROR_INIT;
	const char *path = executor->args->state ? executor->args->state : STATEDIR_DEFAULT;
	int r = statedir_open(path, STATEDIR_READ, &executor->dir, &why);

	if (!r)
		r = journal_open(statedir_path(executor->dir), JOURNAL_LOOK, &journal, &why);
	if (r != -ENOENT)
		return r ? error_copy(err, &why) : 0;
	error_set(err, -ENOENT, _("no session is open: there is no journal in %s"), path);
	error_hint(err, "%s",
		   _("name the directory that holds the session with --state; begin one: coldswap "
		     "run RUNBOOK"));
	return -ENOENT;
}

static int open_state(struct executor *executor, bool make, struct error *err)
{
	int r = make ? statedir_open(executor->args->state, STATEDIR_MAKE, &executor->dir, err)
		     : find_state(executor, err);

	return r ? r : statedir_writable(executor->dir, err);
}

int executor_open(struct executor *executor, const struct session_args *args,
		  struct session_end *end, const char *what, struct error *err)
{
	int r;

	executor->args = args;
	executor->end = end;
	executor->facts = args->facts;
	r = open_lock(executor, what, err);
	if (!r)
		r = open_state(executor, strcmp(what, "run") == 0, err);
	if (!r)
		r = identity_load(args->host, &executor->identity, err);
	if (!r)
		r = host_readlink(args->host, PATH_SELF_EXE, &executor->program, err);
	if (!r)
		r = journal_open(statedir_path(executor->dir), JOURNAL_WRITE, &executor->journal,
				 err);
	if (!r && (!executor->identity.boot_id || !executor->identity.machine_id)) {
		r = error_set(err, -ENODATA, "%s",
			      _("this machine does not tell its machine-id and the id of its boot, "
				"without which a reboot cannot be proved"));
		error_hint(err, "%s", _("see that /etc/machine-id and /proc are there"));
	}
	return r;
}

static void steps_done(struct executor *executor)
{
	for (size_t i = 0; i < executor->n_steps; i++)
		session_step_done(&executor->steps[i]);
	free(executor->steps);
	free(executor->renewed);
	executor->steps = NULL;
	executor->renewed = NULL;
	executor->n_steps = 0;
}

void executor_done(struct executor *executor)
{
	steps_done(executor);
	for (size_t i = 0; i < executor->n_accepted; i++) {
		free(executor->accepted[i].finding);
		free(executor->accepted[i].subject);
		free(executor->accepted[i].because);
	}
	free(executor->accepted);
	free(executor->how);
	free(executor->program);
	free(executor->end_of_cables);
	free(executor->place);
	plan_free(executor->plan);
	plan_free(executor->undo_plan);
	facts_free(executor->own_facts);
	facts_free(executor->before);
	host_free(executor->host_before);
	pinned_done(&executor->pinned);
	identity_done(&executor->identity);
	if (executor->inhibitor >= 0)
		close(executor->inhibitor);
	journal_free(executor->journal);
	statedir_free(executor->dir);
	lock_free(executor->lock);
	*executor = (struct executor)EXECUTOR_INIT;
}

int executor_make_steps(struct executor *executor, size_t n, struct error *err)
{
	executor->steps = calloc(n + 1, sizeof(*executor->steps));
	executor->renewed = calloc(n + 1, sizeof(*executor->renewed));
	if (!executor->steps || !executor->renewed)
		return error_oom(err);
	executor->n_steps = n;
	return 0;
}

/* ---- facts and plan ------------------------------------------------------------ */

int executor_plan(struct executor *executor, struct error *err)
{
	struct plan *plan = NULL;
	int r;

	if (!executor->pinned.runbook)
		return 0;
	r = pinned_plan(&executor->pinned, executor->facts,
			executor->after ? executor->before : NULL,
			executor->after ? PLAN_AFTER : PLAN_WHOLE, &plan, err);
	if (r)
		return r;
	if (executor->n_steps && plan->n_steps != executor->n_steps) {
		plan_free(plan);
		return error_set(err, -EUCLEAN, "%s",
				 _("the journal's runbook has another number of steps than the "
				   "session"));
	}
	plan_free(executor->plan);
	executor->plan = plan;
	return 0;
}

/* The old facts outlive the old plan, which borrows from them. */
int executor_renew(struct executor *executor, struct error *err)
{
	struct facts *old = executor->own_facts, *facts = NULL;
	int r = facts_new(executor->args->host, &facts, err);

	if (r)
		return r;
	executor->own_facts = executor->facts = facts;
	r = executor_plan(executor, err);
	if (r) {
		executor->own_facts = old;
		executor->facts = old ? old : executor->args->facts;
		facts_free(facts);
		return r;
	}
	facts_free(old);
	executor->stale = false;
	for (size_t i = 0; !r && i < executor->n_steps; i++)
		if (executor->steps[i].state != STEP_NOT_BEGUN)
			r = plan_step_due(executor->plan, i, facts, executor_result_of, executor,
					  err);
	return r;
}

/* Its own error would speak of a capture that the operator never named. */
static int unsealed(const char *path, struct error *why, struct error *err)
{
	if (why->code == -ENOMEM || why->code == -ECANCELED)
		return error_copy(err, why);
	error_set(err, -EUCLEAN,
		  _("the record of this machine as it was before the work cannot be used (%s): %s"),
		  path, error_text(why));
	error_hint(err, "%s",
		   _("put it back from a copy, if there is one, then go on; or take back what was "
		     "changed, which needs no such record: coldswap abort"));
	return -EUCLEAN;
}

int executor_open_seal(struct executor *executor, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_FREE char *path = NULL;
	int r;

	if (executor->before)
		return 0;
	if (asprintf(&path, "%s/before", executor->place) < 0) {
		path = NULL;
		return error_oom(err);
	}
	r = seal_check(path, json_text(executor->pinned.opened, "before_sha256"), &why);
	if (!r)
		r = host_open(path, &executor->host_before, &why);
	if (!r)
		r = facts_new(executor->host_before, &executor->before, &why);
	if (!r)
		r = pinned_plan(&executor->pinned, executor->before, NULL, PLAN_WHOLE,
				&executor->undo_plan, &why);
	return r ? unsealed(path, &why, err) : 0;
}

const struct plan *executor_outline(const struct executor *executor)
{
	return executor->plan ? executor->plan : executor->undo_plan;
}

const struct result *executor_result_of(void *data, size_t index)
{
	const struct executor *executor = data;
	const struct session_step *step = &executor->steps[index];

	if (index >= executor->n_steps || step->skipped || step->failure.code < 0 ||
	    step->state == STEP_NOT_BEGUN || step->state == STEP_INTENDED)
		return NULL;
	return &step->result;
}

bool executor_interrupted(struct executor *executor)
{
	int number = *executor->args->cancelled;

	if (number && executor->args->cancelled == process_cancelled())
		number = process_cancel_reset();
	if (number)
		executor->signal = number;
	if (number == SIGHUP)
		executor->gone_away = true;
	return executor->signal != 0 || executor->gone_away;
}

int executor_command(const struct executor *executor, const char *verb, char **ret,
		     struct error *err)
{
	return session_command(executor->args->program, verb, statedir_path(executor->dir), ret,
			       err);
}

/* SPDX-License-Identifier: MIT */
#include "exec/opening.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/text.h"
#include "exec/acceptance.h"
#include "exec/placing.h"
#include "exec/record.h"
#include "exec/seal.h"
#include "exec/world.h"
#include "sys/file.h"
#include "sys/treesum.h"
#include "work/work.h"

#define RUNBOOK_MAX ((size_t)256 << 10)

static int refuse_second(struct executor *executor, struct error *err)
{
	AUTO_FREE char *resume = NULL, *give_up = NULL;
	int64_t open = 0;
	int r = journal_current(executor->journal, &open, err);

	if (r || !open)
		return r;
	r = executor_command(executor, "resume", &resume, err);
	if (!r)
		r = executor_command(executor, "abort", &give_up, err);
	if (r)
		return r;
	r = error_set(err, -EBUSY, _("session %lld is open"), (long long)open);
	error_hint(err, _("go on with it: %s; or take it back: %s"), resume, give_up);
	return r;
}

/* Whoever resumes may stand in another directory. */
struct source {
	const struct runbook *runbook;
	char *file; /* absolute */
	struct buf text;
};

static void source_done(struct source *source)
{
	free(source->file);
	buf_done(&source->text);
}

/* The file is read once more for its text: it must still be what was parsed. */
static int read_text(struct source *source, struct error *err)
{
	CLEANUP(cleanup_runbook) struct runbook *again = NULL;
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	const struct runbook *runbook = source->runbook;
	struct buf *text = &source->text;
	int r = file_read_trusted(runbook->file, RUNBOOK_MAX, text, err);

	if (r)
		return r;
	if (!text_is_utf8(buf_text(text), text->len) || strlen(buf_text(text)) != text->len)
		return error_set(err, -EINVAL, _("%s is no text"), runbook->file);
	r = runbook_parse(buf_text(text), text->len, runbook->file, &again, &diags, err);
	if (r == -EINVAL)
		return pinned_misplanned(&diags, runbook->file, err);
	if (!r && strcmp(again->sha256, runbook->sha256) != 0) {
		r = error_set(err, -EAGAIN, _("%s changed while it was being read"), runbook->file);
		error_hint(err, "%s", _("start over"));
	}
	source->file = r ? NULL : realpath(runbook->file, NULL);
	return r || source->file ? r : error_oom(err);
}

static int make_plan(struct executor *executor, const struct runbook *runbook,
		     const struct plan_args *from, struct error *err)
{
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	struct plan_args args = *from;
	int r;

	args.side = PLAN_WHOLE;
	args.audit = false;
	args.before = NULL;
	r = plan_make(runbook, executor->facts, &args, &executor->plan, &diags, err);
	if (r == -EINVAL && diags.n)
		return pinned_misplanned(&diags, runbook->file, err);
	return r ? r : executor_make_steps(executor, executor->plan->n_steps, err);
}

/* ---- the event ---------------------------------------------------------------------- */

static const char *const state_names[] = {
	[PLAN_READY] = "ready",
	[PLAN_SKIPPED] = "skipped",
	[PLAN_UNKNOWN] = "unknown",
};

static void add_undo(json_t *body, const struct plan_step *step)
{
	AUTO_BUF text = BUF_INIT;

	if (step->params && step->kind->describe_undo &&
	    !step->kind->describe_undo(step->params, &text))
		json_set_text(body, "undo", buf_text(&text));
}

static json_t *step_body(const struct plan_step *step)
{
	json_t *body = json_object();

	json_set_text(body, "id", step->id);
	json_set_text(body, "kind", step->kind->name);
	json_set_text(body, "title", step->title);
	json_set_text(body, "text", step->text);
	add_undo(body, step);
	json_object_set_new(body, "after", json_boolean(step->after));
	json_object_set_new(body, "keep", json_boolean(step->keep));
	json_object_set_new(body, "restores",
			    step->restores == SIZE_MAX ? json_null()
						       : json_integer((json_int_t)step->restores));
	json_set_text(body, "state", state_names[step->state]);
	json_set_text(body, "reason", step->reason);
	json_object_set_new(body, "estimate_ms",
			    json_integer((json_int_t)(step->estimate_us / 1000)));
	json_object_set_new(body, "measured", json_boolean(step->measured));
	return body;
}

static json_t *plan_body(const struct plan *plan)
{
	json_t *steps = json_array();

	for (size_t i = 0; i < plan->n_steps; i++)
		json_array_append_new(steps, step_body(&plan->steps[i]));
	return steps;
}

static json_t *runbook_body(const struct runbook *runbook, const char *file, const struct buf *text)
{
	json_t *body = json_object();

	json_set_text(body, "name", runbook->name);
	json_set_text(body, "file", file);
	json_set_text(body, "sha256", runbook->sha256);
	json_set_text(body, "text", buf_text(text));
	return body;
}

static json_t *host_body(const struct identity *identity)
{
	json_t *body = json_object();

	json_set_text(body, "name", identity->name);
	json_set_text(body, "machine_id", identity->machine_id);
	json_set_text(body, "boot_id", identity->boot_id);
	return body;
}

/* The record is worth what its hash in the chain is worth: nobody replaces it unseen. */
static int add_before(json_t *body, const char *before, struct error *err)
{
	char sha256[65];
	int r = treesum(before, sha256, err);

	if (r < 0)
		return r;
	json_set_text(body, "before", before);
	json_set_text(body, "before_sha256", sha256);
	return 0;
}

static int opened_body(struct executor *executor, const struct source *source, json_t *world,
		       json_t **ret, struct error *err)
{
	const struct plan *plan = executor->plan;
	AUTO_BUF work = BUF_INIT;
	AUTO_FREE char *before = NULL;
	json_t *body = json_object();
	int r;

	if (!body || work_describe(plan->work, &work) ||
	    asprintf(&before, "%s/before", executor->place) < 0) {
		json_decref(world);
		json_decref(body);
		return error_oom(err);
	}
	json_set_text(body, "tool", "coldswap");
	json_object_set_new(body, "runbook",
			    runbook_body(source->runbook, source->file, &source->text));
	json_object_set_new(body, "vars", pinned_vars(source->runbook, plan, executor->facts));
	json_object_set_new(body, "work", pinned_work(plan->work));
	json_set_text(body, "work_text", buf_text(&work));
	json_object_set_new(body, "host", host_body(&executor->identity));
	json_object_set_new(body, "plan", plan_body(plan));
	json_object_set_new(body, "boundary", json_integer((json_int_t)plan->boundary));
	json_object_set_new(body, "world", world);
	r = add_before(body, before, err);
	if (r < 0) {
		json_decref(body);
		return r;
	}
	json_object_set_new(body, "remote", json_boolean(executor->args->operator->remote));
	*ret = body;
	return 0;
}

static int begin(struct executor *executor, const struct source *source, json_t *world,
		 struct error *err)
{
	AUTO_BUF line = BUF_INIT;
	AUTO_JSON body = NULL;
	int64_t number = 0;
	int r = opened_body(executor, source, world, &body, err);

	if (!r)
		r = pinned_take(body, &executor->pinned, err);
	if (!r)
		r = json_print(body, &line, err);
	if (!r)
		r = journal_begin(executor->journal, buf_text(&line), &number, err);
	if (!r && number != executor->number)
		r = error_set(err, -EUCLEAN, "%s",
			      _("the journal counts another session than was prepared"));
	return r;
}

int opening_make(struct executor *executor, const struct runbook *runbook,
		 const struct plan_args *plan_args, struct error *err)
{
	CLEANUP(source_done) struct source source = { .runbook = runbook };
	json_t *world = NULL;
	int r = refuse_second(executor, err);

	if (!r)
		r = read_text(&source, err);
	if (!r)
		r = make_plan(executor, runbook, plan_args, err);
	for (size_t i = 0; !r && i < executor->args->n_accepted; i++)
		r = acceptance_check(&executor->args->accepted[i], err);
	if (!r)
		r = placing_check(executor, source.file, err);
	if (!r)
		r = seal_make(executor, err);
	if (!r)
		r = world_take(executor->facts, executor->plan, &world, err);
	if (!r)
		r = begin(executor, &source, world, err);
	return r ? r : acceptance_take(executor, err);
}

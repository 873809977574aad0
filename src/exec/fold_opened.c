/* SPDX-License-Identifier: MIT */
/* The opening of a session: its plan and its world, as they were. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "exec/fold.h"

static const char *const state_names[] = {
	[PLAN_READY] = "ready",
	[PLAN_SKIPPED] = "skipped",
	[PLAN_UNKNOWN] = "unknown",
};

static int get_state(const json_t *row, enum plan_state *ret, struct error *err)
{
	const char *name = json_text(row, "state");

	for (size_t i = 0; name && i < ELEMENTS(state_names); i++)
		if (strcmp(name, state_names[i]) == 0) {
			*ret = (enum plan_state)i;
			return 0;
		}
	return fold_misfit("state", err);
}

static int get_kind(const json_t *row, const struct kind **ret, struct error *err)
{
	const char *name = json_text(row, "kind");

	if (!name)
		return fold_misfit("kind", err);
	*ret = kind_find(name);
	return *ret ? 0 : error_set(err, -EBADMSG, _("this coldswap knows no kind '%s'"), name);
}

static int get_restores(const json_t *row, size_t n_steps, size_t *ret, struct error *err)
{
	uint64_t index = 0;
	int r;

	*ret = SIZE_MAX;
	if (json_is_null(json_object_get(row, "restores")))
		return 0;
	r = fold_count(row, "restores", n_steps - 1, &index, err);
	if (r == 0)
		*ret = (size_t)index;
	return r;
}

static int get_row(const json_t *row, size_t n_steps, struct plan_step *step,
		   struct session_step *record, struct error *err)
{
	uint64_t estimate_ms = 0;
	int r;

	if ((r = fold_text(row, "id", false, &step->id, err)) < 0 ||
	    (r = get_kind(row, &step->kind, err)) < 0 ||
	    (r = fold_text(row, "title", false, &step->title, err)) < 0 ||
	    (r = fold_text(row, "text", false, &step->text, err)) < 0 ||
	    (r = fold_text(row, "undo", true, &record->undo_text, err)) < 0 ||
	    (r = fold_bool(row, "after", &step->after, err)) < 0 ||
	    (r = fold_bool(row, "keep", &step->keep, err)) < 0 ||
	    (r = get_restores(row, n_steps, &step->restores, err)) < 0 ||
	    (r = get_state(row, &step->state, err)) < 0 ||
	    (r = fold_text(row, "reason", true, &step->reason, err)) < 0 ||
	    (r = fold_count(row, "estimate_ms", UINT64_MAX / 1000, &estimate_ms, err)) < 0)
		return r;
	step->estimate_us = estimate_ms * 1000;
	result_init(&record->result, step->kind);
	result_init(&record->undo_result, step->kind);
	return fold_bool(row, "measured", &step->measured, err);
}

static int is_first(const struct plan *plan, size_t index, struct error *err)
{
	for (size_t i = 0; i < index; i++)
		if (strcmp(plan->steps[i].id, plan->steps[index].id) == 0)
			return error_set(err, -EBADMSG, _("there are two steps '%s'"),
					 plan->steps[i].id);
	return 0;
}

static int get_steps(struct session_view *view, const json_t *rows, struct error *err)
{
	struct plan *plan = view->plan;
	size_t n = json_array_size(rows);
	int r;

	if (!json_is_array(rows))
		return fold_misfit("plan", err);
	plan->steps = calloc(n + 1, sizeof(*plan->steps));
	view->steps = calloc(n + 1, sizeof(*view->steps));
	if (!plan->steps || !view->steps)
		return error_oom(err);
	for (size_t i = 0; i < n; i++) {
		plan->n_steps++;
		if ((r = get_row(json_array_get(rows, i), n, &plan->steps[i], &view->steps[i],
				 err)) < 0 ||
		    (r = is_first(plan, i, err)) < 0)
			return r;
	}
	return 0;
}

static int get_plan(struct session_view *view, const json_t *body, struct error *err)
{
	const json_t *runbook = json_object_get(body, "runbook");
	struct plan *plan = view->plan;
	AUTO_FREE char *sha256 = NULL;
	uint64_t boundary = 0;
	int r;

	if ((r = get_steps(view, json_object_get(body, "plan"), err)) < 0 ||
	    (r = fold_count(body, "boundary", plan->n_steps, &boundary, err)) < 0 ||
	    (r = fold_text(runbook, "name", false, &plan->name, err)) < 0 ||
	    (r = fold_text(runbook, "file", false, &plan->file, err)) < 0 ||
	    (r = fold_text(runbook, "sha256", false, &sha256, err)) < 0 ||
	    (r = fold_text(runbook, "text", false, &view->runbook_text, err)) < 0)
		return r;
	if (strlen(sha256) >= sizeof(plan->sha256))
		return fold_misfit("sha256", err);
	memcpy(plan->sha256, sha256, strlen(sha256) + 1);
	plan->boundary = (size_t)boundary;
	return 0;
}

static int add_var(struct session_view *view, const char *name, const json_t *value,
		   struct error *err)
{
	char *text;

	if (!json_is_string(value))
		return fold_misfit(name, err);
	if (asprintf(&text, "%s=%s", name, json_string_value(value)) < 0 ||
	    strv_take(&view->vars, text) < 0)
		return error_oom(err);
	return 0;
}

static int get_vars(struct session_view *view, const json_t *vars, struct error *err)
{
	json_t *object = (json_t *)(uintptr_t)vars; /* jansson's iterators are not const */
	int r;

	if (!json_is_object(vars))
		return fold_misfit("vars", err);
	for (void *at = json_object_iter(object); at; at = json_object_iter_next(object, at))
		if ((r = add_var(view, json_object_iter_key(at), json_object_iter_value(at), err)) <
		    0)
			return r;
	return 0;
}

int fold_opened(struct session_view *view, const json_t *body, struct error *err)
{
	const json_t *host = json_object_get(body, "host");
	int r;

	view->plan = calloc(1, sizeof(*view->plan));
	if (!view->plan)
		return error_oom(err);
	if ((r = get_plan(view, body, err)) < 0 ||
	    (r = get_vars(view, json_object_get(body, "vars"), err)) < 0 ||
	    (r = fold_text(body, "work_text", true, &view->work_text, err)) < 0 ||
	    (r = fold_text(body, "before", true, &view->before, err)) < 0 ||
	    (r = fold_text(body, "before_sha256", true, &view->before_sha256, err)) < 0 ||
	    (r = fold_text(host, "name", true, &view->host_name, err)) < 0 ||
	    (r = fold_text(host, "machine_id", true, &view->machine_id, err)) < 0)
		return r;
	return fold_text(host, "boot_id", true, &view->boot_id, err);
}

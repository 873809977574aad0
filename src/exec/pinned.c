/* SPDX-License-Identifier: MIT */
#include "exec/pinned.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "probe/facts.h"

static const char *const type_words[] = {
	[WORK_EXCHANGE] = "exchange", [WORK_MOVE] = "move",       [WORK_REMOVE] = "remove",
	[WORK_REPLACE] = "replace",   [WORK_RECABLE] = "recable",
};

void pinned_done(struct pinned *pinned)
{
	runbook_free(pinned->runbook);
	strv_free(pinned->vars);
	for (size_t i = 0; i < pinned->n_work; i++)
		work_request_done(&pinned->work[i]);
	free(pinned->work);
	free(pinned->text);
	json_decref(pinned->opened);
	*pinned = (struct pinned){ 0 };
}

/* ---- out of the journal ------------------------------------------------------- */

static int copy_text(const json_t *object, const char *key, char **ret)
{
	const char *text = json_text(object, key);

	*ret = text ? strdup(text) : NULL;
	return text && !*ret ? -ENOMEM : 0;
}

static int take_request(const json_t *from, struct work_request *ret)
{
	const char *word = json_text(from, "type");
	size_t type = 0;

	while (type < ELEMENTS(type_words) && (!word || strcmp(word, type_words[type]) != 0))
		type++;
	if (type == ELEMENTS(type_words))
		return -EUCLEAN;
	ret->type = (enum work_type)type;
	if (copy_text(from, "disk", &ret->disk) || copy_text(from, "other", &ret->other) ||
	    copy_text(from, "to", &ret->to))
		return -ENOMEM;
	ret->position = strdup("journal");
	return ret->position ? 0 : -ENOMEM;
}

static int take_work(const json_t *work, struct pinned *ret)
{
	size_t n = json_array_size(work);
	int r = 0;

	ret->work = calloc(n + 1, sizeof(*ret->work));
	if (!ret->work)
		return -ENOMEM;
	while (!r && ret->n_work < n) {
		size_t i = ret->n_work++;

		r = take_request(json_array_get(work, i), &ret->work[i]);
	}
	return r;
}

static int take_vars(const json_t *vars, struct pinned *ret)
{
	const char *name;
	const json_t *value;
	json_t *all = json_deep_copy(vars);
	int r = all ? 0 : -ENOMEM;

	json_object_foreach (all, name, value) {
		char *text = NULL;

		if (r || !json_is_string(value))
			continue;
		if (asprintf(&text, "%s=%s", name, json_string_value(value)) < 0)
			r = -ENOMEM;
		else
			r = strv_take(&ret->vars, text);
	}
	json_decref(all);
	return r;
}

static int damaged(struct error *err, const char *what)
{
	error_set(err, -EUCLEAN, "%s", what);
	error_hint(err, "%s",
		   _("see which event does not fit: coldswap report; the state directory is the "
		     "evidence: copy it before anything else"));
	return -EUCLEAN;
}

static int parse_text(struct pinned *pinned, struct error *err)
{
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	const json_t *runbook = json_object_get(pinned->opened, "runbook");
	const char *text = json_text(runbook, "text"), *file = json_text(runbook, "file");
	int r;

	if (!text || !file)
		return damaged(err, _("the journal does not hold the session's runbook"));
	pinned->text = strdup(text);
	if (!pinned->text)
		return error_oom(err);
	r = runbook_parse(text, strlen(text), file, &pinned->runbook, &diags, err);
	if (r == -EINVAL)
		return pinned_misplanned(&diags, file, err);
	return r;
}

int pinned_take(json_t *opened, struct pinned *ret, struct error *err)
{
	int r;

	*ret = (struct pinned){ .opened = json_incref(opened) };
	r = parse_text(ret, err);
	if (r)
		return r;
	r = take_vars(json_object_get(opened, "vars"), ret);
	if (!r)
		r = take_work(json_object_get(opened, "work"), ret);
	if (r == -EUCLEAN)
		return damaged(err, _("the journal tells work of an unknown type"));
	return r ? error_oom(err) : 0;
}

int pinned_load(struct journal *journal, int64_t session, struct pinned *ret, struct error *err)
{
	CLEANUP(journal_events_done) struct journal_events events = { 0 };
	int r = journal_read(journal, session, &events, err);
	AUTO_JSON body = NULL;

	*ret = (struct pinned){ 0 };
	if (r)
		return r;
	if (!events.n || strcmp(events.items[0].type, "opened") != 0)
		return damaged(err, _("the session does not begin with its opening"));
	r = json_parse(events.items[0].body, strlen(events.items[0].body), "journal", &body, err);
	return r ? r : pinned_take(body, ret, err);
}

/* ---- into a plan ---------------------------------------------------------------- */

int pinned_misplanned(const struct diagnostics *diags, const char *file, struct error *err)
{
	const struct diagnostic *first = diags->items;

	if (diags->failed || !diags->n)
		return error_oom(err);
	if (first->at.line)
		error_set(err, -EINVAL, "%s:%u:%u: %s", file, first->at.line, first->at.column,
			  first->message);
	else
		error_set(err, -EINVAL, "%s", first->message);
	if (diags->n > 1)
		error_hint(err, _("There is more: coldswap lint %s"), file);
	else
		error_hint(err, _("look at it whole: coldswap lint %s"), file);
	return -EINVAL;
}

int pinned_plan(const struct pinned *pinned, struct facts *facts, struct facts *before,
		enum plan_side side, struct plan **ret, struct error *err)
{
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	const struct plan_args args = {
		.vars = pinned->vars,
		.work = pinned->work,
		.n_work = pinned->n_work,
		.work_known = true,
		.side = side,
		.before = before,
	};
	int r = plan_make(pinned->runbook, facts, &args, ret, &diags, err);

	if (r == -EINVAL && diags.n)
		return pinned_misplanned(&diags, pinned->runbook->file, err);
	return r;
}

/* ---- out of a plan ---------------------------------------------------------------- */

/* What stays the same when names change; the operator's own word where there is nothing better. */
static const char *pin_disk(struct facts *facts, const char *text)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	const struct block *disk = NULL;

	if (facts_find_disk(facts, text, &disk, &why) || !disk || !disk->key || disk->key_shared)
		return text;
	return disk->key;
}

json_t *pinned_vars(const struct runbook *runbook, const struct plan *plan, struct facts *facts)
{
	json_t *vars = json_object();

	for (size_t i = 0; vars && i < plan->n_vars; i++) {
		const struct var_value *var = &plan->vars[i];
		const char *value = var->value;

		if (!value)
			continue;
		if (runbook->vars[i].type == VAR_DISK)
			value = pin_disk(facts, value);
		json_set_text(vars, var->name, value);
	}
	return vars;
}

static const char *name_of(const struct block *disk)
{
	if (!disk)
		return NULL;
	return disk->key && !disk->key_shared ? disk->key
	       : disk->serial                 ? disk->serial
					      : disk->name;
}

static json_t *request_of(const struct work_op *op)
{
	json_t *request = json_object();
	AUTO_FREE char *to = NULL;

	if (op->type == WORK_MOVE && asprintf(&to, "port %u of %s", op->port, op->controller) < 0)
		to = NULL;
	json_object_set_new(request, "type", json_string(type_words[op->type]));
	json_set_text(request, "disk", name_of(op->disk));
	if (op->other)
		json_set_text(request, "other", name_of(op->other));
	else if (op->new_text)
		json_set_text(request, "other", op->new_text);
	if (to)
		json_set_text(request, "to", to);
	return request;
}

json_t *pinned_work(const struct work *work)
{
	json_t *requests = json_array();

	for (size_t i = 0; work && i < work->n; i++)
		json_array_append_new(requests, request_of(&work->ops[i]));
	return requests;
}

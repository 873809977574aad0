/* SPDX-License-Identifier: MIT */
/* One step by hand: `coldswap check KIND KEY=VALUE...`. */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "plan/planner.h"

static const struct plan_args no_args;

static int unknown_parameter(const struct kind *kind, const char *name, struct error *err)
{
	const char *words[64];
	AUTO_BUF text = BUF_INIT;
	size_t n = 0;

	for (const struct param_row *row = kind->params; row && row->name; row++)
		if (n < ELEMENTS(words))
			words[n++] = row->name;
	if (!n)
		return error_set(err, -EINVAL, _("the kind %s takes no parameters"), kind->name);
	if (suggest(name, words, n, &text))
		return error_oom(err);
	return error_set(err, -EINVAL, _("unknown parameter '%.80s'%s"), name, buf_text(&text));
}

/* "a,b" for a list; the whole text else. */
static int split(const char *text, bool is_list, char ***ret, struct error *err)
{
	const char *end;

	do {
		char *item;

		end = is_list ? strchrnul(text, ',') : text + strlen(text);
		item = strndup(text, (size_t)(end - text));
		if (!item || strv_take(ret, item))
			return error_oom(err);
		text = end + 1;
	} while (*end);
	return 0;
}

/* What stands on the command line is literal: "${" is no reference there. */
static int escape(char **items, struct error *err)
{
	for (; items && *items; items++) {
		AUTO_BUF made = BUF_INIT;
		char *text;

		for (const char *c = *items; *c; c++) {
			if (!strncmp(c, "${", 2))
				buf_addc(&made, '$');
			buf_addc(&made, *c);
		}
		text = buf_error(&made) ? NULL : buf_take(&made);
		if (!text)
			return error_oom(err);
		free(*items);
		*items = text;
	}
	return 0;
}

/* A list of mappings has no form in KEY=VALUE that could be read in one way only. */
static int refuse_entries(const struct kind *kind, const struct param_row *row, struct error *err)
{
	error_set(err, -EINVAL, _("'%s' is a list of mappings, which KEY=VALUE cannot give"),
		  row->name);
	error_hint(err, _("leave it out, or write it in a runbook, in a step with 'use: %s'"),
		   kind->name);
	return -EINVAL;
}

static int assign(const struct kind *kind, const char *assignment, struct runbook_step *step,
		  struct error *err)
{
	size_t len = strcspn(assignment, "=");
	AUTO_FREE char *name = strndup(assignment, len);
	const struct param_row *row = kind->params;
	struct runbook_param *param;
	int r;

	if (!name)
		return error_oom(err);
	if (!assignment[len] || !len)
		return error_set(err, -EINVAL, _("'%.80s' is not KEY=VALUE"), assignment);
	while (row && row->name && strcmp(row->name, name) != 0)
		row++;
	if (!row || !row->name)
		return unknown_parameter(kind, name, err);
	if (row->type == PARAM_ENTRIES)
		return refuse_entries(kind, row, err);
	for (size_t i = 0; i < step->n_params; i++)
		if (step->params[i].row == row)
			return error_set(err, -EINVAL, _("'%s' is given twice"), name);
	param = &step->params[step->n_params++];
	param->row = row;
	param->value.is_list = param_is_list(row->type);
	r = split(assignment + len + 1, param->value.is_list, &param->value.items, err);
	return r ? r : escape(param->value.items, err);
}

static int check_required(const struct runbook_step *step, struct error *err)
{
	for (const struct param_row *row = step->kind->params; row && row->name; row++) {
		size_t i = 0;

		while (i < step->n_params && step->params[i].row != row)
			i++;
		if (row->required && i == step->n_params)
			return error_set(err, -EINVAL, _("%s needs the parameter %s=%s: %s"),
					 step->kind->name, row->name, param_type_name(row->type),
					 _(row->help));
	}
	return 0;
}

static void step_done(struct runbook_step *step)
{
	for (size_t i = 0; i < step->n_params; i++)
		runbook_value_done(&step->params[i].value);
	free(step->params);
	free(step->id);
}

static int read_step(const struct kind *kind, char *const *assignments, struct runbook_step *ret,
		     struct error *err)
{
	int r = 0;

	ret->kind = kind;
	ret->restores = SIZE_MAX;
	ret->id = strdup(kind->name);
	ret->params = calloc(strv_length(assignments) + 1, sizeof(*ret->params));
	if (!ret->id || !ret->params)
		return error_oom(err);
	/* An id is of a-z, 0-9 and '-'. */
	for (char *c = ret->id; *c; c++)
		if (*c == '.')
			*c = '-';
	for (; assignments && *assignments && !r; assignments++)
		r = assign(kind, *assignments, ret, err);
	return r ? r : check_required(ret, err);
}

int plan_one(const struct kind *kind, char *const *assignments, struct facts *facts,
	     const struct plan_args *args, struct plan **ret, struct error *err)
{
	CLEANUP(cleanup_plan) struct plan *plan = calloc(1, sizeof(*plan));
	CLEANUP(step_done) struct runbook_step step = { 0 };
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	struct planner planner = {
		.facts = facts,
		.args = args ? args : &no_args,
		.plan = plan,
		.diags = &diags,
	};
	int r;

	*ret = NULL;
	if (!plan || !(plan->steps = calloc(1, sizeof(*plan->steps))))
		return error_oom(err);
	r = read_step(kind, assignments, &step, err);
	if (!r)
		r = plan_work(&planner, err);
	plan->n_steps = plan->boundary = 1;
	if (!r)
		r = plan_step_make(&planner, &step, plan->steps, err);
	if (diags.failed)
		return error_oom(err);
	if (diags.n)
		return error_set(err, -EINVAL, "%s", diags.items[0].message);
	if (r)
		return r;
	*ret = TAKE(plan);
	return 0;
}

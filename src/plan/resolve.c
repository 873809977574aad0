/* SPDX-License-Identifier: MIT */
/* Values in the place of `${NAME}` and `${STEP.name}`. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/intl.h"
#include "plan/planner.h"
#include "runbook/reference.h"

static const char *var_value(const struct plan *plan, const char *name)
{
	for (size_t i = 0; i < plan->n_vars; i++)
		if (!strcmp(plan->vars[i].name, name))
			return plan->vars[i].value;
	return NULL;
}

const char *unset_var(const struct plan *plan, const char *text)
{
	struct piece piece;

	while (piece_next(&text, &piece) != PIECE_END)
		for (size_t i = 0; piece.type == PIECE_VAR && i < plan->n_vars; i++)
			if (!plan->vars[i].value && !strcmp(plan->vars[i].name, piece.name))
				return plan->vars[i].name;
	return NULL;
}

bool needs_outputs(const char *text)
{
	struct piece piece;

	while (piece_next(&text, &piece) != PIECE_END)
		if (piece.type == PIECE_OUTPUT)
			return true;
	return false;
}

static size_t find_step(const struct plan *plan, const char *id)
{
	size_t index = 0;

	while (index < plan->n_steps && strcmp(plan->steps[index].id, id) != 0)
		index++;
	return index;
}

const struct output *find_output(const struct planner *planner, const char *step, const char *name)
{
	size_t index = find_step(planner->plan, step);
	const struct result *result = NULL;

	if (index < planner->plan->n_steps)
		result = planner->result_of(planner->data, index);
	for (size_t i = 0; result && i < result->n_outputs; i++)
		if (!strcmp(result->outputs[i].name, name))
			return &result->outputs[i];
	return NULL;
}

bool was_skipped(const struct planner *planner, const char *step)
{
	size_t index = find_step(planner->plan, step);
	const struct result *result;

	if (index == planner->plan->n_steps)
		return false;
	if (planner->plan->steps[index].state == PLAN_SKIPPED)
		return true;
	result = planner->result_of(planner->data, index);
	return result && !result->failed && result->verdict == VERDICT_SKIP;
}

bool needs_skipped(const struct planner *planner, const char *text)
{
	struct piece piece;

	while (piece_next(&text, &piece) != PIECE_END)
		if (piece.type == PIECE_OUTPUT && was_skipped(planner, piece.step) &&
		    !find_output(planner, piece.step, piece.name))
			return true;
	return false;
}

static int add_output(const struct planner *planner, const struct piece *piece, struct buf *ret,
		      struct error *err)
{
	const struct output *output = find_output(planner, piece->step, piece->name);

	if (!output)
		return error_set(err, -ENODATA, _("the step '%s' did not give its output '%s'"),
				 piece->step, piece->name);
	if (output->type == OUTPUT_BOOL)
		return buf_adds(ret, output->value.boolean ? "true" : "false");
	if (output->type == OUTPUT_INT)
		return buf_addf(ret, "%" PRId64, output->value.integer);
	return buf_adds(ret, output->value.string ? output->value.string : "");
}

int resolve_text(const struct planner *planner, const char *text, char **ret, struct error *err)
{
	AUTO_BUF made = BUF_INIT;
	struct piece piece;
	const char *value;
	int r;

	while (piece_next(&text, &piece) != PIECE_END) {
		switch (piece.type) {
		case PIECE_LITERAL:
			buf_add(&made, piece.literal, piece.len);
			break;
		case PIECE_OUTPUT:
			r = add_output(planner, &piece, &made, err);
			if (r == -ENODATA)
				return r;
			break;
		default:
			value = var_value(planner->plan, piece.name);
			if (piece.type == PIECE_BAD || !value)
				return error_set(err, -EINVAL, _("'%s' has no value"), piece.name);
			buf_adds(&made, value);
		}
	}
	if (buf_error(&made))
		return error_oom(err);
	*ret = buf_take(&made);
	return *ret ? 0 : error_oom(err);
}

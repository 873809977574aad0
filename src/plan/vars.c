/* SPDX-License-Identifier: MIT */
/* The values of a runbook's variables: `--var`, else the default. */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "plan/planner.h"
#include "runbook/reader.h"

static const struct position command_line;

static int copy_vars(struct planner *planner, struct error *err)
{
	const struct runbook *runbook = planner->runbook;
	struct plan *plan = planner->plan;

	plan->vars = calloc(runbook->n_vars + 1, sizeof(*plan->vars));
	if (!plan->vars)
		return error_oom(err);
	for (size_t i = 0; i < runbook->n_vars; i++) {
		const struct runbook_var *var = &runbook->vars[i];
		struct var_value *value = &plan->vars[plan->n_vars++];

		value->name = strdup(var->name);
		value->value = var->fallback ? strdup(var->fallback) : NULL;
		if (!value->name || (var->fallback && !value->value))
			return error_oom(err);
	}
	return 0;
}

static int unknown_var(struct planner *planner, const char *name, struct error *err)
{
	const struct plan *plan = planner->plan;
	AUTO_FREE const char **words = calloc(plan->n_vars + 1, sizeof(*words));
	AUTO_BUF text = BUF_INIT;

	if (!words)
		return error_oom(err);
	for (size_t i = 0; i < plan->n_vars; i++)
		words[i] = plan->vars[i].name;
	if (suggest(name, words, plan->n_vars, &text))
		return error_oom(err);
	diagnostics_add(planner->diags, command_line,
			_("--var: the runbook has no variable '%.80s'%s"), name, buf_text(&text));
	return 0;
}

static int set_var(struct planner *planner, const char *name, const char *text, struct error *err)
{
	struct plan *plan = planner->plan;
	CLEANUP(error_done) struct error why = ERROR_INIT;
	struct var_value *value;
	size_t i = 0;

	while (i < plan->n_vars && strcmp(plan->vars[i].name, name) != 0)
		i++;
	if (i == plan->n_vars)
		return unknown_var(planner, name, err);
	value = &plan->vars[i];
	if (value->given) {
		diagnostics_add(planner->diags, command_line, _("--var: '%s' is given twice"),
				name);
		return 0;
	}
	if (param_check(var_param_type(planner->runbook->vars[i].type), text, &why))
		diagnostics_add(planner->diags, command_line, "--var %s: %s", name,
				error_text(&why));
	value->given = true;
	free(value->value);
	value->value = strdup(text);
	return value->value ? 0 : error_oom(err);
}

static int set_vars(struct planner *planner, struct error *err)
{
	char *const *given = planner->args->vars;
	int r = 0;

	for (; given && *given && !r; given++) {
		const char *equals = strchr(*given, '=');
		AUTO_FREE char *name = equals ? strndup(*given, (size_t)(equals - *given)) : NULL;

		if (!equals || equals == *given)
			diagnostics_add(planner->diags, command_line,
					_("--var: '%.80s' is not NAME=VALUE"), *given);
		else if (!name)
			r = error_oom(err);
		else
			r = set_var(planner, name, equals + 1, err);
	}
	return r;
}

int plan_vars(struct planner *planner, struct error *err)
{
	const struct plan *plan = planner->plan;
	int r = copy_vars(planner, err);

	if (!r)
		r = set_vars(planner, err);
	for (size_t i = 0; !r && !planner->args->audit && i < plan->n_vars; i++)
		if (!plan->vars[i].value)
			diagnostics_add(planner->diags, planner->runbook->vars[i].at,
					_("the variable '%s' has no default and was not given: "
					  "--var %s=..."),
					plan->vars[i].name, plan->vars[i].name);
	return r;
}

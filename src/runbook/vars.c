/* SPDX-License-Identifier: MIT */
/* The variables that a runbook asks for. */
#include <string.h>

#include "base/intl.h"
#include "runbook/reader.h"
#include "runbook/reference.h"

static const struct {
	const char *name;
	enum param_type type;
} var_types[] = {
	[VAR_STRING] = { "string", PARAM_STRING },
	[VAR_BOOL] = { "bool", PARAM_BOOL },
	[VAR_INT] = { "int", PARAM_INT },
	[VAR_SIZE] = { "size", PARAM_SIZE },
	[VAR_DURATION] = { "duration", PARAM_DURATION },
	[VAR_PATH] = { "path", PARAM_PATH },
	[VAR_DISK] = { "disk", PARAM_DISK },
};

enum param_type var_param_type(enum var_type type)
{
	return var_types[type].type;
}

const char *var_type_name(enum var_type type)
{
	return var_types[type].name;
}

static void take_type(struct reader *reader, const struct yaml_node *value, void *into)
{
	struct runbook_var *var = into;
	const char *text = expect_text(reader, value, "type");
	const char *words[ELEMENTS(var_types)];

	if (!text)
		return;
	for (size_t i = 0; i < ELEMENTS(var_types); i++) {
		words[i] = var_types[i].name;
		if (!strcmp(text, words[i])) {
			var->type = (enum var_type)i;
			return;
		}
	}
	unknown_word(reader, value->at, _("type"), text, words, ELEMENTS(words));
}

static void take_help(struct reader *reader, const struct yaml_node *value, void *into)
{
	struct runbook_var *var = into;
	const char *text = expect_text(reader, value, "help");

	if (text)
		var->help = keep_text(reader, text);
}

static void take_default(struct reader *reader, const struct yaml_node *value, void *into)
{
	struct runbook_var *var = into;
	CLEANUP(error_done) struct error why = ERROR_INIT;

	if (!expect(reader, value, YAML_SCALAR, "default"))
		return;
	if (!*value->text && !value->quoted)
		diagnostics_add(reader->diags, value->at, _("default: the value is missing"));
	else if (has_reference(value->text))
		diagnostics_add(reader->diags, value->at,
				_("default: a variable cannot refer to another"));
	else if (param_check(var_param_type(var->type), value->text, &why))
		diagnostics_add(reader->diags, value->at, "default: %s", error_text(&why));
	else
		var->fallback = keep_text(reader, value->text);
}

static const struct key_row var_keys[] = {
	{ "type", true, take_type },
	{ "help", false, take_help },
	{ "default", false, take_default },
	{ 0 },
};

static bool name_is_valid(const char *text)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");

	return len && !text[len] && len < REFERENCE_MAX;
}

void take_vars(struct reader *reader, const struct yaml_node *value, void *into)
{
	struct runbook *runbook = reader->runbook;

	(void)into;
	if (!expect(reader, value, YAML_MAPPING, "vars"))
		return;
	for (size_t i = 0; i < value->n && !reader->oom; i += 2) {
		const struct yaml_node *key = value->items[i];
		struct runbook_var *var;

		if (key->type != YAML_SCALAR)
			continue;
		if (!name_is_valid(key->text))
			diagnostics_add(reader->diags, key->at,
					_("the name of a variable, '%.80s', is not a word of a-z, "
					  "0-9 and '_', 63 at most"),
					key->text);
		if (!expect(reader, value->items[i + 1], YAML_MAPPING, _("a variable")))
			continue;
		var = grow(reader, &runbook->vars, &runbook->n_vars, sizeof(*var));
		if (!var)
			return;
		var->at = key->at;
		var->name = keep_text(reader, key->text);
		if (var->name)
			keys_take(reader, value->items[i + 1], var_keys, _("a variable"), var);
	}
}

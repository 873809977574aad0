/* SPDX-License-Identifier: MIT */
/* The ordered list of steps. */
#include <stdint.h>
#include <string.h>

#include "base/intl.h"
#include "runbook/reader.h"
#include "runbook/reference.h"

static void take_id(struct reader *reader, const struct yaml_node *value, void *into)
{
	struct runbook_step *step = into;
	const char *text = expect_text(reader, value, "id");
	size_t first;

	if (!text)
		return;
	first = runbook_step_find(reader->runbook, text);
	if (!id_is_valid(text))
		diagnostics_add(reader->diags, value->at,
				_("id: '%.80s' is not a word of a-z, 0-9 and '-', 63 at most"),
				text);
	else if (first < reader->runbook->n_steps)
		diagnostics_add(reader->diags, value->at,
				_("id: '%s' is already the step on line %u; ids are unique"), text,
				reader->runbook->steps[first].at.line);
	else {
		free(step->id);
		step->id = keep_text(reader, text);
	}
}

static void take_use(struct reader *reader, const struct yaml_node *value, void *into)
{
	struct runbook_step *step = into;
	const char *text = expect_text(reader, value, "use");
	const char *words[64];
	const struct kind *kind;
	size_t n = 0;

	if (!text)
		return;
	step->kind = kind_find(text);
	if (step->kind)
		return;
	for (; n < ELEMENTS(words) && (kind = kind_at(n)); n++)
		words[n] = kind->name;
	unknown_word(reader, value->at, _("kind"), text, words, n);
}

static void take_title(struct reader *reader, const struct yaml_node *value, void *into)
{
	struct runbook_step *step = into;
	const char *text = expect_text(reader, value, "title");

	if (text)
		step->title = keep_text(reader, text);
}

static void take_when(struct reader *reader, const struct yaml_node *value, void *into)
{
	struct runbook_step *step = into;
	const char *text = expect_text(reader, value, "when");

	if (!text)
		return;
	step->when = keep_text(reader, text);
	step->when_at = value->at;
}

static void take_on_warn(struct reader *reader, const struct yaml_node *value, void *into)
{
	static const char *const words[] = {
		[ON_WARN_CONTINUE] = "continue",
		[ON_WARN_ASK] = "ask",
	};
	struct runbook_step *step = into;
	const char *text = expect_text(reader, value, "on_warn");

	for (size_t i = 0; text && i < ELEMENTS(words); i++)
		if (!strcmp(text, words[i])) {
			step->on_warn = (enum on_warn)i;
			return;
		}
	if (text)
		unknown_word(reader, value->at, _("value of on_warn"), text, words,
			     ELEMENTS(words));
}

static void take_timeout(struct reader *reader, const struct yaml_node *value, void *into)
{
	struct runbook_step *step = into;
	const char *text = expect_text(reader, value, "timeout");
	CLEANUP(error_done) struct error why = ERROR_INIT;

	if (!text)
		return;
	if (param_check(PARAM_DURATION, text, &why))
		diagnostics_add(reader->diags, value->at, "timeout: %s", error_text(&why));
	else
		step->timeout = keep_text(reader, text);
}

static void take_keep(struct reader *reader, const struct yaml_node *value, void *into)
{
	struct runbook_step *step = into;

	take_bool(reader, value, "keep", &step->keep);
	if (step->kind && step->kind->class != KIND_ACTION)
		diagnostics_add(reader->diags, value->at,
				_("keep: only an action changes what could be kept; %s is a %s"),
				step->kind->name, kind_class_name(step->kind->class));
}

static const struct key_row step_keys[] = {
	{ "id", true, take_id },
	{ "use", true, take_use },
	{ "with", false, take_params },
	{ "title", false, take_title },
	{ "when", false, take_when },
	{ "on_warn", false, take_on_warn },
	{ "timeout", false, take_timeout },
	{ "keep", false, take_keep },
	{ 0 },
};

static void take_step(struct reader *reader, const struct yaml_node *item)
{
	struct runbook *runbook = reader->runbook;
	struct runbook_step *step;

	if (!expect(reader, item, YAML_MAPPING, _("a step")))
		return;
	step = grow(reader, &runbook->steps, &runbook->n_steps, sizeof(*step));
	if (!step)
		return;
	step->at = item->at;
	step->restores = SIZE_MAX;
	step->id = keep_text(reader, ""); /* no id: nothing refers to it */
	if (reader->oom)
		return;
	keys_take(reader, item, step_keys, _("a step"), step);
	if (!reader->oom)
		check_required(reader, step);
}

static void check_step_references(struct reader *reader, size_t index)
{
	const struct runbook_step *step = &reader->runbook->steps[index];

	for (size_t i = 0; i < step->n_params; i++) {
		const char *const *items = (const char *const *)step->params[i].value.items;

		for (size_t j = 0; items && items[j]; j++)
			check_references(reader, step->params[i].value.places[j], items[j], index);
	}
}

void take_steps(struct reader *reader, const struct yaml_node *value, void *into)
{
	(void)into;
	if (!expect(reader, value, YAML_SEQUENCE, "steps"))
		return;
	if (!value->n)
		diagnostics_add(reader->diags, value->at, _("steps: the list is empty"));
	for (size_t i = 0; i < value->n && !reader->oom; i++)
		take_step(reader, value->items[i]);
	/* Only now is it known which steps there are. */
	for (size_t i = 0; i < reader->runbook->n_steps && !reader->oom; i++) {
		check_step_references(reader, i);
		check_when(reader, i);
	}
	if (!reader->oom)
		check_boundary(reader);
}

/* SPDX-License-Identifier: MIT */
/* `with:`, a step's parameters, by the rows of its kind. */
#include <string.h>

#include "base/intl.h"
#include "runbook/reader.h"
#include "runbook/reference.h"

/* `what` says in a message what an unknown word should have been. */
static const struct param_row *find_row(struct reader *reader, const struct param_row *rows,
					const char *what, const struct yaml_node *key)
{
	const char *words[64];
	size_t n = 0;

	for (const struct param_row *row = rows; row && row->name; row++) {
		if (!strcmp(row->name, key->text))
			return row;
		if (n < ELEMENTS(words))
			words[n++] = row->name;
	}
	unknown_word(reader, key->at, what, key->text, words, n);
	return NULL;
}

static const struct param_row *find_param(struct reader *reader, const struct kind *kind,
					  const struct yaml_node *key)
{
	if (kind->params && kind->params->name)
		return find_row(reader, kind->params, _("parameter"), key);
	diagnostics_add(reader->diags, key->at, _("the kind %s takes no parameters"), kind->name);
	return NULL;
}

/* A variable of another type cannot become right whatever its value. */
static void check_var_type(struct reader *reader, const struct yaml_node *item,
			   const struct piece *piece, const struct param_row *row)
{
	const struct runbook_var *var = runbook_var_find(reader->runbook, piece->name);
	enum param_type wanted = param_item_type(row->type), given;

	if (!var)
		return;
	given = var_param_type(var->type);
	if (given != wanted && given != PARAM_STRING && wanted != PARAM_STRING)
		diagnostics_add(reader->diags, item->at,
				_("%s: the variable '%s' is of type %s; %s is asked for"),
				row->name, var->name, param_type_name(given),
				param_type_name(wanted));
}

static void check_item(struct reader *reader, const struct yaml_node *item,
		       const struct param_row *row)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	struct piece piece;

	if (is_var_reference(item->text, &piece))
		check_var_type(reader, item, &piece, row);
	else if (!has_reference(item->text) && param_check_row(row, item->text, &why))
		diagnostics_add(reader->diags, item->at, "%s: %s", row->name, error_text(&why));
}

/* Room for `n` items at once: growing by one costs quadratic time. */
static bool make_room(struct reader *reader, struct runbook_value *value, size_t n)
{
	value->items = calloc(n + 1, sizeof(*value->items));
	value->places = calloc(n + 1, sizeof(*value->places));
	reader->oom |= !value->items || !value->places;
	return !reader->oom;
}

static void add_item(struct reader *reader, const struct yaml_node *item,
		     const struct param_row *row, struct runbook_value *value, size_t *n)
{
	if (!expect(reader, item, YAML_SCALAR, row->name))
		return;
	if (!*item->text && !item->quoted) {
		diagnostics_add(reader->diags, item->at,
				_("%s: the value is missing; \"\" is the empty text"), row->name);
		return;
	}
	check_item(reader, item, row);
	value->places[*n] = item->at;
	value->items[(*n)++] = keep_text(reader, item->text);
}

static void say_empty(struct reader *reader, const struct yaml_node *node,
		      const struct param_row *row)
{
	diagnostics_add(reader->diags, node->at,
			_("%s: the list is empty; leave the parameter out, or name one"),
			row->name);
}

/* Has the entry the word for which this row is required? */
static bool is_asked_for(const struct yaml_node *node, const struct param_row *sub)
{
	AUTO_BUF key = BUF_INIT;
	const char *equals = strchr(sub->required_with, '=');
	const struct yaml_node *value;

	buf_add(&key, sub->required_with, (size_t)(equals - sub->required_with));
	value = mapping_get(node, buf_text(&key));
	return value && value->type == YAML_SCALAR && strcmp(value->text, equals + 1) == 0;
}

/* What of the entry's rows must be there and is not. */
static void check_entry(struct reader *reader, const struct yaml_node *node,
			const struct param_row *row)
{
	for (const struct param_row *sub = row->entry; sub->name; sub++)
		if (sub->required_with && is_asked_for(node, sub) && !mapping_get(node, sub->name))
			diagnostics_add(reader->diags, node->at,
					_("%s: an entry with '%s' needs the key '%s' (%s): %s"),
					row->name, sub->required_with, sub->name,
					param_type_name(sub->type), _(sub->help));
	for (const struct param_row *sub = row->entry; sub->name; sub++)
		if (sub->required && !mapping_get(node, sub->name))
			diagnostics_add(reader->diags, node->at,
					_("%s: an entry needs the key '%s' (%s): %s"), row->name,
					sub->name, param_type_name(sub->type), _(sub->help));
}

static void take_entry(struct reader *reader, const struct yaml_node *node,
		       const struct param_row *row, struct runbook_value *value, size_t *n)
{
	AUTO_BUF what = BUF_INIT;

	if (!expect(reader, node, YAML_MAPPING, row->name))
		return;
	buf_addf(&what, _("key of %s"), row->name);
	for (size_t i = 0; i < node->n && !reader->oom; i += 2) {
		const struct yaml_node *key = node->items[i];
		const struct param_row *sub = NULL;

		if (key->type == YAML_SCALAR)
			sub = find_row(reader, row->entry, buf_text(&what), key);
		if (!sub)
			continue;
		value->cells[*n] = (struct runbook_cell){ value->n_entries, sub };
		add_item(reader, node->items[i + 1], sub, value, n);
	}
	check_entry(reader, node, row);
	value->n_entries++;
}

static void take_entries(struct reader *reader, const struct yaml_node *node,
			 const struct param_row *row, struct runbook_value *value)
{
	size_t n = 0;

	if (!expect(reader, node, YAML_SEQUENCE, row->name))
		return;
	if (!node->n)
		say_empty(reader, node, row);
	for (size_t i = 0; i < node->n; i++)
		n += node->items[i]->n / 2;
	value->cells = calloc(n + 1, sizeof(*value->cells));
	reader->oom |= !value->cells;
	if (reader->oom || !make_room(reader, value, n))
		return;
	n = 0;
	for (size_t i = 0; i < node->n && !reader->oom; i++)
		take_entry(reader, node->items[i], row, value, &n);
}

static void take_list(struct reader *reader, const struct yaml_node *node,
		      const struct param_row *row, struct runbook_value *value)
{
	size_t n = 0;

	if (node->type == YAML_SCALAR) {
		diagnostics_add(reader->diags, node->at,
				_("%s: a list is asked for: [%.80s]; its items are of type %s"),
				row->name, node->text, param_type_name(param_item_type(row->type)));
		return;
	}
	if (!expect(reader, node, YAML_SEQUENCE, row->name))
		return;
	if (!node->n)
		say_empty(reader, node, row);
	if (!make_room(reader, value, node->n))
		return;
	for (size_t i = 0; i < node->n && !reader->oom; i++)
		add_item(reader, node->items[i], row, value, &n);
}

static void take_value(struct reader *reader, const struct yaml_node *node,
		       const struct param_row *row, struct runbook_value *value)
{
	size_t n = 0;

	value->at = node->at;
	value->is_list = param_is_list(row->type);
	if (row->type == PARAM_ENTRIES)
		take_entries(reader, node, row, value);
	else if (value->is_list)
		take_list(reader, node, row, value);
	else if (make_room(reader, value, 1))
		add_item(reader, node, row, value, &n);
}

void take_params(struct reader *reader, const struct yaml_node *value, void *into)
{
	struct runbook_step *step = into;

	if (!expect(reader, value, YAML_MAPPING, "with") || !step->kind)
		return;
	for (size_t i = 0; i < value->n && !reader->oom; i += 2) {
		const struct yaml_node *key = value->items[i];
		const struct param_row *row;
		struct runbook_param *param;

		row = key->type == YAML_SCALAR ? find_param(reader, step->kind, key) : NULL;
		if (!row)
			continue;
		param = grow(reader, &step->params, &step->n_params, sizeof(*param));
		if (!param)
			return;
		param->name = keep_text(reader, row->name);
		param->row = row;
		param->at = key->at;
		take_value(reader, value->items[i + 1], row, &param->value);
	}
}

void check_required(struct reader *reader, const struct runbook_step *step)
{
	const struct param_row *row = step->kind ? step->kind->params : NULL;

	for (; row && row->name; row++) {
		size_t i = 0;

		while (i < step->n_params && step->params[i].row != row)
			i++;
		if (row->required && i == step->n_params)
			diagnostics_add(reader->diags, step->at,
					_("%s needs the parameter '%s' (%s): %s"), step->kind->name,
					row->name, param_type_name(row->type), _(row->help));
	}
}

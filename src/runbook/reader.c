/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/intl.h"
#include "runbook/reader.h"
#include "runbook/reference.h"

const struct yaml_node *mapping_get(const struct yaml_node *mapping, const char *key)
{
	for (size_t i = 0; i < mapping->n; i += 2)
		if (mapping->items[i]->type == YAML_SCALAR && !strcmp(mapping->items[i]->text, key))
			return mapping->items[i + 1];
	return NULL;
}

void unknown_word(struct reader *reader, struct position at, const char *what, const char *word,
		  const char *const *words, size_t n)
{
	AUTO_BUF text = BUF_INIT;

	if (reader->diags->truncated)
		return;
	if (suggest(word, words, n, &text))
		reader->oom = true;
	/* TRANSLATORS: "unknown key 'tilte'; did you mean 'title'?" */
	diagnostics_add(reader->diags, at, _("unknown %s '%.80s'%s"), what, word, buf_text(&text));
}

static void report_unknown_keys(struct reader *reader, const struct yaml_node *mapping,
				const struct key_row *rows, const char *what)
{
	const char *words[16];
	AUTO_BUF text = BUF_INIT;
	size_t n = 0;

	for (; rows[n].name && n < ELEMENTS(words); n++)
		words[n] = rows[n].name;
	buf_addf(&text, _("key of %s"), what);
	for (size_t i = 0; i < mapping->n; i += 2) {
		const struct yaml_node *key = mapping->items[i];
		size_t row = 0;

		while (row < n && key->type == YAML_SCALAR && strcmp(words[row], key->text) != 0)
			row++;
		if (row == n)
			unknown_word(reader, key->at, buf_text(&text), key->text, words, n);
	}
}

void keys_take(struct reader *reader, const struct yaml_node *mapping, const struct key_row *rows,
	       const char *what, void *into)
{
	report_unknown_keys(reader, mapping, rows, what);
	for (const struct key_row *row = rows; row->name && !reader->oom; row++) {
		const struct yaml_node *value = mapping_get(mapping, row->name);

		if (value)
			row->take(reader, value, into);
		else if (row->required)
			diagnostics_add(reader->diags, mapping->at,
					_("%s: the key '%s' is missing"), what, row->name);
	}
}

bool expect(struct reader *reader, const struct yaml_node *node, enum yaml_type type,
	    const char *what)
{
	if (node->type == type)
		return true;
	if (node->type != YAML_REFUSED)
		diagnostics_add(reader->diags, node->at, _("%s: %s is asked for here, not %s"),
				what, yaml_type_name(type), yaml_type_name(node->type));
	return false;
}

const char *expect_text(struct reader *reader, const struct yaml_node *node, const char *what)
{
	if (!expect(reader, node, YAML_SCALAR, what))
		return NULL;
	if (*node->text)
		return node->text;
	diagnostics_add(reader->diags, node->at, _("%s: the value is missing"), what);
	return NULL;
}

void take_bool(struct reader *reader, const struct yaml_node *node, const char *what, bool *ret)
{
	const char *text = expect_text(reader, node, what);

	if (!text)
		return;
	*ret = !strcmp(text, "true");
	if (!*ret && strcmp(text, "false") != 0)
		diagnostics_add(reader->diags, node->at,
				_("%s: '%.80s' is neither 'true' nor 'false'"), what, text);
}

char *keep_text(struct reader *reader, const char *text)
{
	char *copy = strdup(text);

	reader->oom |= !copy;
	return copy;
}

void *grow(struct reader *reader, void *array_address, size_t *n, size_t size)
{
	char **array = array_address;
	char *grown = reallocarray(*array, *n + 1, size);

	if (!grown) {
		reader->oom = true;
		return NULL;
	}
	*array = grown;
	return memset(grown + size * (*n)++, 0, size);
}

bool id_is_valid(const char *text)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-");

	return len && !text[len] && len < REFERENCE_MAX;
}

static void check_var_reference(struct reader *reader, struct position at, const char *name)
{
	const struct runbook *runbook = reader->runbook;
	AUTO_FREE const char **words = NULL;

	if (runbook_var_find(runbook, name))
		return;
	words = calloc(runbook->n_vars + 1, sizeof(*words));
	if (!words) {
		reader->oom = true;
		return;
	}
	for (size_t i = 0; i < runbook->n_vars; i++)
		words[i] = runbook->vars[i].name;
	unknown_word(reader, at, _("variable"), name, words, runbook->n_vars);
}

static void unknown_output(struct reader *reader, struct position at, const struct kind *kind,
			   const char *name)
{
	const char *words[32];
	size_t n = 0;

	for (const struct output_row *row = kind->outputs; row && row->name; row++)
		if (n < ELEMENTS(words))
			words[n++] = row->name;
	if (n)
		unknown_word(reader, at, _("output"), name, words, n);
	else
		diagnostics_add(reader->diags, at, _("the kind %s has no outputs"), kind->name);
}

static void check_output_reference(struct reader *reader, struct position at,
				   const struct piece *piece, size_t step)
{
	const struct runbook *runbook = reader->runbook;
	size_t found = runbook_step_find(runbook, piece->step);
	const char *words[64];
	size_t n = 0;

	if (step == NO_STEP) {
		diagnostics_add(reader->diags, at,
				_("the work is planned before any step runs: only variables can "
				  "be named here"));
	} else if (found == runbook->n_steps) {
		for (; n < step && n < ELEMENTS(words); n++)
			words[n] = runbook->steps[n].id;
		unknown_word(reader, at, _("step"), piece->step, words, n);
	} else if (found >= step) {
		diagnostics_add(reader->diags, at,
				_("'%s' does not stand before this step: only outputs of earlier "
				  "steps are known"),
				piece->step);
	} else if (runbook->steps[found].kind &&
		   !kind_output(runbook->steps[found].kind, piece->name)) {
		unknown_output(reader, at, runbook->steps[found].kind, piece->name);
	}
}

void check_references(struct reader *reader, struct position at, const char *text, size_t step)
{
	struct piece piece;

	while (piece_next(&text, &piece) != PIECE_END && !reader->diags->truncated) {
		if (piece.type == PIECE_VAR)
			check_var_reference(reader, at, piece.name);
		else if (piece.type == PIECE_OUTPUT)
			check_output_reference(reader, at, &piece, step);
		else if (piece.type == PIECE_BAD)
			diagnostics_add(reader->diags, at,
					_("'${' begins a reference: ${NAME} or ${STEP.output}; "
					  "write '$${' for the two characters"));
	}
}

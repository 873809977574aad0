/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "runbook/reference.h"

static enum piece_type read_reference(const char **cursor, struct piece *ret)
{
	const char *name = *cursor + 2;
	size_t len = strcspn(name, "}");
	const char *dot = memchr(name, '.', len);
	size_t step_len = dot ? (size_t)(dot - name) : 0;
	size_t name_len = dot ? len - step_len - 1 : len;

	if (!name[len] || !name_len || (dot && !step_len) || name_len >= REFERENCE_MAX ||
	    step_len >= REFERENCE_MAX) {
		*cursor += strlen(*cursor);
		return ret->type = PIECE_BAD;
	}
	memcpy(ret->step, name, step_len);
	ret->step[step_len] = '\0';
	memcpy(ret->name, dot ? dot + 1 : name, name_len);
	ret->name[name_len] = '\0';
	*cursor = name + len + 1;
	return ret->type = dot ? PIECE_OUTPUT : PIECE_VAR;
}

enum piece_type piece_next(const char **cursor, struct piece *ret)
{
	const char *start = *cursor, *end;

	if (!*start)
		return ret->type = PIECE_END;
	if (!strncmp(start, "${", 2))
		return read_reference(cursor, ret);
	ret->literal = start;
	if (!strncmp(start, "$${", 3)) {
		ret->literal = start + 1;
		end = start + 3;
	} else {
		end = start + 1 + strcspn(start + 1, "$");
	}
	ret->len = (size_t)(end - ret->literal);
	*cursor = end;
	return ret->type = PIECE_LITERAL;
}

bool has_reference(const char *text)
{
	struct piece piece;

	while (piece_next(&text, &piece) != PIECE_END)
		if (piece.type != PIECE_LITERAL)
			return true;
	return false;
}

bool is_var_reference(const char *text, struct piece *ret)
{
	return piece_next(&text, ret) == PIECE_VAR && !*text;
}

const struct runbook_var *runbook_var_find(const struct runbook *runbook, const char *name)
{
	for (size_t i = 0; i < runbook->n_vars; i++)
		if (!strcmp(runbook->vars[i].name, name))
			return &runbook->vars[i];
	return NULL;
}

size_t runbook_step_find(const struct runbook *runbook, const char *id)
{
	size_t i = 0;

	while (i < runbook->n_steps && strcmp(runbook->steps[i].id, id) != 0)
		i++;
	return i;
}

const struct output_row *kind_output(const struct kind *kind, const char *name)
{
	for (const struct output_row *row = kind->outputs; row && row->name; row++)
		if (!strcmp(row->name, name))
			return row;
	return NULL;
}

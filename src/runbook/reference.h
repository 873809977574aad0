/* SPDX-License-Identifier: MIT */
/*
 * `${NAME}` and `${STEP.name}` in a runbook's texts.
 *
 * A text is walked piece by piece: literal text, or one reference.  `$${` is
 * the literal `${`; any other `$` stands for itself.
 */
#ifndef COLDSWAP_RUNBOOK_REFERENCE_H
#define COLDSWAP_RUNBOOK_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "runbook.h"

#define REFERENCE_MAX 64

enum piece_type { PIECE_END, PIECE_LITERAL, PIECE_VAR, PIECE_OUTPUT, PIECE_BAD };

struct piece {
	enum piece_type type;
	const char *literal; /* of PIECE_LITERAL */
	size_t len;
	char name[REFERENCE_MAX]; /* the variable, or the output */
	char step[REFERENCE_MAX]; /* of PIECE_OUTPUT */
};

/* Read the next piece and move `cursor` past it. */
enum piece_type piece_next(const char **cursor, struct piece *ret);

/* Has the text a reference at all? */
bool has_reference(const char *text);
/* Is the text one reference to a variable and nothing else? */
bool is_var_reference(const char *text, struct piece *ret);

const struct runbook_var *runbook_var_find(const struct runbook *runbook, const char *name);
/* The step's index, or n_steps. */
size_t runbook_step_find(const struct runbook *runbook, const char *id);
const struct output_row *kind_output(const struct kind *kind, const char *name);

#endif

/* SPDX-License-Identifier: MIT */
/* What is wrong with a runbook, all of it, in the order of the file. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "base/text.h"
#include "runbook.h"

#define DIAGNOSTICS_MAX 100

void diagnostics_add(struct diagnostics *diags, struct position at, const char *fmt, ...)
{
	struct diagnostic *grown;
	va_list args;

	if (diags->n == DIAGNOSTICS_MAX) {
		diags->truncated = true;
		return;
	}
	grown = reallocarray(diags->items, diags->n + 1, sizeof(*grown));
	if (!grown) {
		diags->failed = -ENOMEM;
		return;
	}
	diags->items = grown;
	grown[diags->n].at = at;
	va_start(args, fmt);
	if (vasprintf(&grown[diags->n].message, fmt, args) < 0)
		diags->failed = -ENOMEM;
	else
		diags->n++;
	va_end(args);
}

/* The order of the file; what was found first comes first on one spot. */
static int compare(const void *a, const void *b)
{
	const struct diagnostic *const *x = a;
	const struct diagnostic *const *y = b;

	if ((*x)->at.line != (*y)->at.line)
		return (*x)->at.line < (*y)->at.line ? -1 : 1;
	if ((*x)->at.column != (*y)->at.column)
		return (*x)->at.column < (*y)->at.column ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

int diagnostics_print(const struct diagnostics *diags, struct buf *ret)
{
	const struct diagnostic *sorted[DIAGNOSTICS_MAX];

	for (size_t i = 0; i < diags->n; i++)
		sorted[i] = &diags->items[i];
	qsort(sorted, diags->n, sizeof(*sorted), compare);
	for (size_t i = 0; i < diags->n; i++) {
		if (sorted[i]->at.line) {
			text_inert(diags->file ? diags->file : "-", ret);
			buf_addf(ret, ":%u:%u: ", sorted[i]->at.line, sorted[i]->at.column);
		}
		text_inert(sorted[i]->message, ret);
		buf_addc(ret, '\n');
	}
	if (diags->truncated)
		buf_addf(ret, _("Only the first %d errors are shown.\n"), DIAGNOSTICS_MAX);
	return buf_error(ret);
}

void diagnostics_done(struct diagnostics *diags)
{
	for (size_t i = 0; i < diags->n; i++)
		free(diags->items[i].message);
	free(diags->items);
	free(diags->file);
	*diags = (struct diagnostics){ 0 };
}

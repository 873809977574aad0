/* SPDX-License-Identifier: MIT */
/* `when: [not ]FACT` and `when: [not ]STEP.output`. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "probe/facts.h"
#include "runbook/reader.h"
#include "runbook/reference.h"
#include "runbook/when.h"

int when_parse(const char *text, struct when *ret)
{
	const char *dot;
	size_t len;

	*ret = (struct when){ 0 };
	if (!strncmp(text, "not ", 4)) {
		ret->negated = true;
		text += 4;
	}
	dot = strchr(text, '.');
	len = dot ? (size_t)(dot - text) : 0;
	if (len >= sizeof(ret->step) || strlen(text + len) >= sizeof(ret->name) ||
	    (dot && (!len || !dot[1])) || !*text || strpbrk(text, " \t\n"))
		return -EINVAL;
	memcpy(ret->step, text, len);
	snprintf(ret->name, sizeof(ret->name), "%s", dot ? dot + 1 : text);
	return 0;
}

static void check_fact(struct reader *reader, struct position at, const char *name)
{
	const struct fact_row *row;
	const char *words[64];
	size_t n = 0;

	if (fact_find(name))
		return;
	for (; n < ELEMENTS(words) && (row = fact_at(n)); n++)
		words[n] = row->name;
	unknown_word(reader, at, _("fact"), name, words, n);
}

void check_when(struct reader *reader, size_t index)
{
	const struct runbook_step *step = &reader->runbook->steps[index];
	const struct output_row *row;
	struct position at = step->when_at;
	char reference[2 * REFERENCE_MAX + 4];
	struct when when;
	size_t from;

	if (!step->when)
		return;
	if (when_parse(step->when, &when)) {
		diagnostics_add(reader->diags, at,
				_("when: '%.80s' is neither a fact nor STEP.output, with or "
				  "without 'not ' before it"),
				step->when);
		return;
	}
	if (!*when.step) {
		check_fact(reader, at, when.name);
		return;
	}
	snprintf(reference, sizeof(reference), "${%s.%s}", when.step, when.name);
	check_references(reader, at, reference, index);
	from = runbook_step_find(reader->runbook, when.step);
	if (from >= index || !reader->runbook->steps[from].kind)
		return;
	row = kind_output(reader->runbook->steps[from].kind, when.name);
	if (row && row->type != OUTPUT_BOOL)
		diagnostics_add(reader->diags, at,
				_("when: the output '%s' of '%s' is not true or false"), when.name,
				when.step);
}

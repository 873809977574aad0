/* SPDX-License-Identifier: MIT */
/*
 * Writes the kinds as mdoc, for the line @KINDS@ of a manual page.  Runs at
 * build time: what the manual says of a kind is what its rows say.
 */
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "step.h"

#define COLUMNS 76

static void put_word(const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (word[i] == '\\')
			fputs("\\e", stdout);
		else
			putchar(word[i]);
}

/* Filled to lines; a sentence begins on a line of its own, as mdoc wants it. */
static void put_text(const char *text)
{
	size_t column = 0;
	bool ends = true; /* of a sentence, and so of a line */

	while (*(text += strspn(text, " \n"))) {
		size_t len = strcspn(text, " \n");

		if (column && (ends || column + 1 + len > COLUMNS)) {
			putchar('\n');
			column = 0;
		}
		if (column)
			putchar(' ');
		else if (*text == '.' || *text == '\'')
			fputs("\\&", stdout);
		put_word(text, len);
		column += len + 1;
		ends = strchr(".!?", text[len - 1]) != NULL;
		text += len;
	}
	putchar('\n');
}

static void put_params(const struct kind *kind)
{
	const struct param_row *row = kind->params;

	if (!row || !row->name) {
		puts(".Pp\nIt takes no parameters.");
		return;
	}
	puts(".Bl -tag -width Ds");
	for (; row->name; row++) {
		printf(".It Cm %s Pq Em %s\n", row->name, param_type_name(row->type));
		put_text(row->help);
		if (row->required)
			puts("Required.");
		else if (row->fallback)
			printf("The default is\n.Ql %s .\n", row->fallback);
	}
	puts(".El");
}

static void put_outputs(const struct kind *kind)
{
	static const char *const types[] = {
		[OUTPUT_BOOL] = "bool",
		[OUTPUT_INT] = "int",
		[OUTPUT_STRING] = "string",
	};
	const struct output_row *row = kind->outputs;

	if (!row || !row->name)
		return;
	puts(".Pp\nOutputs:\n.Bl -tag -width Ds");
	for (; row->name; row++) {
		printf(".It Va %s Pq Em %s\n", row->name, types[row->type]);
		put_text(row->help);
	}
	puts(".El");
}

static void put_findings(const struct kind *kind)
{
	const struct finding_row *row = kind->findings;

	if (!row || !row->id)
		return;
	puts(".Pp\nFindings:");
	for (; row->id; row++)
		printf(".Ql %s%s\n", row->id, row[1].id ? " ," : " .");
}

int main(void)
{
	const struct kind *kind;

	for (size_t i = 0; (kind = kind_at(i)); i++) {
		printf(".Ss %s\n", kind->name);
		put_text(kind->help);
		printf("Its class is %s.\n", kind_class_name(kind->class));
		if (kind->flags & KIND_NEEDS_ROOT)
			puts("Without root the result is unknown.");
		put_params(kind);
		put_outputs(kind);
		put_findings(kind);
	}
	return fflush(stdout) ? 1 : 0;
}

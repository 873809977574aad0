/* SPDX-License-Identifier: MIT */
/*
 * Writes the kinds as mdoc, for the line @KINDS@ of a manual page, or as
 * Markdown, for docs/kinds.md.  Runs at build time: what is said of a kind is
 * what its rows say.
 */
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "step.h"

#define COLUMNS 76
#define MARKDOWN_COLUMNS 120

static const char *const output_types[] = {
	[OUTPUT_BOOL] = "bool",
	[OUTPUT_INT] = "int",
	[OUTPUT_STRING] = "string",
};

/* ---- mdoc ------------------------------------------------------------------- */

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

static void put_words(const char *const *words)
{
	fputs("One of", stdout);
	for (; *words; words++)
		printf("\n.Ql %s %s", *words, words[1] ? "," : ".");
	putchar('\n');
}

static void put_rows(const struct param_row *row)
{
	puts(".Bl -tag -width Ds");
	for (; row->name; row++) {
		printf(".It Cm %s Pq Em %s\n", row->name, param_type_name(row->type));
		put_text(row->help);
		if (row->words)
			put_words(row->words);
		if (row->required)
			puts("Required.");
		else if (row->fallback)
			printf("The default is\n.Ql %s .\n", row->fallback);
		if (row->entry) {
			puts("The keys of an entry:");
			put_rows(row->entry);
		}
	}
	puts(".El");
}

static void put_params(const struct kind *kind)
{
	if (kind->params && kind->params->name)
		put_rows(kind->params);
	else
		puts(".Pp\nIt takes no parameters.");
}

static void put_outputs(const struct kind *kind)
{
	const struct output_row *row = kind->outputs;

	if (!row || !row->name)
		return;
	puts(".Pp\nOutputs:\n.Bl -tag -width Ds");
	for (; row->name; row++) {
		printf(".It Va %s Pq Em %s\n", row->name, output_types[row->type]);
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

static void put_kind(const struct kind *kind)
{
	printf(".Ss %s\n", kind->name);
	put_text(kind->help);
	printf("Its class is %s.\n", kind_class_name(kind->class));
	if (kind->flags & KIND_NEEDS_ROOT)
		puts("On the running system it takes root to ask the devices:\n"
		     "without root what they would tell is unknown.");
	put_params(kind);
	put_outputs(kind);
	put_findings(kind);
}

static void put_mdoc(void)
{
	const struct kind *kind;

	for (size_t i = 0; (kind = kind_at(i)); i++)
		put_kind(kind);
}

/* ---- Markdown --------------------------------------------------------------- */

/* What `backquotes` enclose is left as it is; elsewhere no character is markup. */
static void md_word(const char *word, size_t len, bool *code)
{
	for (size_t i = 0; i < len; i++) {
		if (word[i] == '`')
			*code = !*code;
		else if (word[i] == '|' || (!*code && strchr("*<[\\", word[i])))
			putchar('\\');
		putchar(word[i]);
	}
}

static void md_cell(const char *text)
{
	bool code = false;

	md_word(text, strlen(text), &code);
}

/* Filled to lines that go on at `indent`; `column` is where the text begins. */
static void md_fill(const char *text, size_t indent, size_t column)
{
	bool first = true, code = false;

	while (*(text += strspn(text, " \n"))) {
		size_t len = strcspn(text, " \n");

		if (!first && column + 1 + len > MARKDOWN_COLUMNS) {
			printf("\n%*s", (int)indent, "");
			column = indent;
			first = true;
		}
		if (!first)
			putchar(' ');
		md_word(text, len, &code);
		column += len + !first;
		first = false;
		text += len;
	}
	putchar('\n');
}

/* The keys of an entry follow the parameter as `parameter`.`key`. */
static void md_rows(const struct param_row *row, const char *of)
{
	for (; row->name; row++) {
		printf("| `%s%s%s` | %s | ", of ? of : "", of ? "." : "", row->name,
		       param_type_name(row->type));
		if (row->required)
			fputs("must be given", stdout);
		else if (row->fallback)
			printf("`%s`", row->fallback);
		fputs(" | ", stdout);
		md_cell(row->help);
		for (size_t i = 0; row->words && row->words[i]; i++)
			printf("%s`%s`", i ? ", " : " One of ", row->words[i]);
		puts(" |");
		if (row->entry)
			md_rows(row->entry, row->name);
	}
}

static void md_params(const struct kind *kind)
{
	if (!kind->params || !kind->params->name) {
		puts("\nIt takes no parameters.");
		return;
	}
	puts("\n| parameter | type | default | what it is |\n|---|---|---|---|");
	md_rows(kind->params, NULL);
}

static void md_outputs(const struct kind *kind)
{
	const struct output_row *row = kind->outputs;

	if (!row || !row->name)
		return;
	puts("\n| output | type | what it is |\n|---|---|---|");
	for (; row->name; row++) {
		printf("| `%s` | %s | ", row->name, output_types[row->type]);
		md_cell(row->help);
		puts(" |");
	}
}

static void md_sentence(const char *label, const char *text)
{
	if (!text)
		return;
	printf("  *%s:* ", label);
	md_fill(text, 2, strlen(label) + 6);
}

static void md_findings(const struct kind *kind)
{
	const struct finding_row *row = kind->findings;

	if (row && row->id)
		puts("\nWhat it can find:\n");
	for (; row && row->id; row++) {
		printf("- **%s**, ", row->id);
		md_cell(row->title);
		puts(":");
		fputs("  ", stdout);
		md_fill(row->means, 2, 2);
		md_sentence("Harm", row->harm);
		md_sentence("Mend", row->mend);
	}
}

static void md_kind(const struct kind *kind)
{
	printf("\n## %s\n\n", kind->name);
	md_fill(kind->help, 0, 0);
	printf("\n%s %s; ", kind->class == KIND_ACTION ? "An" : "A", kind_class_name(kind->class));
	if (kind->deadline_s)
		printf("it may take %u s", kind->deadline_s);
	else
		fputs("it waits as long as it takes", stdout);
	if (kind->flags & KIND_VOLATILE)
		fputs("; true at its time stamp only", stdout);
	if (kind->flags & KIND_AFTER)
		fputs("; stands after the boundary", stdout);
	if (kind->flags & KIND_NEEDS_ROOT)
		fputs("; takes root to ask the devices of the running system", stdout);
	puts(".");
	md_params(kind);
	md_outputs(kind);
	md_findings(kind);
}

static void put_markdown(void)
{
	const struct kind *kind;

	puts("# Kinds\n\n"
	     "`make docs` writes this page from the rows of `src/step`. `coldswap kinds KIND` and\n"
	     "`coldswap explain FINDING` say the same on a terminal.\n\n"
	     "| kind | class | what it looks at |\n|---|---|---|");
	for (size_t i = 0; (kind = kind_at(i)); i++) {
		printf("| [%s](#%.*s%s) | %s | ", kind->name, (int)strcspn(kind->name, "."),
		       kind->name, kind->name + strcspn(kind->name, ".") + 1,
		       kind_class_name(kind->class));
		md_cell(kind->title);
		puts(" |");
	}
	for (size_t i = 0; (kind = kind_at(i)); i++)
		md_kind(kind);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*put)(void);
	} forms[] = {
		{ "mdoc", put_mdoc },
		{ "markdown", put_markdown },
	};

	for (size_t i = 0; argc == 2 && i < ELEMENTS(forms); i++) {
		if (strcmp(argv[1], forms[i].name) != 0)
			continue;
		forms[i].put();
		return fflush(stdout) ? 1 : 0;
	}
	fputs("usage: kindtable mdoc|markdown\n", stderr);
	return 2;
}

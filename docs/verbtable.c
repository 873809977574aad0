/* SPDX-License-Identifier: MIT */
/*
 * Writes the verbs, the options or the kinds as mdoc, for a line @VERBS@,
 * @OPTIONS@ or @KINDLIST@ of a manual page.  Runs at build time: the manual
 * says what the program's own rows say.
 */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "step.h"

/* A sentence begins on a line of its own, as mdoc wants it. */
static void put_text(const char *text)
{
	for (; *text; text++) {
		if (*text == ' ' && strchr(".!?", text[-1])) {
			putchar('\n');
			continue;
		}
		if (*text == '\\')
			fputs("\\e", stdout);
		else
			putchar(*text);
	}
	putchar('\n');
}

/* "KIND [KEY=VALUE...]" -> "Ar KIND Op Ar KEY=VALUE ..." */
static void put_args(const char *args)
{
	while (*(args += strspn(args, " "))) {
		size_t len = strcspn(args, " ");
		bool optional = args[0] == '[';
		size_t name = strcspn(args + optional, ".] ");

		printf(optional ? " Op Ar %.*s" : " Ar %.*s", (int)name, args + optional);
		if (memmem(args, len, "...", 3))
			fputs(" ...", stdout);
		args += len;
	}
}

static void put_verbs(void)
{
	const struct verb *verb;

	puts(".Bl -tag -width Ds");
	for (size_t i = 0; (verb = verb_at(i)); i++) {
		printf(".It Cm %s", verb->name);
		put_args(verb->args);
		putchar('\n');
		put_text(verb->help);
	}
	puts(".El");
}

/* "audit, plan and check", when an option is not for all. */
static void put_verbs_of(const struct option_row *row)
{
	const struct verb *verb;
	unsigned left = 0;

	for (size_t i = 0; (verb = verb_at(i)); i++)
		left += (row->verbs & (unsigned)verb->bit) != 0;
	if (row->verbs == VERB_ALL)
		return;
	puts("For");
	for (size_t i = 0; (verb = verb_at(i)); i++) {
		if (!(row->verbs & (unsigned)verb->bit))
			continue;
		left--;
		printf(".Cm %s%s\n", verb->name, left > 1 ? " ," : left ? "" : " .");
		if (left == 1)
			puts("and");
	}
}

static void put_options(void)
{
	const struct option_row *row;

	puts(".Bl -tag -width Ds");
	for (size_t i = 0; (row = option_at(i)); i++) {
		printf(".It Fl Fl %s", row->name);
		if (row->value)
			printf(" Ar %s", row->value);
		putchar('\n');
		put_text(row->help);
		if (row->repeatable)
			puts("May be given more than once.");
		put_verbs_of(row);
	}
	puts(".El");
}

static void put_kinds(void)
{
	const struct kind *kind;

	puts(".Bl -tag -width mounts.present");
	for (size_t i = 0; (kind = kind_at(i)); i++)
		printf(".It Cm %s\n%s: %s.\n", kind->name, kind_class_name(kind->class),
		       kind->title);
	puts(".El");
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*put)(void);
	} tables[] = {
		{ "verbs", put_verbs },
		{ "options", put_options },
		{ "kinds", put_kinds },
	};

	for (size_t i = 0; argc == 2 && i < ELEMENTS(tables); i++) {
		if (strcmp(argv[1], tables[i].name) != 0)
			continue;
		tables[i].put();
		return fflush(stdout) ? 1 : 0;
	}
	fputs("usage: verbtable verbs|options|kinds\n", stderr);
	return 2;
}

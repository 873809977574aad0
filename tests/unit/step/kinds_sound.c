/* SPDX-License-Identifier: MIT */
/* Each rule of a kind, broken once. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "step/kinds.h"

static int describe(const void *params, struct buf *ret)
{
	(void)params;
	return buf_adds(ret, "do it");
}

static int run(const struct step *step, const void *params, struct result *ret, struct error *err)
{
	(void)step;
	(void)params;
	(void)ret;
	(void)err;
	return 0;
}

static int verify(const struct step *step, const void *params, enum effect effect,
		  enum standing *ret_standing, struct result *ret, struct error *err)
{
	(void)step;
	(void)params;
	(void)effect;
	(void)ret;
	(void)err;
	*ret_standing = STANDING_YES;
	return 0;
}

static const struct param_row params[] = { { .name = "unit", .help = "The unit." }, { 0 } };
static const struct output_row outputs[] = { { "n", OUTPUT_INT, "Number." }, { 0 } };
static const struct finding_row findings[] = {
	{ .id = "good", .title = "good", .means = "Good." },
	{ .id = "bad", .title = "bad", .means = "Bad.", .harm = "Harm.", .mend = "Mend." },
	{ 0 },
};

static struct kind action(void)
{
	return (struct kind){ .name = "a.action",
			      .class = KIND_ACTION,
			      .title = "an action",
			      .help = "An action.",
			      .deadline_s = 1,
			      .params_size = 8,
			      .params = params,
			      .outputs = outputs,
			      .findings = findings,
			      .describe = describe,
			      .run = run,
			      .verify = verify,
			      .undo = run,
			      .describe_undo = describe };
}

static struct kind check(void)
{
	struct kind kind = action();

	kind.class = KIND_CHECK;
	kind.verify = NULL;
	kind.undo = NULL;
	kind.describe_undo = NULL;
	return kind;
}

static struct kind gate(void)
{
	struct kind kind = check();

	kind.class = KIND_GATE;
	kind.deadline_s = 0;
	return kind;
}

static void expect_refused(const struct kind *kind, const char *words)
{
	CLEANUP(error_done) struct error err = ERROR_INIT;

	cr_expect_eq(kind_sound(kind, &err), -EINVAL, "%s", words);
	cr_expect(err.message && strstr(err.message, words), "said: %s", error_text(&err));
	cr_expect(err.message && strstr(err.message, kind->name ? kind->name : "?"));
	cr_expect_not_null(err.hint);
}

#define REFUSE(base, words, change)                                                                \
	({                                                                                         \
		struct kind kind = base();                                                         \
		change;                                                                            \
		expect_refused(&kind, words);                                                      \
	})

Test(kinds_sound, those_of_the_program_are)
{
	CLEANUP(error_done) struct error err = ERROR_INIT;

	cr_expect_eq(kinds_sound(&err), 0, "%s", error_text(&err));
}

Test(kinds_sound, whole_ones_are)
{
	const struct kind kinds[] = { action(), check(), gate() };

	for (size_t i = 0; i < ELEMENTS(kinds); i++)
		cr_expect_eq(kind_sound(&kinds[i], NULL), 0);
}

Test(kinds_sound, callbacks)
{
	REFUSE(action, "an action has no verify", kind.verify = NULL);
	REFUSE(action, "undo and describe_undo", kind.describe_undo = NULL);
	REFUSE(action, "undo and describe_undo", kind.undo = NULL);
	REFUSE(check, "what is no action", kind.verify = verify);
	REFUSE(gate, "what is no action", (kind.undo = run, kind.describe_undo = describe));
	REFUSE(check, "no describe", kind.describe = NULL);
	REFUSE(check, "no run", kind.run = NULL);
	REFUSE(action, "what is no action", kind.flags = KIND_RESTORE);
}

Test(kinds_sound, flags)
{
	REFUSE(check, "a boundary", kind.flags = KIND_BOUNDARY);
	REFUSE(check, "a restore", kind.flags = KIND_RESTORE);
	REFUSE(check, "what the boot verifies", kind.flags = KIND_AT_BOOT);
	REFUSE(gate, "what the boot verifies", kind.flags = KIND_AT_BOOT | KIND_AFTER);
	REFUSE(action, "what sets the boot up",
	       (kind.flags = KIND_SETS_BOOT, kind.undo = NULL, kind.describe_undo = NULL));
	REFUSE(gate, "deadline", kind.deadline_s = 5);
	REFUSE(check, "deadline", kind.deadline_s = 0);
}

Test(kinds_sound, entries)
{
	static const struct param_row key[] = { { .name = "path", .help = "X." }, { 0 } };
	static const struct param_row list[] = {
		{ .name = "path", .help = "X.", .type = PARAM_PATHS }, { 0 }
	};
	static const struct param_row no_help[] = { { .name = "path" }, { 0 } };
	const struct param_row sound = { .name = "sources",
					 .help = "X.",
					 .type = PARAM_ENTRIES,
					 .entry = key,
					 .entry_size = 8 };
	struct param_row rows[2] = { sound };
	struct kind kind = check();

	kind.params = rows;
	kind.params_size = sizeof(struct param_entries);
	cr_expect_eq(kind_sound(&kind, NULL), 0);
	rows[0].entry = list;
	expect_refused(&kind, "is a list");
	rows[0].entry = no_help;
	expect_refused(&kind, "no words");
	rows[0].entry = NULL;
	expect_refused(&kind, "rows of entries");
	rows[0] = sound;
	rows[0].type = PARAM_PATHS;
	expect_refused(&kind, "rows of entries");
	rows[0] = sound;
	rows[0].entry_size = 0;
	expect_refused(&kind, "rows of entries");
}

Test(kinds_sound, words)
{
	static const struct param_row no_help[] = { { .name = "unit" }, { 0 } };
	static const struct param_row no_place[] = { { .name = "unit", .help = "X.", .offset = 8 },
						     { 0 } };
	static const struct output_row no_words[] = { { "n", OUTPUT_INT, "" }, { 0 } };
	static const struct finding_row no_means[] = { { .id = "x", .title = "x" }, { 0 } };
	static const struct finding_row no_title[] = { { .id = "x", .means = "X." }, { 0 } };
	static const struct finding_row no_mend[] = {
		{ .id = "x", .title = "x", .means = "X.", .harm = "H." }, { 0 }
	};
	static const struct finding_row accepted[] = {
		{ .id = "x", .title = "x", .means = "X.", .acceptable = true }, { 0 }
	};

	REFUSE(check, "a parameter", kind.params = no_help);
	REFUSE(check, "a parameter", kind.params = no_place);
	REFUSE(check, "an output", kind.outputs = no_words);
	REFUSE(check, "a finding has no words", kind.findings = no_means);
	REFUSE(check, "a finding has no words", kind.findings = no_title);
	REFUSE(check, "harm and mend", kind.findings = no_mend);
	REFUSE(check, "harm and mend", kind.findings = accepted);
	REFUSE(check, "no table", kind.findings = NULL);
	REFUSE(check, "no table", kind.params = NULL);
	REFUSE(check, "no table", kind.outputs = NULL);
	REFUSE(check, "no name", kind.name = NULL);
	REFUSE(check, "no name", kind.title = "");
	REFUSE(check, "no name", kind.help = NULL);
}

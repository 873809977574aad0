/* SPDX-License-Identifier: MIT */
/* A parameter that is a list of mappings: each error at its place, and what a sound one becomes. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "runbook/reader.h"

struct source {
	char *path, *keep, *reason;
	bool deep;
};

struct sample {
	struct param_entries sources;
	char *to;
};

static const char *const keeps[] = { "irreplaceable", "recreatable", NULL };

static const struct param_row source_rows[] = {
	{ .name = "path",
	  .type = PARAM_PATH,
	  .required = true,
	  .offset = PARAM_OFFSET(source, path),
	  .help = "Where." },
	{ .name = "keep",
	  .type = PARAM_STRING,
	  .fallback = "irreplaceable",
	  .words = keeps,
	  .offset = PARAM_OFFSET(source, keep) },
	{ .name = "reason",
	  .type = PARAM_STRING,
	  .required_with = "keep=recreatable",
	  .offset = PARAM_OFFSET(source, reason),
	  .help = "Why." },
	{ .name = "deep", .type = PARAM_BOOL, .offset = PARAM_OFFSET(source, deep) },
	{ 0 },
};

static const struct param_row rows[] = {
	{ .name = "sources",
	  .type = PARAM_ENTRIES,
	  .entry = source_rows,
	  .entry_size = sizeof(struct source),
	  .offset = PARAM_OFFSET(sample, sources) },
	{ .name = "to", .type = PARAM_PATH, .offset = PARAM_OFFSET(sample, to) },
	{ 0 },
};

static const struct kind kind = {
	.name = "sample.kind",
	.params_size = sizeof(struct sample),
	.params = rows,
};

struct parsed {
	struct runbook runbook;
	struct diagnostics diags;
	char *errors;
};

static void parsed_done(struct parsed *parsed)
{
	for (size_t i = 0; i < parsed->runbook.steps[0].n_params; i++) {
		free(parsed->runbook.steps[0].params[i].name);
		runbook_value_done(&parsed->runbook.steps[0].params[i].value);
	}
	free(parsed->runbook.steps[0].params);
	free(parsed->runbook.steps);
	diagnostics_done(&parsed->diags);
	free(parsed->errors);
}
#define AUTO_PARSED CLEANUP(parsed_done) struct parsed

/* `text` is what stands below `with:`. */
static struct parsed parse(const char *text)
{
	CLEANUP(cleanup_yaml_node) struct yaml_node *root = NULL;
	struct parsed ret = { 0 };
	struct reader reader = { .runbook = &ret.runbook, .diags = &ret.diags };
	AUTO_BUF errors = BUF_INIT;

	ret.diags.file = strdup("f");
	ret.runbook.steps = calloc(1, sizeof(*ret.runbook.steps));
	ret.runbook.steps[0].kind = &kind;
	ret.runbook.n_steps = 1;
	yaml_read(text, strlen(text), &root, &ret.diags, NULL);
	cr_assert_not_null(root);
	take_params(&reader, root, &ret.runbook.steps[0]);
	reader.runbook = &ret.runbook;
	diagnostics_print(&ret.diags, &errors);
	cr_assert_not(reader.oom);
	ret.errors = buf_take(&errors);
	return ret;
}

static void refused(const char *text, const char *expected)
{
	AUTO_PARSED parsed = parse(text);

	cr_expect_str_eq(parsed.errors ? parsed.errors : "", expected,
			 "%s\n--- gives\n%s--- not\n%s", text, parsed.errors, expected);
}

Test(entries, each_error_at_its_place)
{
	refused("sources: []\n",
		"f:1:10: sources: the list is empty; leave the parameter out, or name one\n");
	refused("sources:\n  - {keep: irreplaceable}\n",
		"f:2:5: sources: an entry needs the key 'path' (path): Where.\n");
	refused("sources:\n  - {path: /a, keep: recreatable}\n",
		"f:2:5: sources: an entry with 'keep=recreatable' needs the key 'reason' "
		"(string): Why.\n");
	refused("sources:\n  - path: /a\n    keep: recreateable\n",
		"f:3:11: keep: 'recreateable' is no word for it; did you mean 'recreatable'? "
		"Allowed: irreplaceable, recreatable\n");
	refused("sources:\n  - path: /a\n    reasn: x\n",
		"f:3:5: unknown key of sources 'reasn'; did you mean 'reason'? "
		"Allowed: path, keep, reason, deep\n");
	refused("sources:\n  - path: [/a, /b]\n",
		"f:2:11: path: a text is asked for here, not a list\n");
	refused("sources:\n  - path: {a: b}\n",
		"f:2:11: path: a text is asked for here, not a mapping\n");
	refused("sources:\n  - /a\n", "f:2:5: sources: a mapping is asked for here, not a text\n");
	refused("sources: /a\n", "f:1:10: sources: a list is asked for here, not a text\n");
	refused("sources: {path: /a}\n",
		"f:1:10: sources: a list is asked for here, not a mapping\n");
	refused("sources:\n  - path: a/b\n", "f:2:11: path: 'a/b' is not an absolute path\n");
	refused("sources:\n  - {path: /a, deep: yes}\n",
		"f:2:22: deep: 'yes' is neither 'true' nor 'false'\n");
	refused("sources:\n  - path: /a\n    reason:\n",
		"f:3:12: reason: the value is missing; \"\" is the empty text\n");
	refused("to: [/a]\n", "f:1:5: to: a text is asked for here, not a list\n");
}

Test(entries, a_doubled_key_is_told_once)
{
	AUTO_PARSED parsed = parse("sources:\n  - path: /a\n    path: /b\n");

	cr_expect(!strncmp(parsed.errors, "f:3:5: ", 7), "%s", parsed.errors);
	cr_expect_eq(parsed.diags.n, 1, "%s", parsed.errors);
}

Test(entries, all_errors_in_one_pass)
{
	refused("sources:\n  - {path: a, keep: x}\n  - []\n  - {reason: r}\n",
		"f:2:12: path: 'a' is not an absolute path\n"
		"f:2:21: keep: 'x' is no word for it; allowed: irreplaceable, recreatable\n"
		"f:3:5: sources: a mapping is asked for here, not a list\n"
		"f:4:5: sources: an entry needs the key 'path' (path): Where.\n");
}

Test(entries, become_structs)
{
	AUTO_PARSED parsed =
		parse("sources:\n"
		      "  - path: /a//b/\n"
		      "  - {reason: from the registry, deep: true, keep: recreatable, path: /c}\n"
		      "to: /d\n");
	const struct runbook_step *step = &parsed.runbook.steps[0];
	const struct runbook_value *values[] = { NULL, NULL };
	const struct source *sources;
	struct sample sample;

	cr_assert_eq(parsed.diags.n, 0, "%s", parsed.errors);
	values[0] = &step->params[0].value;
	values[1] = &step->params[1].value;
	cr_assert_eq(params_parse(&kind, values, &sample, NULL), 0);
	sources = sample.sources.items;
	cr_assert_eq(sample.sources.n, 2);
	cr_expect_str_eq(sources[0].path, "/a/b");
	cr_expect_str_eq(sources[0].keep, "irreplaceable", "the fallback");
	cr_expect_null(sources[0].reason);
	cr_expect_not(sources[0].deep);
	cr_expect_str_eq(sources[1].path, "/c");
	cr_expect_str_eq(sources[1].keep, "recreatable");
	cr_expect_str_eq(sources[1].reason, "from the registry");
	cr_expect(sources[1].deep);
	cr_expect_str_eq(sample.to, "/d");
	params_done(&kind, &sample);
	cr_expect_eq(sample.sources.n, 0);
	cr_expect_null(sample.sources.items);
}

Test(entries, what_cannot_be_stored_frees_the_rest)
{
	CLEANUP(error_done) struct error err = ERROR_INIT;
	AUTO_PARSED parsed = parse("sources:\n  - path: ${a}\n  - path: /b\n  - path: ${c}\n");
	const struct runbook_value *values[] = { &parsed.runbook.steps[0].params[0].value, NULL };
	struct sample sample;

	cr_assert_eq(parsed.diags.n, 0, "a reference is checked when it is resolved");
	cr_assert_eq(params_parse(&kind, values, &sample, &err), -EINVAL);
	cr_expect_str_eq(err.message, "parameter 'sources': path: '${a}' is not an absolute path");
	cr_expect_null(sample.sources.items);
}

Test(entries, left_out)
{
	const struct runbook_value *values[] = { NULL, NULL };
	struct sample sample;

	cr_assert_eq(params_parse(&kind, values, &sample, NULL), 0);
	cr_expect_eq(sample.sources.n, 0);
	cr_expect_null(sample.sources.items);
	params_done(&kind, &sample);
}

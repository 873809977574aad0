/* SPDX-License-Identifier: MIT */
/* A runbook's top level; reading and freeing it. */
#include <errno.h>
#include <string.h>

#include "base/digest.h"
#include "base/intl.h"
#include "runbook/reader.h"

static void take_version(struct reader *reader, const struct yaml_node *value, void *into)
{
	const char *text = expect_text(reader, value, "coldswap");

	(void)into;
	if (text && strcmp(text, "1") != 0)
		diagnostics_add(reader->diags, value->at,
				_("coldswap: the runbook is of format '%.80s'; this coldswap reads "
				  "format 1"),
				text);
}

static void take_name(struct reader *reader, const struct yaml_node *value, void *into)
{
	struct runbook *runbook = into;
	const char *text = expect_text(reader, value, "name");

	if (!text)
		return;
	if (!id_is_valid(text))
		diagnostics_add(reader->diags, value->at,
				_("name: '%.80s' is not a word of a-z, 0-9 and '-', 63 at most"),
				text);
	runbook->name = keep_text(reader, text);
}

static void take_title(struct reader *reader, const struct yaml_node *value, void *into)
{
	struct runbook *runbook = into;
	const char *text = expect_text(reader, value, "title");

	if (text)
		runbook->title = keep_text(reader, text);
}

static const struct key_row runbook_keys[] = {
	{ "coldswap", true, take_version },
	{ "name", true, take_name },
	{ "title", false, take_title },
	{ "vars", false, take_vars },
	{ "work", false, take_work },
	{ "steps", true, take_steps },
	{ 0 },
};

static int read_tree(struct reader *reader, const struct yaml_node *root, struct error *err)
{
	struct runbook *runbook = reader->runbook;

	if (expect(reader, root, YAML_MAPPING, _("a runbook")))
		keys_take(reader, root, runbook_keys, _("a runbook"), runbook);
	if (!runbook->title && runbook->name)
		runbook->title = keep_text(reader, runbook->name);
	return reader->oom || reader->diags->failed ? error_oom(err) : 0;
}

int runbook_parse(const char *text, size_t len, const char *file, struct runbook **ret,
		  struct diagnostics *diags, struct error *err)
{
	CLEANUP(cleanup_yaml_node) struct yaml_node *root = NULL;
	CLEANUP(cleanup_runbook) struct runbook *runbook = calloc(1, sizeof(*runbook));
	struct reader reader = { .runbook = runbook, .diags = diags };
	int r;

	*ret = NULL;
	if (!runbook || !(runbook->file = strdup(file)))
		return error_oom(err);
	free(diags->file);
	diags->file = strdup(file);
	if (!diags->file)
		return error_oom(err);
	r = sha256_hex(text, len, runbook->sha256, err);
	if (r)
		return r;
	r = yaml_read(text, len, &root, diags, err);
	if (r && r != -EINVAL)
		return r;
	if (root) {
		r = read_tree(&reader, root, err);
		if (r)
			return r;
	}
	if (diagnostics_any(diags))
		return error_set(err, -EINVAL, _("%s is not a sound runbook"), file);
	*ret = TAKE(runbook);
	return 0;
}

static void step_done(struct runbook_step *step)
{
	for (size_t i = 0; i < step->n_params; i++) {
		free(step->params[i].name);
		runbook_value_done(&step->params[i].value);
	}
	free(step->params);
	free(step->id);
	free(step->title);
	free(step->when);
	free(step->timeout);
}

void runbook_free(struct runbook *runbook)
{
	if (!runbook)
		return;
	for (size_t i = 0; i < runbook->n_vars; i++) {
		free(runbook->vars[i].name);
		free(runbook->vars[i].help);
		free(runbook->vars[i].fallback);
	}
	for (size_t i = 0; i < runbook->n_work; i++) {
		free(runbook->work[i].disk);
		free(runbook->work[i].other);
		free(runbook->work[i].to);
	}
	for (size_t i = 0; i < runbook->n_steps; i++)
		step_done(&runbook->steps[i]);
	free(runbook->vars);
	free(runbook->work);
	free(runbook->steps);
	free(runbook->name);
	free(runbook->title);
	free(runbook->file);
	free(runbook);
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>

#include "base/intl.h"
#include "base/json.h"
#include "cli/scene.h"
#include "cli/talk.h"
#include "report/frontmatter.h"
#include "runbook.h"

static int add_diagnostic(json_t *list, const struct diagnostic *item)
{
	json_t *object = json_object();

	if (json_array_append_new(list, object) < 0 ||
	    json_object_set_new(object, "line", json_integer(item->at.line)) < 0 ||
	    json_object_set_new(object, "column", json_integer(item->at.column)) < 0)
		return -1;
	return json_set_text(object, "message", item->message);
}

static int add_diagnostics(json_t *document, const struct diagnostics *diags)
{
	json_t *list = json_array();

	if (json_object_set_new(document, "errors", list) < 0)
		return -1;
	for (size_t i = 0; i < diags->n; i++)
		if (add_diagnostic(list, &diags->items[i]) < 0)
			return -1;
	return json_object_set_new(document, "truncated", json_boolean(diags->truncated));
}

static int write_json(const char *path, const struct runbook *runbook,
		      const struct diagnostics *diags, struct buf *ret, struct error *err)
{
	AUTO_JSON document = NULL;
	int r = frontmatter_of("lint", NULL, NULL, &document, err);

	if (r < 0)
		return r;
	if (json_set_text(document, "file", path) < 0 ||
	    json_object_set_new(document, "valid", json_boolean(runbook != NULL)) < 0 ||
	    json_object_set_new(document, "steps",
				runbook ? json_integer((json_int_t)runbook->n_steps)
					: json_null()) < 0 ||
	    add_diagnostics(document, diags) < 0)
		return error_oom(err);
	return json_print(document, ret, err);
}

static int write_text(const struct call *call, const struct runbook *runbook,
		      const struct diagnostics *diags, struct buf *ret)
{
	if (runbook)
		return buf_addf(
			ret,
			PLURAL("%zu step, no errors\n", "%zu steps, no errors\n", runbook->n_steps),
			runbook->n_steps);
	if (!call->options.quiet)
		diagnostics_print(diags, ret);
	return buf_addf(ret, PLURAL("%zu error\n", "%zu errors\n", diags->n), diags->n);
}

int verb_lint(struct call *call)
{
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	CLEANUP(cleanup_runbook) struct runbook *runbook = NULL;
	AUTO_BUF text = BUF_INIT;
	struct error err = ERROR_INIT;
	int r = runbook_load(call->args[0], &runbook, &diags, &err);

	if (r < 0 && !diags.n)
		return scene_give_up(&err);
	error_done(&err);
	if (call->options.format == FORMAT_JSON)
		r = write_json(call->args[0], runbook, &diags, &text, &err);
	else
		r = write_text(call, runbook, &diags, &text);
	if (r < 0 && err.code < 0)
		return scene_give_up(&err);
	return talk_result(&text, runbook ? EXIT_SAFE : EXIT_USAGE);
}

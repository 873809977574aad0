/* SPDX-License-Identifier: MIT */
#include "base/intl.h"
#include "base/json.h"
#include "cli/kinds_json.h"
#include "cli/names.h"
#include "cli/rows.h"
#include "cli/scene.h"
#include "cli/talk.h"
#include "report/frontmatter.h"

static int write_json(const struct kind *kind, const struct finding_row *row, struct buf *ret,
		      struct error *err)
{
	AUTO_JSON document = NULL;
	json_t *list = json_array();
	int r = frontmatter_of("explain", NULL, NULL, &document, err);

	if (r < 0) {
		json_decref(list);
		return r;
	}
	if (json_object_set_new(document, "findings", list) < 0 ||
	    kinds_add_finding(list, kind, row) < 0)
		return error_oom(err);
	return json_print(document, ret, err);
}

static void part(struct page *page, const char *heading, const char *label, const char *text)
{
	if (!text)
		return;
	rows_heading(page, heading);
	rows_paragraph(page, label, _(text));
}

static int write_text(const struct call *call, const char *id, const struct finding_row *row,
		      struct buf *ret)
{
	struct page page = { &call->screen, ret };

	rows_item(&page, id, 0, _(row->title));
	part(&page, _("What it means"), "means", row->means);
	part(&page, _("How it hurts"), "harm", row->harm);
	part(&page, _("How to mend it"), "mend", row->mend);
	return buf_error(ret);
}

int verb_explain(struct call *call)
{
	AUTO_BUF text = BUF_INIT;
	struct error err = ERROR_INIT;
	const struct kind *kind;
	const struct finding_row *row = names_finding(call->args[0], &kind);
	int r;

	if (!row)
		return names_no_finding(call->args[0]);
	if (call->options.format == FORMAT_JSON)
		r = write_json(kind, row, &text, &err);
	else
		r = write_text(call, call->args[0], row, &text);
	if (r < 0 && err.code < 0)
		return scene_give_up(&err);
	return talk_result(&text, EXIT_SAFE);
}

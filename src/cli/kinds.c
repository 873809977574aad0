/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/intl.h"
#include "cli/kinds_json.h"
#include "cli/names.h"
#include "cli/rows.h"
#include "cli/scene.h"
#include "cli/talk.h"
#include "probe/facts.h"
#include "runbook.h"

#define NAME_COLUMNS 18

static void list_kinds(struct page *page)
{
	AUTO_BUF text = BUF_INIT;

	for (size_t i = 0; kind_at(i); i++) {
		const struct kind *kind = kind_at(i);

		buf_clear(&text);
		buf_addf(&text, "%s: %s", kind_class_name(kind->class), _(kind->title));
		rows_item(page, kind->name, NAME_COLUMNS, buf_text(&text));
	}
}

static void list_facts(struct page *page)
{
	for (size_t i = 0; fact_at(i); i++)
		rows_item(page, fact_at(i)->name, NAME_COLUMNS, _(fact_at(i)->help));
}

static void list_param(struct page *page, const struct param_row *row, const char *of)
{
	AUTO_BUF text = BUF_INIT, name = BUF_INIT;

	buf_addf(&name, "%s%s%s", of ? of : "", of ? "." : "", row->name);
	buf_addf(&text, "%s", param_type_name(row->type));
	if (row->required)
		buf_addf(&text, ", %s", _("required"));
	if (row->fallback)
		buf_addf(&text, _(", default '%s'"), row->fallback);
	for (size_t i = 0; row->words && row->words[i]; i++)
		buf_addf(&text, "%s%s", i ? " | " : ", ", row->words[i]);
	buf_addf(&text, ": %s", _(row->help));
	rows_item(page, buf_text(&name), NAME_COLUMNS, buf_text(&text));
}

static void list_params(struct page *page, const struct kind *kind)
{
	if (kind->params->name)
		rows_heading(page, _("Parameters"));
	for (const struct param_row *row = kind->params; row->name; row++) {
		list_param(page, row, NULL);
		for (const struct param_row *sub = row->entry; sub && sub->name; sub++)
			list_param(page, sub, row->name);
	}
}

static void list_outputs(struct page *page, const struct kind *kind)
{
	AUTO_BUF text = BUF_INIT;

	if (kind->outputs->name)
		rows_heading(page, _("Outputs"));
	for (const struct output_row *row = kind->outputs; row->name; row++) {
		buf_clear(&text);
		buf_addf(&text, "%s: %s", output_type_name(row->type), _(row->help));
		rows_item(page, row->name, NAME_COLUMNS, buf_text(&text));
	}
}

static size_t longer(size_t a, size_t b)
{
	return a > b ? a : b;
}

static void list_findings(struct page *page, const struct kind *kind)
{
	AUTO_BUF id = BUF_INIT;
	size_t columns = 0;

	for (const struct finding_row *row = kind->findings; row->id; row++)
		columns = longer(columns, strlen(kind->name) + 1 + strlen(row->id));
	if (kind->findings->id)
		rows_heading(page, _("Findings"));
	for (const struct finding_row *row = kind->findings; row->id; row++) {
		buf_clear(&id);
		buf_addf(&id, "%s/%s", kind->name, row->id);
		rows_item(page, buf_text(&id), (unsigned)columns, _(row->title));
	}
}

static void describe_kind(struct page *page, const struct kind *kind)
{
	AUTO_BUF title = BUF_INIT;

	buf_addf(&title, "%s: %s", kind_class_name(kind->class), _(kind->title));
	rows_item(page, kind->name, NAME_COLUMNS, buf_text(&title));
	rows_paragraph(page, "help", _(kind->help));
	if (kind->flags & KIND_NEEDS_ROOT)
		rows_paragraph(page, "root",
			       _("On the running system it takes root to ask the devices: without "
				 "root what they would tell is unknown."));
	list_params(page, kind);
	list_outputs(page, kind);
	list_findings(page, kind);
}

static int write_text(const struct call *call, const struct kind *kind, struct buf *ret)
{
	struct page page = { &call->screen, ret };

	if (call->options.facts)
		list_facts(&page);
	else if (kind)
		describe_kind(&page, kind);
	else
		list_kinds(&page);
	return buf_error(ret);
}

int verb_kinds(struct call *call)
{
	AUTO_BUF text = BUF_INIT;
	struct error err = ERROR_INIT;
	const struct kind *kind = call->n_args ? kind_find(call->args[0]) : NULL;
	int r;

	if (call->n_args && !kind)
		return names_no_kind(call->args[0]);
	if (call->options.format == FORMAT_JSON)
		r = call->options.facts ? facts_list_json(&text, &err)
					: kinds_json(kind, &text, &err);
	else
		r = write_text(call, kind, &text);
	if (r < 0 && err.code < 0)
		return scene_give_up(&err);
	return talk_result(&text, EXIT_SAFE);
}

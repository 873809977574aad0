/* SPDX-License-Identifier: MIT */
/* One step of a draft: all that is said of it comes from the rows of its kind. */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "draft/sheet.h"
#include "draft/yaml_text.h"

#define FLOW_COLUMNS 70 /* of a list on one line */

static bool is_list(enum param_type type)
{
	return type == PARAM_STRINGS || type == PARAM_PATHS || type == PARAM_DISKS;
}

static void write_item(const struct found *found, const char *item, struct buf *ret)
{
	if (found->literal)
		yaml_quote_literal(item, ret);
	else
		yaml_quote(item, ret);
}

static void write_list(const struct found *found, struct buf *ret)
{
	AUTO_BUF flow = BUF_INIT;

	for (char **item = found->items; *item; item++) {
		buf_adds(&flow, item == found->items ? "" : ", ");
		write_item(found, *item, &flow);
	}
	if (flow.len <= FLOW_COLUMNS) {
		buf_addf(ret, " [%s]\n", buf_text(&flow));
		return;
	}
	buf_addc(ret, '\n');
	for (char **item = found->items; *item; item++) {
		buf_adds(ret, "        - ");
		write_item(found, *item, ret);
		buf_addc(ret, '\n');
	}
}

/* A parameter with its value into `with`; else words on it into `notes`. */
static int write_param(struct sheet *sheet, const struct param_row *row, struct buf *with,
		       struct buf *notes, bool *ret_missing, struct error *err)
{
	CLEANUP(found_done) struct found found = { 0 };
	int r = sheet_find(sheet, row->draft, &found, err);

	if (r < 0)
		return r;
	if (strv_length(found.items)) {
		buf_addf(with, "      %s:", row->name);
		if (is_list(row->type)) {
			write_list(&found, with);
		} else {
			buf_addc(with, ' ');
			write_item(&found, found.items[0], with);
			buf_addc(with, '\n');
		}
		return buf_error(with);
	}
	*ret_missing |= row->required;
	if (row->required)
		buf_addf(with, "      %s: \"\"\n", row->name);
	yaml_commentf(4, notes,
		      row->required ? _("FILL IN %s (%s): %s") : _("Optional: %s (%s). %s"),
		      row->name, param_type_name(row->type), _(row->help));
	if (found.why_not)
		yaml_commentf(4, notes, _("It is left out: %s"), found.why_not);
	return buf_error(notes);
}

/* "names.fstab" -> "names-fstab" */
static void write_id(const char *name, struct buf *ret)
{
	for (; *name; name++)
		buf_addc(ret, *name == '.' ? '-' : *name);
}

static void write_why(const struct kind *kind, struct buf *ret)
{
	buf_addc(ret, '\n');
	yaml_commentf(2, ret, "%s: %s.", kind->name, _(kind->title));
	yaml_comment(2, _(kind->help), ret);
}

/* Each line made a comment. */
static void write_as_comment(const char *text, struct buf *ret)
{
	const char *end;

	for (; *text; text = end + 1) {
		end = strchrnul(text, '\n');
		buf_addf(ret, "  # %.*s\n", (int)(end - text),
			 text + (strncmp(text, "  ", 2) ? 0 : 2));
		if (!*end)
			break;
	}
}

int sheet_write_step(struct sheet *sheet, const struct kind *kind, const char *suffix,
		     struct error *err)
{
	AUTO_BUF with = BUF_INIT, notes = BUF_INIT, step = BUF_INIT;
	bool missing = false;
	int r = 0;

	for (const struct param_row *row = kind->params; r == 0 && row && row->name; row++)
		r = write_param(sheet, row, &with, &notes, &missing, err);
	if (r < 0)
		return r == -ENOMEM ? error_oom(err) : r;
	if (*suffix)
		buf_addc(sheet->out, '\n'); /* what it does was said at the first one */
	else
		write_why(kind, sheet->out);
	buf_adds(&step, "  - id: ");
	write_id(kind->name, &step);
	buf_addf(&step, "%s\n    use: %s\n", suffix, kind->name);
	if (with.len)
		buf_addf(&step, "    with:\n%s", buf_text(&with));
	buf_adds(&step, buf_text(&notes));
	if (buf_error(&step))
		return error_oom(err);
	if (missing)
		write_as_comment(buf_text(&step), sheet->out);
	else
		buf_adds(sheet->out, buf_text(&step));
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* The work of a draft, and the names of its disks. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "draft/sheet.h"
#include "draft/yaml_text.h"

/* A default of a variable holds no reference and cannot escape one. */
static bool is_plain(const char *text)
{
	return text && yaml_can_hold(text) && !strstr(text, "${");
}

static const char *by_id_of(const struct block *disk)
{
	static const char dir[] = "disk/by-id/";

	for (char **link = disk->links; link && *link; link++)
		if (strncmp(*link, dir, strlen(dir)) == 0)
			return *link + strlen(dir);
	return NULL;
}

int sheet_name_disk(const struct sheet *sheet, const struct block *disk, char **ret,
		    struct error *err)
{
	const char *const names[] = { disk->serial, disk->wwn, disk->key, by_id_of(disk),
				      disk->name };

	for (size_t i = 0; i < ELEMENTS(names); i++) {
		const struct block *meant = NULL;

		if (!is_plain(names[i]) ||
		    facts_find_disk(sheet->facts, names[i], &meant, NULL) < 0 || meant != disk)
			continue;
		*ret = strdup(names[i]);
		return *ret ? 0 : error_oom(err);
	}
	return error_set(err, -ENOENT, "no name means %s alone", disk->name);
}

static int power_cycle(struct sheet *sheet, struct error *err)
{
	work_free(sheet->work);
	sheet->work = NULL;
	return work_resolve(sheet->facts, NULL, 0, &sheet->work, err);
}

static int name_disks(struct sheet *sheet, struct error *err)
{
	const struct work_op *op = &sheet->work->ops[0];
	int r = sheet_name_disk(sheet, op->disk, &sheet->move_up, err);

	if (r == 0 && op->other)
		r = sheet_name_disk(sheet, op->other, &sheet->move_down, err);
	return r;
}

int sheet_take_work(struct sheet *sheet, struct error *err)
{
	int r = advice_make(sheet->facts, &sheet->advice, &sheet->no_advice);

	if (r == 0)
		r = advice_work(sheet->facts, sheet->advice, &sheet->work, &sheet->no_advice);
	if (r == 0)
		r = name_disks(sheet, &sheet->no_advice);
	if (r == -ENOMEM)
		return error_oom(err);
	return r < 0 ? power_cycle(sheet, err) : 0;
}

/* ---- vars and work ---------------------------------------------------------- */

static void write_var(struct sheet *sheet, const char *name, const char *type, const char *value,
		      const char *help)
{
	buf_addf(sheet->out, "  %s: {type: %s, default: ", name, type);
	yaml_quote(value, sheet->out);
	buf_adds(sheet->out, ", help: ");
	yaml_quote(help, sheet->out);
	buf_adds(sheet->out, "}\n");
}

void sheet_write_vars(struct sheet *sheet)
{
	buf_adds(sheet->out, "\nvars:\n");
	if (sheet->work->n) {
		yaml_comment(2,
			     _("CHECK: are these the disks that you mean? Compare the serial "
			       "with the label on the disk."),
			     sheet->out);
		write_var(sheet, "move_up", "disk", sheet->move_up,
			  _("the disk that gets the faster port"));
		if (sheet->move_down)
			write_var(sheet, "move_down", "disk", sheet->move_down,
				  _("the disk that gives it up"));
	}
	yaml_comment(2,
		     _("CHECK: where the cold copy goes. It must lie on a disk that the work "
		       "does not touch."),
		     sheet->out);
	if (sheet->copy_to_note)
		yaml_comment(2, sheet->copy_to_note, sheet->out);
	write_var(sheet, "copy_to", "path", sheet->copy_to, _("where the cold copy goes"));
}

static void write_target(struct sheet *sheet, const struct work_op *op)
{
	AUTO_BUF to = BUF_INIT;

	buf_addf(&to, "port %u of %s", op->port, op->controller);
	buf_adds(sheet->out, "  - move: {disk: \"${move_up}\", to: ");
	yaml_quote_literal(buf_text(&to), sheet->out);
	buf_adds(sheet->out, "}\n");
}

/* The reasons of the port map: why this work, and which other was not taken. */
static void write_reasons(struct sheet *sheet)
{
	for (char **reason = sheet->advice ? sheet->advice->reasons : NULL; reason && *reason;
	     reason++)
		yaml_comment(2, *reason, sheet->out);
}

static void write_example(struct sheet *sheet, const char *before, const char *name,
			  const char *after)
{
	buf_addf(sheet->out, "  # - %s", before);
	yaml_quote_literal(name, sheet->out);
	buf_addf(sheet->out, "%s\n", after);
}

/* One of each, with a disk of this host where there is one. */
static int write_examples(struct sheet *sheet, struct error *err)
{
	AUTO_FREE char *name = NULL;

	for (size_t i = 0; !name && i < sheet->blocks->n; i++) {
		const struct block *disk = sheet->blocks->items[i];

		if (block_is_disk(disk) && sheet_name_disk(sheet, disk, &name, NULL) == -ENOMEM)
			return error_oom(err);
	}
	yaml_comment(2,
		     _("FILL IN, if you are going to touch a cable: put one of these in the "
		       "place of power-cycle, without its '#'. A disk is named by serial, WWN, "
		       "by-id name or mount point."),
		     sheet->out);
	write_example(sheet, "exchange: [", name ? name : "DISK", ", \"OTHER-DISK\"]");
	write_example(sheet, "move: {disk: ", name ? name : "DISK",
		      ", to: \"port N of CONTROLLER\"}");
	write_example(sheet, "recable: ", name ? name : "DISK", "");
	write_example(sheet, "remove: ", name ? name : "DISK", "");
	write_example(sheet, "replace: {old: ", name ? name : "DISK",
		      ", new: \"SERIAL-OF-THE-NEW\"}");
	return 0;
}

int sheet_write_work(struct sheet *sheet, struct error *err)
{
	const struct work_op *op = sheet->work->ops;

	buf_addc(sheet->out, '\n');
	yaml_comment(0, _("Every check below judges the machine as it will be after this."),
		     sheet->out);
	buf_adds(sheet->out, "work:\n");
	write_reasons(sheet);
	if (!sheet->work->n) {
		if (!sheet->advice)
			yaml_commentf(2, sheet->out, _("The port map could give no advice: %s."),
				      error_text(&sheet->no_advice));
		buf_adds(sheet->out, "  - power-cycle: true\n");
		return write_examples(sheet, err);
	}
	if (op->type == WORK_EXCHANGE)
		buf_adds(sheet->out, "  - exchange: [\"${move_up}\", \"${move_down}\"]\n");
	else
		write_target(sheet, op);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* The first lines of a draft: what it is, and which disks there are. */
#include <string.h>

#include "base/intl.h"
#include "draft/sheet.h"
#include "draft/yaml_text.h"
#include "probe/identity.h"

#define MAX_DISKS 64 /* listed */

/* "S620...: Samsung SSD 870 EVO 2TB, port 5 of 0000:00:1f.2, mounted at /data" */
static int list_disk(struct sheet *sheet, const struct block *disk, struct error *err)
{
	AUTO_FREE char *name = NULL, *place = NULL;
	AUTO_BUF line = BUF_INIT;
	const char *before = _(", mounted at ");

	if (sheet_name_disk(sheet, disk, &name, NULL) < 0)
		name = strdup(disk->name);
	if (!name || place_describe(disk, &place) < 0)
		return error_oom(err);
	buf_addf(&line, "%s: %s, %s", name, disk->model ? disk->model : disk->name, place);
	for (size_t i = 0; sheet->mounts && i < sheet->mounts->n; i++) {
		const struct mount *mount = &sheet->mounts->items[i];

		if (mount->hidden || strcmp(mount->root, "/") != 0 ||
		    !mount_lies_on(sheet->blocks, mount, disk))
			continue;
		buf_addf(&line, "%s%s", before, mount->target);
		before = ", ";
	}
	if (buf_error(&line))
		return error_oom(err);
	yaml_comment_item(buf_text(&line), sheet->out);
	return 0;
}

static int list_disks(struct sheet *sheet, struct error *err)
{
	size_t n = 0;
	int r = 0;

	for (size_t i = 0; r == 0 && i < sheet->blocks->n; i++) {
		if (!block_is_disk(sheet->blocks->items[i]))
			continue;
		if (n == 0)
			yaml_comment(0, _("The disks here, as a runbook may name them:"),
				     sheet->out);
		if (n++ < MAX_DISKS)
			r = list_disk(sheet, sheet->blocks->items[i], err);
	}
	if (n > MAX_DISKS)
		yaml_commentf(0, sheet->out, _("and %zu more; `coldswap ports` shows them."),
			      n - MAX_DISKS);
	else if (n == 0)
		yaml_comment(0, _("This host shows no disk."), sheet->out);
	return r;
}

static const char *title_of(const struct work *work)
{
	if (!work->n)
		return _("Power the machine off and on");
	return work->ops[0].type == WORK_EXCHANGE ? _("Swap the ports of two disks")
						  : _("Move a disk to another port");
}

static int write_about(struct sheet *sheet, struct error *err)
{
	struct identity identity = IDENTITY_INIT;
	int r = identity_load(sheet->host, &identity, NULL);

	if (r == 0 && identity.name)
		yaml_commentf(0, sheet->out,
			      _("A runbook for %s, drafted by coldswap from what it found there."),
			      identity.name);
	else
		yaml_comment(0, _("A runbook, drafted by coldswap from what it found."),
			     sheet->out);
	identity_done(&identity);
	buf_adds(sheet->out, "#\n");
	yaml_comment(0,
		     _("Read it through: what is marked CHECK or FILL IN is yours to decide. Then "
		       "`coldswap lint FILE` says whether it is sound, `coldswap plan FILE` what "
		       "it would do, `coldswap audit FILE` whether the work is safe; `coldswap run "
		       "FILE` does it, step by step."),
		     sheet->out);
	buf_adds(sheet->out, "#\n");
	return list_disks(sheet, err);
}

int sheet_write_head(struct sheet *sheet, struct error *err)
{
	int r = write_about(sheet, err);

	buf_adds(sheet->out, "coldswap: 1\nname: draft\ntitle: ");
	yaml_quote(title_of(sheet->work), sheet->out);
	buf_addc(sheet->out, '\n');
	return r;
}

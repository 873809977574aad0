/* SPDX-License-Identifier: MIT */
/*
 * What of the host a draft names, by parameter row.
 *
 * A list that is named stands in the place of the kind's own search.  So it is
 * named only where it holds all that the search would look at and where all
 * of it is well; else the search goes on, and would find the same again.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "draft/sheet.h"
#include "draft/yaml_text.h"
#include "probe/datadirs.h"
#include "probe/net.h"
#include "probe/paths.h"
#include "probe/unit.h"

#define MAX_ITEMS 256

void found_done(struct found *found)
{
	strv_free(found->items);
	free(found->why_not);
	*found = (struct found){ 0 };
}

/* Nothing is named, because of `why`; the reason is the last word. */
static int leave_out(struct found *found, const char *why)
{
	found_done(found);
	found->why_not = strdup(why);
	return found->why_not ? 0 : -ENOMEM;
}

static int find_work_disks(struct sheet *sheet, struct found *ret)
{
	/* Where no key tells a disk, a plan could not pin it. */
	for (size_t i = 0; i < sheet->work->n; i++) {
		const struct work_op *op = &sheet->work->ops[i];

		if (!op->disk->key || op->disk->key_shared ||
		    (op->other && (!op->other->key || op->other->key_shared)))
			return leave_out(ret, _("a disk of the work has no serial number of its "
						"own."));
	}
	if (sheet->move_up && strv_add(&ret->items, "${move_up}") < 0)
		return -ENOMEM;
	return sheet->move_down ? strv_add(&ret->items, "${move_down}") : 0;
}

static bool is_unclear(const struct fstab_entry *entry)
{
	return entry->malformed || strcmp(entry->fstype, "swap") == 0 || entry->target[0] != '/';
}

static int find_mounts(struct sheet *sheet, struct found *ret)
{
	const struct fstab *fstab = NULL;
	int r = facts_fstab(sheet->facts, &fstab, NULL);

	if (r == -ENOMEM)
		return r;
	for (size_t i = 0; r == 0 && i < fstab->n; i++) {
		const struct fstab_entry *entry = &fstab->items[i];

		if (is_unclear(entry))
			return leave_out(ret, _("fstab asks for more than mount points, and all "
						"of it is looked at."));
		if (option_has(entry->options, "noauto") || strv_has(ret->items, entry->target))
			continue;
		if (strv_add(&ret->items, entry->target) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int find_databases(struct sheet *sheet, struct found *ret)
{
	CLEANUP(cleanup_datadirs) struct datadirs *dirs = NULL;
	AUTO_STRV char **below = NULL;
	int r;

	if (!sheet->mounts || !sheet->tree)
		return leave_out(ret, _("what is mounted could not be read."));
	r = work_search_places(sheet->work, sheet->mounts, &below);
	if (r == 0)
		r = datadirs_find(sheet->host, sheet->tree, sheet->mounts, below, &dirs, NULL);
	if (r == -ENOMEM)
		return r;
	if (r < 0 || dirs->truncated || strv_length(dirs->denied))
		return leave_out(ret, _("not every directory could be searched; run coldswap as "
					"root, or name them all."));
	for (size_t i = 0; i < dirs->n; i++)
		if (strv_add(&ret->items, dirs->items[i].path) < 0)
			return -ENOMEM;
	return 0;
}

static int find_copy_to(struct sheet *sheet, struct found *ret)
{
	(void)sheet;
	return strv_add(&ret->items, "${copy_to}");
}

static int find_interfaces(struct sheet *sheet, struct found *ret)
{
	CLEANUP(cleanup_nics) struct nics *nics = NULL;
	int r = nics_load(sheet->host, &nics, NULL);

	if (r == -ENOMEM)
		return r;
	for (size_t i = 0; r == 0 && i < nics->n; i++) {
		const struct nic *nic = &nics->items[i];

		if (nic->physical && !nic_state_known(nic))
			return leave_out(ret, _("the state of an interface is not told."));
		if (nic->physical && nic_has_link(nic) && strv_add(&ret->items, nic->name) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int find_units(struct sheet *sheet, struct found *ret)
{
	const char *name;

	if (unit_manager_runs(sheet->host, NULL) <= 0)
		return 0;
	for (size_t i = 0; (name = unit_usual(i)); i++) {
		CLEANUP(unit_done) struct unit unit = UNIT_INIT;
		int r = unit_load(sheet->host, name, &unit, NULL);

		if (r == -ENOMEM)
			return r;
		if (r < 0 || (unit.found && (!unit.active || unit_is_failed(&unit))))
			return leave_out(ret, _("a usual service is broken, or could not be asked "
						"about."));
		if (unit.found && unit_is_active(&unit) && strv_add(&ret->items, name) < 0)
			return -ENOMEM;
	}
	return 0;
}

static const struct {
	int (*find)(struct sheet *sheet, struct found *ret);
	bool literal;
} finders[] = {
	[DRAFT_NOTHING] = { NULL, false },         [DRAFT_WORK_DISKS] = { find_work_disks, false },
	[DRAFT_MOUNTS] = { find_mounts, true },    [DRAFT_DATABASES] = { find_databases, true },
	[DRAFT_COPY_TO] = { find_copy_to, false }, [DRAFT_INTERFACES] = { find_interfaces, true },
	[DRAFT_UNITS] = { find_units, true },
};

static int check_items(struct found *found)
{
	if (strv_length(found->items) > MAX_ITEMS)
		return leave_out(found, _("there are too many to name them."));
	for (char **item = found->items; item && *item; item++)
		if (!yaml_can_hold(*item))
			return leave_out(found, _("a name holds bytes that no runbook can hold."));
	return 0;
}

int sheet_find(struct sheet *sheet, enum param_draft what, struct found *ret, struct error *err)
{
	int r = 0;

	*ret = (struct found){ .literal = finders[what].literal };
	if (finders[what].find)
		r = finders[what].find(sheet, ret);
	ret->literal = finders[what].literal;
	if (r == 0)
		r = check_items(ret);
	return r < 0 ? error_oom(err) : 0;
}

/* ---- where the copy goes ---------------------------------------------------- */

static bool stays(const struct sheet *sheet, const struct mount *mount)
{
	const struct block *device = mount ? blocks_of_mount(sheet->blocks, mount) : NULL;

	return device && device->n_disks && !option_has(mount->options, "ro") &&
	       !work_touches_device(sheet->work, device);
}

/* The mount with most room on a disk that stays. */
static const struct mount *roomiest(const struct sheet *sheet)
{
	const struct mount *best = NULL;
	uint64_t most = 0;

	for (size_t i = 0; i < sheet->mounts->n; i++) {
		const struct mount *mount = &sheet->mounts->items[i];
		struct space space = { 0 };

		if (mount->hidden || !stays(sheet, mount) || !yaml_can_hold(mount->target) ||
		    strstr(mount->target, "${") ||
		    facts_space(sheet->facts, mount->target, &space, NULL) < 0)
			continue;
		if (space.available > most) {
			most = space.available;
			best = mount;
		}
		space_done(&space);
	}
	return best;
}

int sheet_choose_copy_to(struct sheet *sheet, struct error *err)
{
	AUTO_FREE char *path = NULL;
	const struct mount *mount = NULL;

	if (sheet->mounts && sheet->tree) {
		if (filetree_resolve(sheet->tree, PATH_COPY_TO, &path, NULL) == -ENOMEM)
			return error_oom(err);
		if (path && !stays(sheet, mounts_over(sheet->mounts, path)))
			mount = roomiest(sheet);
	}
	if (mount && asprintf(&sheet->copy_to, "%s/backup/coldswap",
			      strcmp(mount->target, "/") ? mount->target : "") < 0)
		sheet->copy_to = NULL;
	else if (!mount)
		sheet->copy_to = strdup(PATH_COPY_TO);
	if (mount)
		sheet->copy_to_note =
			strdup(_("The usual place lies on no disk that stays; this one does."));
	return sheet->copy_to && (!mount || sheet->copy_to_note) ? 0 : error_oom(err);
}

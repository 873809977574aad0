/* SPDX-License-Identifier: MIT */
/* The name of an fstab entry, before and after the work. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "probe/mdconf.h"
#include "probe/paths.h"
#include "step/names_fstab.h"

/* The line, and what the name means today and then. */
static void cite(struct fstab_check *check, struct finding *finding, const struct entry_view *view)
{
	const char *spec = view->entry->spec;
	const char *source = spec[0] == '/' ? spec : "udev";

	result_evidence(check->ret, finding, view->source, view->entry->text, NULL, NULL);
	if (view->ref.why)
		result_evidence(check->ret, finding, source, view->ref.why, NULL, NULL);
}

static struct finding *start(struct fstab_check *check, struct entry_view *view, const char *id,
			     enum verdict verdict)
{
	view->judged = true;
	return result_find(check->ret, id, verdict, "%s", view->source);
}

static void advise_uuid(struct fstab_check *check, struct finding *finding,
			const struct entry_view *view)
{
	const struct block *device = view->ref.n_before ? view->ref.before[0] : NULL;

	if (device && device->fs_uuid && view->ref.n_before == 1 &&
	    (!device->fs_usage || strcmp(device->fs_usage, "raid") != 0))
		result_remedy(check->ret, finding,
			      _("Write UUID=%s in the place of %s, then run "
				"`systemctl daemon-reload`."),
			      device->fs_uuid, view->entry->spec);
	else
		result_remedy(check->ret, finding,
			      _("Name the filesystem by UUID= (`blkid` lists them) in the place of "
				"%s, then run `systemctl daemon-reload`."),
			      view->entry->spec);
}

static void kernel_name(struct fstab_check *check, struct entry_view *view)
{
	const char *id = "kernel-name";
	struct finding *finding;

	if (view->ref.form == REF_DM_NUMBER)
		id = "dm-number";
	else if (view->role.swap)
		id = "swap-kernel-name";
	finding = start(check, view, id, role_verdict(&view->role));
	result_say(check->ret, finding,
		   view->ref.form == REF_DM_NUMBER
			   ? _("%s is a number given out anew by each boot, so %s may come from "
			       "another volume; %s.")
			   : _("%s is a kernel name, given out anew by each boot, so %s may come "
			       "from another disk; %s."),
		   view->entry->spec, view->what, role_harm(&view->role));
	advise_uuid(check, finding, view);
	cite(check, finding, view);
}

static void other_disk(struct fstab_check *check, struct entry_view *view)
{
	bool by_path = view->ref.form == REF_BY_PATH;
	struct finding *finding =
		start(check, view, by_path ? "by-path-other-disk" : "other-device",
		      role_verdict_other(&view->role));

	if (by_path)
		result_say(check->ret, finding,
			   _("After the work %s is another disk: nothing fails, and %s comes from "
			     "there."),
			   view->entry->spec, view->what);
	else
		result_say(check->ret, finding,
			   _("After the work %s means another device, and %s comes from there."),
			   view->entry->spec, view->what);
	if (by_path)
		advise_uuid(check, finding, view);
	else
		result_remedy(check->ret, finding, "%s",
			      _("Give each device a name of its own before the work, or leave the "
				"one in use in its place."));
	cite(check, finding, view);
}

static void nothing(struct fstab_check *check, struct entry_view *view)
{
	struct finding *finding = start(
		check, view, view->ref.form == REF_BY_PATH ? "by-path-nothing" : "other-device",
		role_verdict(&view->role));

	result_say(check->ret, finding, _("After the work %s names no device for %s; %s."),
		   view->entry->spec, view->what, role_harm(&view->role));
	advise_uuid(check, finding, view);
	cite(check, finding, view);
}

static void shared_port(struct fstab_check *check, struct entry_view *view)
{
	struct finding *finding =
		start(check, view, "by-path-shared", role_verdict_other(&view->role));

	result_say(check->ret, finding,
		   _("%s is claimed by several disks behind one port, so which of them %s comes "
		     "from is a matter of chance."),
		   view->entry->spec, view->what);
	result_remedy(
		check->ret, finding,
		_("Name the filesystem by UUID= (`blkid` lists them) in the place of %s, then "
		  "run `systemctl daemon-reload`."),
		view->entry->spec);
	cite(check, finding, view);
}

/* The other bearers, each by a finding of its own: that is where the remedy is carried out. */
static void duplicate_devices(struct fstab_check *check, const struct entry_view *view)
{
	const struct ref *ref = &view->ref;
	size_t original = 0, n = ref->n_before;

	if (n > ELEMENTS(ref->before))
		n = ELEMENTS(ref->before);
	for (size_t i = n; i-- > 0;)
		if (facts_is_mounted(check->step->facts, ref->before[i]))
			original = i;
	for (size_t i = 0; i < n; i++) {
		const struct block *copy = ref->before[i], *first = ref->before[original];
		AUTO_FREE char *path = NULL;
		struct finding *finding;

		if (i == original || strv_has(check->duplicates, copy->name))
			continue;
		if (strv_add(&check->duplicates, copy->name) < 0 ||
		    asprintf(&path, "%s/%s", PATH_DEV, copy->name) < 0) {
			check->ret->failed = -ENOMEM;
			return;
		}
		finding = result_find(check->ret, "duplicate-device",
				      role_verdict_other(&view->role), "%s", path);
		result_say(check->ret, finding,
			   _("%s carries the same name as %s/%s (%s): a copy that may be mounted "
			     "in its place."),
			   path, PATH_DEV, first->name, view->entry->spec);
		result_remedy(check->ret, finding,
			      _("Give %s a UUID and label of its own (tune2fs -U random, "
				"xfs_admin -U generate, btrfstune -u; sgdisk -G for the partition "
				"table), or take it out before power-on."),
			      path);
		result_evidence(check->ret, finding, path, view->entry->spec, NULL, NULL);
	}
}

static void ambiguous(struct fstab_check *check, struct entry_view *view)
{
	struct finding *finding =
		start(check, view, "duplicate-tag", role_verdict_other(&view->role));

	result_say(check->ret, finding,
		   _("%s is carried by %zu devices, so which of them %s comes from is a matter of "
		     "chance."),
		   view->entry->spec, view->ref.n_before, view->what);
	result_remedy(check->ret, finding, "%s",
		      _("Give the copy a UUID and label of its own, or take it out before "
			"power-on."));
	cite(check, finding, view);
	if (view->ref.form == REF_TAG)
		duplicate_devices(check, view);
}

static void bus_change(struct fstab_check *check, struct entry_view *view)
{
	struct finding *finding = start(check, view, "bus-change", role_verdict(&view->role));

	result_say(check->ret, finding,
		   _("%s says how the disk is attached, and that changes with the work; %s."),
		   view->entry->spec, role_harm(&view->role));
	advise_uuid(check, finding, view);
	cite(check, finding, view);
}

static void removed_disk(struct fstab_check *check, struct entry_view *view)
{
	struct finding *finding = start(check, view, "removed-disk", role_verdict(&view->role));

	result_say(check->ret, finding, _("The work takes the disk of %s out; %s."), view->what,
		   role_harm(&view->role));
	result_remedy(check->ret, finding, "%s",
		      view->role.system ? _("Leave the disk in, or have another system to boot.")
					: _("Take the line out, or add noauto to it, before the "
					    "work."));
	cite(check, finding, view);
}

/* One unlisted array is 127 in practice; two can trade their numbers. */
static void md_unlisted(struct fstab_check *check, struct entry_view *view)
{
	bool alone = check->md_arrays < 2;
	struct finding *finding = start(check, view, "md-unlisted",
					alone ? VERDICT_WARN : role_verdict_other(&view->role));

	result_say(check->ret, finding,
		   alone ? _("%s has no ARRAY line, so its number is the first that is free; %s "
			     "depends on it.")
			 : _("%s has no ARRAY line, so that arrays can trade numbers, and %s may "
			     "come from another one."),
		   view->entry->spec, view->what);
	advise_uuid(check, finding, view);
	cite(check, finding, view);
}

/* What is not there today is no fault of the work, and a boot waits for it all the same. */
static void absent(struct fstab_check *check, struct entry_view *view)
{
	struct finding *finding;

	if (view->role.noauto || view->role.automount)
		return;
	finding = start(check, view, "absent-device", role_verdict(&view->role));
	result_say(check->ret, finding, _("%s is on no device of this host today; %s."),
		   view->entry->spec, role_harm(&view->role));
	result_remedy(check->ret, finding, "%s",
		      _("Plug the disk in, or take the line out, before the work."));
	cite(check, finding, view);
}

static void unknown(struct fstab_check *check, struct entry_view *view)
{
	struct finding *finding = start(check, view, "tag-unreadable", VERDICT_UNKNOWN);

	result_say(check->ret, finding, _("What %s means after the work could not be determined."),
		   view->entry->spec);
	if (view->ref.form == REF_OTHER)
		result_remedy(check->ret, finding,
			      _("Name the filesystem by UUID= in the place of %s."),
			      view->entry->spec);
	else
		result_remedy(check->ret, finding, "%s", _("Run coldswap as root."));
	cite(check, finding, view);
}

static const struct {
	enum ref_fate fate;
	void (*report)(struct fstab_check *check, struct entry_view *view);
} reports[] = {
	{ FATE_KERNEL_NAME, kernel_name }, { FATE_OTHER_DISK, other_disk },
	{ FATE_NOTHING, nothing },         { FATE_SHARED_PORT, shared_port },
	{ FATE_AMBIGUOUS, ambiguous },     { FATE_BUS_CHANGE, bus_change },
	{ FATE_REMOVED, removed_disk },    { FATE_MD_UNLISTED, md_unlisted },
	{ FATE_ABSENT, absent },           { FATE_UNKNOWN, unknown },
};

void judge_name(struct fstab_check *check, struct entry_view *view)
{
	for (size_t i = 0; i < ELEMENTS(reports); i++)
		if (reports[i].fate == view->ref.fate)
			reports[i].report(check, view);
}

int judge_md_configuration(struct fstab_check *check, struct error *err)
{
	CLEANUP(cleanup_mdconf) struct mdconf *conf = NULL;
	AUTO_FREE char *source = NULL;
	struct finding *finding;
	bool used = false;
	int r;

	for (size_t i = 0; i < check->fstab->n; i++)
		used |= check->views[i].ref.fate == FATE_MD_UNLISTED;
	if (!used)
		return 0;
	r = mdconf_load(check->step->host, &conf, err);
	if (r < 0)
		return r;
	if (conf->n || !conf->file)
		return 0;
	if (conf->first_line)
		r = asprintf(&source, "%s:%u", conf->file, conf->first_line);
	else
		r = asprintf(&source, "%s", conf->file);
	if (r < 0) {
		source = NULL;
		return error_oom(err);
	}
	finding = result_find(check->ret, "md-no-array-lines", VERDICT_WARN, "%s", source);
	result_say(check->ret, finding, "%s",
		   _("The file has no ARRAY lines, so that arrays are numbered in the order in "
		     "which their members are found."));
	result_remedy(check->ret, finding, "%s",
		      _("Append the output of `mdadm --detail --scan` and run "
			"`update-initramfs -u` (or dracut -f)."));
	result_evidence(check->ret, finding, source, conf->first_text, NULL, NULL);
	return 0;
}

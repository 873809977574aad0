/* SPDX-License-Identifier: MIT */
/* Mount options that name devices, and the one that hides a missing member. */
#include <string.h>

#include "base/intl.h"
#include "step/names_fstab.h"

/* Options whose value is a device that the mount cannot do without. */
static const struct {
	const char *fstype, *option;
} device_options[] = {
	{ "xfs", "logdev" },
	{ "xfs", "rtdev" },
	{ "ext3", "journal_path" },
	{ "ext4", "journal_path" },
};

static bool survives(const struct ref *ref)
{
	return ref->fate == FATE_SAME || ref->fate == FATE_NO_DEVICE;
}

/* Append "device=/dev/sdb" when the value does not survive the work. */
static int note_option(struct fstab_check *check, const char *option, const char *value,
		       struct buf *names, struct buf *reasons, struct error *err)
{
	struct ref ref;
	int r = ref_resolve(check->step->facts, check->work, value, &ref, err);

	if (r < 0)
		return r;
	if (!survives(&ref)) {
		buf_addf(names, "%s%s=%s", names->len ? ", " : "", option, value);
		buf_addf(reasons, "%s%s: %s", reasons->len ? "; " : "", value, ref.why);
	}
	ref_done(&ref);
	return 0;
}

static int find_options(struct fstab_check *check, const struct entry_view *view,
			const char *option, struct buf *names, struct buf *reasons,
			struct error *err)
{
	for (size_t i = 0;; i++) {
		AUTO_FREE char *value = NULL;
		int r = option_value(view->entry->options, option, i, &value);

		if (r == 1)
			r = note_option(check, option, value, names, reasons, err);
		else if (r < 0)
			return error_oom(err);
		else
			return 0;
		if (r < 0)
			return r;
	}
}

static int judge_btrfs_devices(struct fstab_check *check, struct entry_view *view,
			       struct error *err)
{
	AUTO_BUF names = BUF_INIT, reasons = BUF_INIT;
	struct finding *finding;
	int r = find_options(check, view, "device", &names, &reasons, err);

	if (r < 0 || !names.len)
		return r;
	finding = result_find(check->ret, "btrfs-device-option", VERDICT_WARN, "%s", view->source);
	result_say(check->ret, finding,
		   _("The options name members by names that do not survive the work: %s. They are "
		     "only scanned, but the mount of %s fails when no such device is there."),
		   buf_text(&names), view->what);
	result_remedy(check->ret, finding, "%s",
		      _("Take the device= options out: udev scans btrfs members by itself."));
	result_evidence(check->ret, finding, view->source, view->where, NULL, NULL);
	result_evidence(check->ret, finding, "udev", buf_text(&reasons), NULL, NULL);
	return 0;
}

/* A filesystem on one disk has no member to miss. */
static bool spans_disks(struct fstab_check *check, const struct entry_view *view)
{
	const struct block *disks[2];

	return !view->ref.n_before ||
	       blocks_disks_of(check->blocks, view->ref.before[0], disks, ELEMENTS(disks)) > 1;
}

static void judge_degraded(struct fstab_check *check, struct entry_view *view)
{
	struct finding *finding;

	if (!option_has(view->entry->options, "degraded") || !spans_disks(check, view))
		return;
	finding = result_find(check->ret, "btrfs-degraded", VERDICT_WARN, "%s", view->source);
	result_say(check->ret, finding,
		   _("%s is mounted with degraded: a member that does not come up after the work "
		     "goes unnoticed, and its copy falls behind."),
		   view->what);
	result_remedy(check->ret, finding,
		      _("Take degraded out for the work, and compare `btrfs filesystem show %s` "
			"before and after."),
		      view->what);
	result_evidence(check->ret, finding, view->source, view->where, NULL, NULL);
}

static int judge_log_device(struct fstab_check *check, struct entry_view *view, const char *option,
			    struct error *err)
{
	AUTO_BUF names = BUF_INIT, reasons = BUF_INIT;
	struct finding *finding;
	int r = find_options(check, view, option, &names, &reasons, err);

	if (r < 0 || !names.len)
		return r;
	finding = result_find(check->ret, "device-option", role_verdict(&view->role), "%s",
			      view->source);
	result_say(check->ret, finding,
		   _("The options name a device by a name that does not survive the work: %s. %s "
		     "is not mounted without it; %s."),
		   buf_text(&names), view->what, role_harm(&view->role));
	result_remedy(check->ret, finding, "%s",
		      _("Name the device by a link of /dev/disk/by-id or by-partuuid."));
	result_evidence(check->ret, finding, view->source, view->where, NULL, NULL);
	result_evidence(check->ret, finding, "udev", buf_text(&reasons), NULL, NULL);
	return 0;
}

int judge_options(struct fstab_check *check, struct entry_view *view, struct error *err)
{
	const char *fstype = view->entry->fstype;
	int r = 0;

	if (strcmp(fstype, "btrfs") == 0) {
		judge_degraded(check, view);
		return judge_btrfs_devices(check, view, err);
	}
	for (size_t i = 0; i < ELEMENTS(device_options) && r == 0; i++)
		if (strcmp(fstype, device_options[i].fstype) == 0)
			r = judge_log_device(check, view, device_options[i].option, err);
	return r;
}

/* SPDX-License-Identifier: MIT */
/*
 * The mounts of before, one by one, against those of now.
 *
 * Expected is what lies on a disk and is there for good: whole filesystems
 * and subvolumes, and whatever /etc/fstab lists.  Bind mounts of containers,
 * mounts of sessions and images on loop devices come and go.
 */
#include "step/mounts_expected.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/same_text.h"
#include "base/strv.h"
#include "probe/paths.h"
#include "work/work.h"

void comparison_cite_before(struct comparison *comparison, struct finding *finding,
			    const char *path, unsigned line, const char *observed)
{
	AUTO_BUF source = BUF_INIT;

	buf_addf(&source, "%s%s:%u", host_root(facts_host(comparison->step->before)), path, line);
	result_evidence(comparison->ret, finding, buf_text(&source), observed, NULL, NULL);
}

/* ---- what is expected --------------------------------------------------------------- */

struct expected {
	const struct mount *mount;
	const struct block *device;
	const struct fstab_entry *entry; /* of before; NULL: fstab does not list it */
};

static bool comes_and_goes(const struct mount *mount, const struct block *device)
{
	static const char *const images[] = { "squashfs", "iso9660", "erofs" };

	for (size_t i = 0; i < ELEMENTS(images); i++)
		if (strcmp(mount->fstype, images[i]) == 0)
			return true;
	return (device && strncmp(device->name, "loop", 4) == 0) ||
	       path_is_below(mount->target, PATH_RUN) || path_is_below(mount->target, PATH_KUBELET);
}

static bool is_whole(const struct mount *mount)
{
	return strcmp(mount->root, "/") == 0 || strcmp(mount->fstype, "btrfs") == 0;
}

static bool is_expected(const struct comparison *comparison, const struct mount *mount,
			struct expected *ret)
{
	const struct mounted *before = &comparison->before;

	if (mount->hidden || mounts_at(before->mounts, mount->target) != mount)
		return false;
	*ret = (struct expected){
		.mount = mount,
		.device = blocks_of_mount(before->blocks, mount),
		.entry = fstab_at(before->fstab, mount->target),
	};
	return ret->entry || (is_whole(mount) && !comes_and_goes(mount, ret->device));
}

/* Is all that the filesystem lies on taken out by the work? */
static bool is_taken_out(const struct comparison *comparison, const struct block *device)
{
	struct place_after after;

	for (size_t i = 0; i < device->n_disks; i++) {
		work_place_after(comparison->step->work, device->disks[i], &after);
		if (after.present)
			return false;
	}
	return device->n_disks > 0;
}

/* What nobody asked the boot to mount, and what hangs on a USB cable. */
static bool is_loose(const struct expected *expected)
{
	const struct block *disk = expected->device->n_disks ? expected->device->disks[0] : NULL;

	if (expected->entry)
		return option_has(expected->entry->options, "noauto");
	return disk && (disk->bus == BUS_USB || disk->removable);
}

/* ---- evidence ------------------------------------------------------------------------ */

static void show_mount(const struct mount *mount, const struct block *device, struct buf *ret)
{
	buf_addf(ret, "%s on %s type %s", mount->source ? mount->source : "none", mount->target,
		 mount->fstype);
	if (device && device->fs_uuid)
		buf_addf(ret, ", UUID %s", device->fs_uuid);
}

static void cite_before(struct comparison *comparison, struct finding *finding,
			const struct expected *expected)
{
	AUTO_BUF observed = BUF_INIT;

	show_mount(expected->mount, expected->device, &observed);
	comparison_cite_before(comparison, finding, PATH_MOUNTINFO, expected->mount->line,
			       buf_text(&observed));
}

static void cite_now(struct comparison *comparison, struct finding *finding,
		     const struct mount *mount)
{
	AUTO_BUF source = BUF_INIT, observed = BUF_INIT;

	buf_addf(&source, PATH_MOUNTINFO ":%u", mount->line);
	show_mount(mount, blocks_of_mount(comparison->now.blocks, mount), &observed);
	result_evidence(comparison->ret, finding, buf_text(&source), buf_text(&observed), NULL,
			NULL);
}

static struct finding *find(struct comparison *comparison, const char *id, enum verdict verdict,
			    const struct expected *expected)
{
	return result_find(comparison->ret, id, verdict, "%s", expected->mount->target);
}

/* ---- not mounted ---------------------------------------------------------------------- */

/* The device that carries the filesystem now, mounted or not; NULL: none does. */
static const struct block *carrier(const struct comparison *comparison,
				   const struct expected *expected)
{
	const struct block *device[1] = { NULL };

	if (!expected->device->fs_uuid)
		return NULL;
	blocks_by_tag(comparison->now.blocks, "UUID", expected->device->fs_uuid, device, 1);
	return device[0];
}

/* What a capture holds of a directory is not all that stands in it. */
static void say_directory(struct comparison *comparison, struct finding *finding,
			  const char *target, const char *parent, size_t n_names)
{
	if (!host_is_live(comparison->step->host))
		result_say(comparison->ret, finding,
			   _("%s is not mounted: it is a directory on %s now."), target, parent);
	else if (n_names == 0)
		result_say(comparison->ret, finding,
			   _("%s is not mounted: it is an empty directory on %s now."), target,
			   parent);
	else
		result_say(comparison->ret, finding,
			   PLURAL("%s is not mounted: it is a directory on %s now, and %zu name "
				  "stands in it.",
				  "%s is not mounted: it is a directory on %s now, and %zu names "
				  "stand in it.",
				  n_names),
			   target, parent, n_names);
}

static void say_empty_directory(struct comparison *comparison, const struct expected *expected,
				size_t n_names)
{
	const char *target = expected->mount->target;
	const struct mount *parent = mounts_over(comparison->now.mounts, target);
	struct finding *finding = find(comparison, "mount-empty-directory",
				       is_loose(expected) ? VERDICT_WARN : VERDICT_FAIL, expected);

	say_directory(comparison, finding, target, parent ? parent->target : "/", n_names);
	if (carrier(comparison, expected))
		result_remedy(
			comparison->ret, finding,
			_("Stop what uses %s, look at what was written into it, and mount it; "
			  "systemctl status of its mount unit tells why it was not."),
			target);
	else
		result_remedy(
			comparison->ret, finding,
			_("Stop what uses %s. Its filesystem is on no device now: look for its "
			  "disk first."),
			target);
	cite_before(comparison, finding, expected);
	if (parent)
		cite_now(comparison, finding, parent);
}

static void say_missing(struct comparison *comparison, const struct expected *expected)
{
	const char *target = expected->mount->target;
	struct finding *finding = find(comparison, "mount-missing",
				       is_loose(expected) ? VERDICT_WARN : VERDICT_FAIL, expected);

	result_say(comparison->ret, finding, _("%s was mounted before and is not now."), target);
	if (carrier(comparison, expected))
		result_remedy(comparison->ret, finding,
			      _("See why it was not mounted (systemctl status of its mount unit), "
				"then mount it: mount %s"),
			      target);
	else
		result_remedy(
			comparison->ret, finding,
			_("The filesystem of %s is on no device now: look for its disk first."),
			target);
	cite_before(comparison, finding, expected);
}

static void say_gone(struct comparison *comparison, const struct expected *expected)
{
	struct finding *finding = find(comparison, "mount-gone-as-planned", VERDICT_PASS, expected);

	comparison->present++;
	result_say(comparison->ret, finding, _("%s is gone with its disk, as planned."),
		   expected->mount->target);
	cite_before(comparison, finding, expected);
}

static void say_covered(struct comparison *comparison, const struct expected *expected,
			const struct mount *mount)
{
	struct finding *finding = find(comparison, "covered", VERDICT_FAIL, expected);

	result_say(comparison->ret, finding, _("%s is mounted, but a later mount above covers it."),
		   mount->target);
	result_remedy(comparison->ret, finding, _("Unmount what lies over %s."), mount->target);
	cite_now(comparison, finding, mount);
}

static void judge_absence(struct comparison *comparison, const struct expected *expected)
{
	const char *target = expected->mount->target;
	const struct mount *covered = mounts_hidden_at(comparison->now.mounts, target);
	AUTO_STRV char **names = NULL;

	if (covered)
		say_covered(comparison, expected, covered);
	else if (is_taken_out(comparison, expected->device))
		say_gone(comparison, expected);
	else if (host_list(comparison->step->host, target, &names, NULL) == 0)
		say_empty_directory(comparison, expected, strv_length(names));
	else
		say_missing(comparison, expected);
}

/* ---- mounted ---------------------------------------------------------------------------- */

/* The same partition of the same disk: all there is to go by where no UUID was ever told. */
static bool same_partition(const struct block *a, const struct block *b)
{
	if (a->fs_uuid || b->fs_uuid || !a->disk || !b->disk || a->partition != b->partition)
		return false;
	return !a->disk->key_shared && !b->disk->key_shared &&
	       same_text(a->disk->key, b->disk->key);
}

/* 1 the same, 0 another, -1 cannot be told. */
static int same_filesystem(const struct expected *expected, const struct mount *mount,
			   const struct block *device)
{
	const struct block *before = expected->device;

	if (strcmp(mount->fstype, "zfs") == 0 && !same_text(mount->source, expected->mount->source))
		return 0;
	if (!device || strcmp(mount->root, expected->mount->root) != 0)
		return 0;
	if (before->fs_uuid && device->fs_uuid)
		return strcmp(before->fs_uuid, device->fs_uuid) == 0;
	if (before->part_uuid && device->part_uuid)
		return strcmp(before->part_uuid, device->part_uuid) == 0;
	return same_partition(before, device) ? 1 : -1;
}

static void say_present(struct comparison *comparison, const struct expected *expected,
			const struct mount *mount)
{
	struct finding *finding = find(comparison, "present", VERDICT_PASS, expected);

	comparison->present++;
	result_say(comparison->ret, finding, _("%s is mounted as before."), mount->target);
	cite_now(comparison, finding, mount);
}

static void say_other(struct comparison *comparison, const struct expected *expected,
		      const struct mount *mount)
{
	struct finding *finding =
		find(comparison, "mount-other-filesystem", VERDICT_FAIL, expected);

	result_say(comparison->ret, finding, _("Another filesystem than before is mounted at %s."),
		   mount->target);
	result_remedy(comparison->ret, finding,
		      _("Stop what uses %s, unmount it, and name its device by UUID in "
			"/etc/fstab."),
		      mount->target);
	cite_now(comparison, finding, mount);
	cite_before(comparison, finding, expected);
}

static void say_unknown(struct comparison *comparison, const struct expected *expected,
			const struct mount *mount)
{
	struct finding *finding = find(comparison, "unreadable", VERDICT_UNKNOWN, expected);

	result_say(comparison->ret, finding,
		   _("Whether the filesystem at %s is the one of before is not known: its UUID is "
		     "not told."),
		   mount->target);
	result_remedy(comparison->ret, finding, "%s",
		      _("Run as root, so that devices can be asked what they carry."));
	cite_now(comparison, finding, mount);
	cite_before(comparison, finding, expected);
}

static void judge(struct comparison *comparison, const struct expected *expected)
{
	const struct mount *mount = mounts_at(comparison->now.mounts, expected->mount->target);
	int same;

	if (!mount) {
		judge_absence(comparison, expected);
		return;
	}
	/* Mounted at its first use; until then there is nothing to compare. */
	if (strcmp(mount->fstype, "autofs") == 0) {
		say_present(comparison, expected, mount);
		return;
	}
	same = same_filesystem(expected, mount, blocks_of_mount(comparison->now.blocks, mount));
	if (same > 0)
		say_present(comparison, expected, mount);
	else if (same == 0)
		say_other(comparison, expected, mount);
	else
		say_unknown(comparison, expected, mount);
}

int mounts_compare(struct comparison *comparison, struct error *err)
{
	const struct mounts *mounts = comparison->before.mounts;
	struct expected expected;

	comparison_judge_malformed(comparison, comparison->now.mounts, "");
	comparison_judge_malformed(comparison, mounts,
				   host_root(facts_host(comparison->step->before)));
	for (size_t i = 0; i < mounts->n; i++) {
		if (!is_expected(comparison, &mounts->items[i], &expected))
			continue;
		if (!expected.device) {
			comparison_judge_no_device(comparison, expected.mount);
			continue;
		}
		comparison->entries++;
		judge(comparison, &expected);
	}
	return comparison->ret->failed == -ENOMEM ? error_oom(err) : 0;
}

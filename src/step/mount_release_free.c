/* SPDX-License-Identifier: MIT */
/*
 * Is the device itself free?  Four questions, because each is blind alone:
 *
 * 1. open(2) with O_EXCL of every member: the kernel grants it only when no
 *    filesystem, volume, array or swap holds the device, whatever the mount
 *    namespace.  A raw opener does not keep it from that.
 * 2. An open descriptor on a member, on its disk or on a partition of it.
 * 3. The filesystem's number in the mountinfo of any process.  A namespace
 *    that only a bind mount of /proc/PID/ns/mnt keeps is in none.
 * 4. The filesystem's entry below /sys/fs, where it has one.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/intl.h"
#include "base/strv.h"
#include "probe/paths.h"
#include "step/mount_release.h"
#include "sys/clock.h"
#include "sys/devfree.h"

/* udev looks into a device for an instant when it was closed after writing. */
#define LOOKS 10
#define LOOK_PAUSE_US UINT64_C(200000)
#define HOLDERS_SHOWN 16

struct look {
	const struct step *step;
	const struct release_fs *fs;
	struct result *result;
	bool held[64];    /* by member: O_EXCL gave EBUSY */
	struct error why; /* of the first member that could not be asked */
	const char *unasked;
	bool sysfs;
	struct holders holders;
};

static void look_done(struct look *look)
{
	holders_done(&look->holders);
	error_done(&look->why);
	look->unasked = NULL;
	look->sysfs = false;
	memset(look->held, 0, sizeof(look->held));
}

static int take_look(struct look *look, struct error *err)
{
	const struct release_fs *fs = look->fs;

	for (size_t i = 0; i < fs->n_members && i < ELEMENTS(look->held); i++) {
		const struct release_member *member = &fs->members[i];
		int r = device_is_free(look->step->host, member->name,
				       makedev(member->major, member->minor),
				       look->unasked ? NULL : &look->why);

		look->held[i] = r == 0;
		if (r < 0 && !look->unasked)
			look->unasked = member->name;
	}
	look->sysfs = fs->sysfs && host_exists(look->step->host, fs->sysfs, NULL) > 0;
	return release_holders(look->step, fs, &look->holders, err);
}

static size_t n_held(const struct look *look)
{
	size_t n = 0;

	for (size_t i = 0; i < ELEMENTS(look->held); i++)
		n += look->held[i];
	return n;
}

static bool is_clean(const struct look *look)
{
	return !n_held(look) && !look->holders.n && !look->sysfs;
}

/* ---- EBUSY -------------------------------------------------------------------------------- */

/* What the kernel has made of the device, and which namespaces a bind mount keeps. */
static void list_suspects(const struct look *look, const char *name, struct buf *ret)
{
	CLEANUP(cleanup_mounts) struct mounts *mounts = NULL;
	AUTO_STRV char **above = NULL;
	AUTO_FREE char *path = NULL;

	if (asprintf(&path, PATH_CLASS_BLOCK "/%s/holders", name) < 0)
		path = NULL;
	else if (host_list(look->step->host, path, &above, NULL) == 0)
		for (char **other = above; other && *other; other++)
			buf_addf(ret, "%s%s/%s", ret->len ? ", " : "", path, *other);
	if (mounts_load(look->step->host, &mounts, NULL) < 0)
		return;
	for (size_t i = 0; i < mounts->n; i++)
		if (strcmp(mounts->items[i].fstype, "nsfs") == 0 && mounts->items[i].root &&
		    strncmp(mounts->items[i].root, "mnt:", 4) == 0)
			buf_addf(ret, "%s%s on %s", ret->len ? ", " : "", mounts->items[i].root,
				 mounts->items[i].target);
}

static void say_held(const struct look *look, const char *name)
{
	bool nobody = look->holders.n == 0;
	AUTO_BUF source = BUF_INIT, suspects = BUF_INIT;
	struct finding *finding = result_find(look->result, nobody ? "pinned" : "device-held",
					      VERDICT_FAIL, "%s", name);

	buf_addf(&source, "open(" PATH_DEV "/%s, O_RDONLY | O_EXCL)", name);
	list_suspects(look, name, &suspects);
	result_say(look->result, finding,
		   nobody ? _("%s was unmounted here, and the kernel still holds %s; no process is "
			      "seen that does.")
			  : _("%s was unmounted here, and the kernel still holds %s."),
		   release_name(look->fs), name);
	if (nobody)
		result_remedy(
			look->result, finding,
			_("It can be a mount namespace that no process is in and a bind mount "
			  "keeps (findmnt -t nsfs), or the kernel itself: a swap (swapon), an "
			  "array (cat /proc/mdstat), a volume (dmsetup ls --tree), a loop "
			  "device (losetup -l). End that, then go on."));
	else
		result_remedy(look->result, finding, "%s",
			      _("End what is named with it, then go on."));
	result_evidence(look->result, finding, buf_text(&source), "EBUSY", NULL, NULL);
	if (suspects.len)
		result_evidence(look->result, finding, PATH_CLASS_BLOCK, buf_text(&suspects), NULL,
				NULL);
}

/* ---- what was seen ------------------------------------------------------------------------- */

static const char *id_of(const struct holder *holder)
{
	return holder->type == HOLDER_MOUNT    ? "mounted-elsewhere"
	       : holder->type == HOLDER_DEVICE ? "device-open"
					       : "held";
}

static void say_sysfs(const struct look *look)
{
	struct finding *finding = result_find(look->result, "still-active", VERDICT_FAIL, "%s",
					      release_name(look->fs));

	result_say(look->result, finding, _("The filesystem that was at %s is still active."),
		   release_name(look->fs));
	result_remedy(look->result, finding, "%s",
		      _("It is mounted elsewhere, or a file of it is open: end what is named with "
			"it."));
	result_evidence(look->result, finding, look->fs->sysfs, _("there"), NULL, NULL);
}

static void say_gap(const struct look *look)
{
	struct finding *finding = result_find(look->result, "not-seen", VERDICT_UNKNOWN, "%s",
					      release_name(look->fs));

	result_say(look->result, finding,
		   _("Not every process could be looked at, so it is not known whether one has a "
		     "device of %s open."),
		   release_name(look->fs));
	result_remedy(look->result, finding, "%s",
		      _("Run as root, on the machine itself and not in a container."));
	for (char **gap = look->holders.gaps; *gap; gap++)
		result_evidence(look->result, finding, PATH_PROC, *gap, NULL, NULL);
}

static void say_free(const struct look *look)
{
	const struct release_fs *fs = look->fs;
	AUTO_BUF devices = BUF_INIT, seen = BUF_INIT;
	struct finding *finding =
		result_find(look->result, "free", VERDICT_PASS, "%s", release_name(fs));

	for (size_t i = 0; i < fs->n_members; i++)
		buf_addf(&devices, "%s%s", i ? ", " : "", fs->members[i].name);
	result_say(look->result, finding, _("%s is unmounted, and %s is free."), release_name(fs),
		   buf_text(&devices));
	for (size_t i = 0; i < fs->n_members; i++) {
		AUTO_BUF source = BUF_INIT;

		buf_addf(&source, "open(" PATH_DEV "/%s, O_RDONLY | O_EXCL)", fs->members[i].name);
		result_evidence(look->result, finding, buf_text(&source), _("granted"), NULL, NULL);
	}
	buf_addf(&seen, _("none of %zu processes has a device of it open, or has %u:%u mounted"),
		 look->holders.processes, fs->major, fs->minor);
	result_evidence(look->result, finding, PATH_PROC, buf_text(&seen), NULL, NULL);
	if (fs->sysfs)
		result_evidence(look->result, finding, fs->sysfs, _("not there"), NULL, NULL);
}

static enum standing say(const struct look *look)
{
	const struct release_fs *fs = look->fs;

	for (size_t i = 0; i < fs->n_members && i < ELEMENTS(look->held); i++)
		if (look->held[i])
			say_held(look, fs->members[i].name);
	for (size_t i = 0; i < look->holders.n && i < HOLDERS_SHOWN; i++)
		release_say_holder(fs, &look->holders.items[i], id_of(&look->holders.items[i]),
				   VERDICT_FAIL, look->result);
	if (look->sysfs)
		say_sysfs(look);
	if (!is_clean(look))
		return STANDING_NO;
	if (look->unasked)
		result_unknown(look->result, "not-asked", look->unasked, PATH_DEV, &look->why);
	if (look->holders.gaps && look->holders.gaps[0])
		say_gap(look);
	if (look->unasked || (look->holders.gaps && look->holders.gaps[0]) ||
	    fs->n_members > ELEMENTS(look->held))
		return STANDING_UNKNOWN;
	say_free(look);
	return STANDING_YES;
}

static bool is_mounted_here(const struct mounts *mounts, const struct release_fs *fs,
			    struct result *result)
{
	for (size_t i = 0; i < mounts->n; i++) {
		const struct mount *mount = &mounts->items[i];
		AUTO_BUF source = BUF_INIT;
		struct finding *finding;

		if (mount->major != fs->major || mount->minor != fs->minor)
			continue;
		finding = result_find(result, "mounted", VERDICT_FAIL, "%s", mount->target);
		buf_addf(&source, PATH_MOUNTINFO ":%u", mount->line);
		result_say(result, finding, _("%s is mounted."), mount->target);
		result_remedy(
			result, finding,
			_("Go on with the session, which unmounts it, or see what mounted it: "
			  "journalctl -b -u %s"),
			"'*.mount'");
		result_evidence(result, finding, buf_text(&source), mount->source, NULL, NULL);
		return true;
	}
	return false;
}

int release_judge_free(const struct step *step, const struct release_fs *fs,
		       enum standing *ret_standing, struct result *result, struct error *err)
{
	CLEANUP(look_done) struct look look = { .step = step, .fs = fs, .result = result };
	CLEANUP(cleanup_mounts) struct mounts *mounts = NULL;
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r = mounts_load(step->host, &mounts, &why);

	*ret_standing = STANDING_UNKNOWN;
	if (r == 0 && is_mounted_here(mounts, fs, result)) {
		*ret_standing = STANDING_NO;
		return 0;
	}
	for (int i = 0; r == 0 && i < LOOKS; i++) {
		if (i)
			clock_pause(LOOK_PAUSE_US);
		look_done(&look);
		r = take_look(&look, &why);
		if (r == 0 && is_clean(&look))
			break;
	}
	if (r == -ENOMEM || r == -ECANCELED)
		return error_copy(err, &why);
	if (r < 0)
		result_unknown(result, "unreadable", release_name(fs), PATH_PROC, &why);
	else
		*ret_standing = say(&look);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Mounting again what was mounted before, each by the UUID of its filesystem. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"
#include "step/mount_release.h"
#include "sys/devfree.h"

static bool is_right(const struct mounts *mounts, const struct release_fs *fs,
		     const struct release_mount *was)
{
	const struct mount *mount = mounts_at(mounts, was->target);

	return mount && (fs->major || fs->minor) && mount->major == fs->major &&
	       mount->minor == fs->minor && strcmp(mount->root ? mount->root : "/", was->root) == 0;
}

/* An automount below it stands for nothing. */
static const struct mount *foreign_at(const struct mounts *mounts, const struct release_fs *fs,
				      const struct release_mount *was)
{
	const struct mount *mount = mounts_at(mounts, was->target);

	if (!mount || strcmp(mount->fstype, "autofs") == 0)
		return NULL;
	return mount->major == fs->major && mount->minor == fs->minor ? NULL : mount;
}

static void say_missing(const struct release_fs *fs, const struct release_mount *was,
			const struct mount *foreign, struct result *result)
{
	struct finding *finding = result_find(result, foreign ? "other-filesystem" : "not-mounted",
					      VERDICT_FAIL, "%s", was->target);

	result_say(result, finding,
		   foreign ? _("Another filesystem is mounted at %s than before.")
			   : _("%s is not mounted as it was before."),
		   was->target);
	if (foreign)
		result_remedy(
			result, finding,
			_("Unmount it, then mount the right one: umount %s; mount UUID=%s %s"),
			was->target, fs->uuid ? fs->uuid : "?", was->target);
	else
		result_remedy(result, finding, _("Mount it: mount %s; the reason is in dmesg."),
			      was->target);
	result_evidence(result, finding, PATH_MOUNTINFO,
			foreign ? foreign->source : _("no such mount"), NULL, fs->uuid);
}

/* btrfs has another number each time that it is mounted. */
static void renumber(const struct blocks *blocks, const struct mounts *mounts,
		     struct release_fs *fs)
{
	for (size_t i = 0; i < mounts->n; i++) {
		const struct block *block = blocks_of_mount(blocks, &mounts->items[i]);

		if (!block || !block->fs_uuid || !fs->uuid || strcmp(block->fs_uuid, fs->uuid) != 0)
			continue;
		fs->major = mounts->items[i].major;
		fs->minor = mounts->items[i].minor;
	}
}

static int load(const struct step *step, struct release *release, struct mounts **ret,
		struct error *err)
{
	const struct blocks *blocks;
	int r = mounts_load(step->host, ret, err);

	if (r == 0)
		r = facts_blocks(step->facts, &blocks, err);
	for (size_t i = 0; r == 0 && i < release->n; i++)
		renumber(blocks, *ret, &release->items[i]);
	return r;
}

static void say_back(const struct release *release, struct result *result)
{
	for (size_t i = 0; i < release->n; i++) {
		const struct release_fs *fs = &release->items[i];
		struct finding *finding =
			result_find(result, "mounted-again", VERDICT_PASS, "%s", release_name(fs));

		result_say(result, finding, _("%s is mounted as before."), release_name(fs));
		result_evidence(result, finding, PATH_MOUNTINFO, release_name(fs), NULL, fs->uuid);
	}
	result_summary(result, "%s", _("Everything is mounted as before."));
}

int release_judge_back(const struct step *step, struct release *release,
		       enum standing *ret_standing, struct result *result, struct error *err)
{
	CLEANUP(cleanup_mounts) struct mounts *mounts = NULL;
	int r = load(step, release, &mounts, err);

	*ret_standing = STANDING_UNKNOWN;
	if (r < 0)
		return r;
	*ret_standing = STANDING_YES;
	for (size_t i = 0; i < release->n; i++) {
		const struct release_fs *fs = &release->items[i];

		for (size_t k = 0; k < fs->n_mounts; k++) {
			if (is_right(mounts, fs, &fs->mounts[k]))
				continue;
			say_missing(fs, &fs->mounts[k], foreign_at(mounts, fs, &fs->mounts[k]),
				    result);
			*ret_standing = STANDING_NO;
		}
	}
	if (*ret_standing == STANDING_YES)
		say_back(release, result);
	return 0;
}

/* ---- the change ----------------------------------------------------------------------------- */

/* Where the directory of a bind mount is reached: the mount of the root, and the rest. */
static int bind_source(const struct release_fs *fs, const struct release_mount *was, char **ret)
{
	for (size_t i = 0; i < fs->n_mounts; i++)
		if (&fs->mounts[i] != was && strcmp(fs->mounts[i].root, "/") == 0)
			return asprintf(ret, "%s%s", fs->mounts[i].target, was->root) < 0 ? -ENOMEM
											  : 1;
	return 0;
}

static int source_of(const struct release_fs *fs, char **ret)
{
	if (fs->uuid)
		return asprintf(ret, "UUID=%s", fs->uuid) < 0 ? -ENOMEM : 0;
	return asprintf(ret, PATH_DEV "/%s", fs->members[0].name) < 0 ? -ENOMEM : 0;
}

static int put_one(const struct step *step, const struct release_fs *fs,
		   const struct release_mount *was, struct error *why)
{
	const struct fstab *fstab = NULL;
	AUTO_FREE char *source = NULL;
	int bound = 0;

	if (facts_fstab(step->facts, &fstab, NULL) == 0 && fstab_at(fstab, was->target))
		return mount_put_up(step->host, was->target, NULL, NULL, NULL, why);
	if (strcmp(was->root, "/") != 0 && strcmp(fs->fstype, "btrfs") != 0)
		bound = bind_source(fs, was, &source);
	if (bound > 0)
		return mount_put_up(step->host, was->target, source, NULL,
				    option_has(was->options, "ro") ? "bind,ro" : "bind", why);
	if (bound < 0 || source_of(fs, &source) < 0)
		return error_oom(why);
	return mount_put_up(step->host, was->target, source, fs->fstype, was->options, why);
}

static void say_failed(const struct release_mount *was, const struct error *why,
		       struct result *result)
{
	struct finding *finding =
		result_find(result, "not-mounted-again", VERDICT_FAIL, "%s", was->target);

	result_say(result, finding, "%s.", error_text(why));
	result_remedy(result, finding, "%s.", why->hint ? why->hint : _("see dmesg"));
	result_evidence(result, finding, "mount", error_text(why), NULL, NULL);
}

/* Each may have been mounted with another one: the list is read anew every time. */
static int put_mount(const struct step *step, struct release *release, struct release_fs *fs,
		     const struct release_mount *was, struct result *result, struct error *err)
{
	CLEANUP(cleanup_mounts) struct mounts *mounts = NULL;
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_BUF what = BUF_INIT;
	int r = load(step, release, &mounts, err);

	if (r < 0 || is_right(mounts, fs, was))
		return r;
	/* Never on top of somebody else's. */
	if (foreign_at(mounts, fs, was)) {
		say_missing(fs, was, foreign_at(mounts, fs, was), result);
		return 0;
	}
	buf_addf(&what, _("mounting %s"), was->target);
	step_progress(step, &(struct progress){ .what = buf_text(&what) });
	r = put_one(step, fs, was, &why);
	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0)
		say_failed(was, &why, result);
	return 0;
}

int release_put_back(const struct step *step, struct release *release, struct result *result,
		     struct error *err)
{
	enum standing standing;
	unsigned deepest = 0;
	int r = 0;

	for (size_t i = 0; i < release->n; i++)
		for (size_t k = 0; k < release->items[i].n_mounts; k++)
			if (release->items[i].mounts[k].depth > deepest)
				deepest = release->items[i].mounts[k].depth;
	/* The outermost first; of one depth the roots before what is bound from them. */
	for (unsigned depth = 0; depth <= deepest; depth++)
		for (int bound = 0; bound < 2; bound++)
			for (size_t i = 0; i < release->n; i++) {
				struct release_fs *fs = &release->items[i];

				for (size_t k = 0; r == 0 && k < fs->n_mounts; k++)
					if (fs->mounts[k].depth == depth &&
					    (strcmp(fs->mounts[k].root, "/") != 0) == bound)
						r = put_mount(step, release, fs, &fs->mounts[k],
							      result, err);
			}
	return r < 0 || result->verdict == VERDICT_FAIL
		       ? r
		       : release_judge_back(step, release, &standing, result, err);
}

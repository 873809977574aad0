/* SPDX-License-Identifier: MIT */
/* What a filesystem is made of, and whether the running system can do without it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "probe/paths.h"
#include "step/mount_release.h"

#define MAPS_MAX ((size_t)1 << 20)

/* ---- members ----------------------------------------------------------------------- */

static int add_member(struct release_fs *fs, const char *name, unsigned major, unsigned minor)
{
	struct release_member *members =
		reallocarray(fs->members, fs->n_members + 1, sizeof(*members));

	if (!members)
		return -ENOMEM;
	fs->members = members;
	members[fs->n_members] = (struct release_member){ strdup(name), major, minor };
	return members[fs->n_members].name ? (fs->n_members++, 0) : -ENOMEM;
}

static int say_not_told(struct result *result, const struct mount *mount, const char *source,
			const char *observed)
{
	struct finding *finding =
		result_find(result, "not-told", VERDICT_UNKNOWN, "%s", mount->target);

	result_say(result, finding,
		   _("It is not told which devices the filesystem at %s is made "
		     "of."),
		   mount->target);
	result_remedy(result, finding,
		      _("See what holds it: findmnt %s; lsblk. Leave it out of mounts, or unmount "
			"it by hand."),
		      mount->target);
	result_evidence(result, finding, source, observed, NULL, NULL);
	return 0;
}

/* /sys/fs/btrfs/UUID/devices names them all, missing ones apart. */
static int add_pool(const struct blocks *blocks, char *const *names, struct release_fs *fs)
{
	for (char *const *name = names; name && *name; name++) {
		const struct block *block = blocks_by_name(blocks, *name);

		if (!block)
			return -ENODEV;
		if (add_member(fs, block->name, block->major, block->minor) < 0)
			return -ENOMEM;
	}
	return fs->n_members ? 1 : -ENODEV;
}

static int find_pool(const struct step *step, const struct blocks *blocks,
		     const struct block *block, struct release_fs *fs, struct error *why)
{
	AUTO_STRV char **pools = NULL;
	int r = host_list(step->host, PATH_FS_BTRFS, &pools, why);

	for (char **pool = pools; r >= 0 && pool && *pool; pool++) {
		AUTO_STRV char **names = NULL;
		AUTO_FREE char *path = NULL;

		if (asprintf(&path, PATH_FS_BTRFS "/%s/devices", *pool) < 0)
			return -ENOMEM;
		r = host_list(step->host, path, &names, NULL);
		if (r == -ENOMEM)
			return r;
		if (r < 0 || !strv_has(names, block->name)) {
			r = 0;
			continue;
		}
		path[strlen(path) - strlen("/devices")] = '\0';
		fs->sysfs = TAKE(path);
		return add_pool(blocks, names, fs);
	}
	return r < 0 ? r : -ENODEV;
}

/* A journal or a log on a device of its own is held as the filesystem's first one is. */
static int add_option(const struct blocks *blocks, const struct mount *mount, const char *name,
		      struct release_fs *fs)
{
	AUTO_FREE char *path = NULL;
	const struct block *block[1];
	int r = mount->options ? option_value(mount->options, name, 0, &path) : 0;

	if (r <= 0)
		return r;
	if (blocks_by_path(blocks, path, block, 1) != 1)
		return -ENODEV;
	return add_member(fs, block[0]->name, block[0]->major, block[0]->minor);
}

static int find_single(const struct step *step, const struct blocks *blocks,
		       const struct mount *mount, const struct block *block, struct release_fs *fs)
{
	static const char *const logs[] = { "logdev", "rtdev", "journal_path" };
	static const char *const entries[] = { PATH_FS_EXT4, PATH_FS_XFS, PATH_FS_F2FS };
	int r = add_member(fs, block->name, block->major, block->minor);

	for (size_t i = 0; r == 0 && i < ELEMENTS(logs); i++)
		r = add_option(blocks, mount, logs[i], fs);
	for (size_t i = 0; r == 0 && i < ELEMENTS(entries) && !fs->sysfs; i++) {
		AUTO_FREE char *path = NULL;

		if (asprintf(&path, "%s/%s", entries[i], block->name) < 0)
			return -ENOMEM;
		if (host_exists(step->host, path, NULL) > 0)
			fs->sysfs = TAKE(path);
	}
	return r < 0 ? r : 1;
}

int release_find_members(const struct step *step, const struct blocks *blocks,
			 const struct mount *mount, struct release_fs *fs, struct result *result,
			 struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	const struct block *block = blocks_of_mount(blocks, mount);
	bool pool = strcmp(mount->fstype, "btrfs") == 0;
	int r = -ENODEV;

	if (block && block->fs_uuid && !(fs->uuid = strdup(block->fs_uuid)))
		return error_oom(err);
	if (block && pool)
		r = find_pool(step, blocks, block, fs, &why);
	else if (block && mount->major)
		r = find_single(step, blocks, mount, block, fs);
	if (r == -ENOMEM)
		return error_oom(err);
	if (r > 0)
		return 1;
	return say_not_told(result, mount, pool ? PATH_FS_BTRFS : PATH_CLASS_BLOCK,
			    mount->source ? mount->source : mount->fstype);
}

/* ---- need --------------------------------------------------------------------------- */

/* Where a running system lies. */
static const char *const needed[] = {
	"/",      PATH_USR,  PATH_VAR,      PATH_VAR_LIB,   PATH_VAR_LOG,       PATH_ETC,
	PATH_RUN, PATH_BOOT, PATH_BOOT_EFI, PATH_EFI_MOUNT, PATH_BOOT_FIRMWARE,
};

static bool is_same(const struct mount *a, const struct mount *b)
{
	return a && b && a->major == b->major && a->minor == b->minor;
}

static void say_needed(const struct mount *mount, bool named, const char *what,
		       struct result *result)
{
	struct finding *finding = result_find(result, "needed", named ? VERDICT_FAIL : VERDICT_SKIP,
					      "%s", mount->target);
	AUTO_BUF source = BUF_INIT;

	buf_addf(&source, PATH_MOUNTINFO ":%u", mount->line);
	result_say(result, finding, _("%s stays mounted: its filesystem holds %s."), mount->target,
		   what);
	if (named)
		result_remedy(result, finding, "%s",
			      _("Leave it out of mounts; the shutdown unmounts it."));
	result_evidence(result, finding, buf_text(&source), what, NULL, NULL);
}

/* The first of the paths that lies on the same filesystem, or NULL. */
static const char *found_on(const struct step *step, const struct mounts *mounts,
			    const struct mount *mount, char *const *paths)
{
	for (char *const *path = paths; path && *path; path++) {
		AUTO_FREE char *real = NULL;

		if (host_realpath(step->host, *path, &real, NULL) < 0)
			real = NULL;
		if (is_same(mounts_over(mounts, real ? real : *path), mount))
			return *path;
	}
	return NULL;
}

/* What is mapped into this very process. */
static int list_libraries(const struct step *step, char ***ret, struct error *err)
{
	AUTO_BUF text = BUF_INIT;
	char *rest = NULL;

	/* Not told in a capture: there the libraries are another machine's anyway. */
	if (!host_is_live(step->host) ||
	    host_read(step->host, PATH_SELF_MAPS, MAPS_MAX, &text, NULL) < 0)
		return 0;
	for (char *line = text.data ? strtok_r(text.data, "\n", &rest) : NULL; line;
	     line = strtok_r(NULL, "\n", &rest)) {
		const char *path = strchr(line, '/');

		if (path && !strv_has(*ret, path) && strv_add(ret, path) < 0)
			return error_oom(err);
	}
	return 0;
}

/* coldswap's own: the session would lose its memory, or itself. */
static int list_own(const struct step *step, const struct mount_release_params *params, char ***ret,
		    struct error *err)
{
	const char *const paths[] = { step->state, step->program, params->copy_to };

	for (size_t i = 0; i < ELEMENTS(paths); i++)
		if (paths[i] && strv_add(ret, paths[i]) < 0)
			return error_oom(err);
	return list_libraries(step, ret, err);
}

int release_judge_need(const struct step *step, const struct mount_release_params *params,
		       const struct mounts *mounts, const struct mount *mount, bool named,
		       struct result *result, struct error *err)
{
	AUTO_STRV char **own = NULL;
	const char *held;
	int r;

	for (size_t i = 0; i < ELEMENTS(needed); i++)
		if (is_same(mounts_at(mounts, needed[i]), mount)) {
			say_needed(mount, named, needed[i], result);
			return 0;
		}
	r = list_own(step, params, &own, err);
	if (r < 0)
		return r;
	held = found_on(step, mounts, mount, own);
	if (held)
		say_needed(mount, named, held, result);
	return !held;
}

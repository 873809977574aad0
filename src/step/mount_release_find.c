/* SPDX-License-Identifier: MIT */
/* Which filesystems are to be released, and all mounts of them. */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "probe/fskind.h"
#include "probe/identity.h"
#include "probe/paths.h"
#include "step/mount_release.h"
#include "work/work.h"

static void fs_done(struct release_fs *fs)
{
	for (size_t i = 0; i < fs->n_members; i++)
		free(fs->members[i].name);
	for (size_t i = 0; i < fs->n_mounts; i++) {
		free(fs->mounts[i].target);
		free(fs->mounts[i].root);
		free(fs->mounts[i].options);
		free(fs->mounts[i].source);
	}
	free(fs->members);
	free(fs->mounts);
	free(fs->fstype);
	free(fs->uuid);
	free(fs->sysfs);
}

void release_done(struct release *release)
{
	for (size_t i = 0; i < release->n; i++)
		fs_done(&release->items[i]);
	free(release->items);
	free(release->boot_id);
	*release = (struct release){ 0 };
}

const char *release_name(const struct release_fs *fs)
{
	/* The last to go was mounted first. */
	return fs->n_mounts ? fs->mounts[fs->n_mounts - 1].target : fs->members[0].name;
}

/* ---- mounts of one filesystem --------------------------------------------------------- */

static bool is_of(const struct mount *mount, const struct release_fs *fs)
{
	return mount->major == fs->major && mount->minor == fs->minor;
}

static const struct mount *parent_of(const struct mounts *mounts, const struct mount *mount)
{
	for (size_t i = 0; i < mounts->n; i++)
		if (mounts->items[i].id == mount->parent && &mounts->items[i] != mount)
			return &mounts->items[i];
	return NULL;
}

/* mount --move keeps the order of the list, so that alone does not tell. */
static unsigned depth_of(const struct mounts *mounts, const struct mount *mount)
{
	unsigned depth = 0;

	while (depth < mounts->n && (mount = parent_of(mounts, mount)))
		depth++;
	return depth;
}

static int deepest_first(const void *a, const void *b)
{
	const struct release_mount *x = a, *y = b;

	if (x->depth != y->depth)
		return x->depth < y->depth ? 1 : -1;
	return strcmp(x->target, y->target);
}

static int add_mount(const struct step *step, const struct mounts *mounts,
		     const struct mount *mount, struct release_fs *fs)
{
	struct release_mount *added = &fs->mounts[fs->n_mounts];
	struct stat st;

	*added = (struct release_mount){ .depth = depth_of(mounts, mount) };
	added->target = strdup(mount->target);
	added->root = strdup(mount->root ? mount->root : "/");
	added->options = strdup(mount->options ? mount->options : "");
	added->source = strdup(mount->source ? mount->source : "");
	fs->n_mounts++;
	if (!added->target || !added->root || !added->options || !added->source)
		return -ENOMEM;
	if (host_is_live(step->host) && host_stat(step->host, mount->target, &st, NULL) == 0)
		added->dev = st.st_dev;
	return 0;
}

static int add_mounts(const struct step *step, const struct mounts *mounts, struct release_fs *fs)
{
	int r = 0;

	fs->mounts = calloc(mounts->n + 1, sizeof(*fs->mounts));
	if (!fs->mounts)
		return -ENOMEM;
	for (size_t i = 0; r == 0 && i < mounts->n; i++)
		if (is_of(&mounts->items[i], fs))
			r = add_mount(step, mounts, &mounts->items[i], fs);
	if (r == 0)
		qsort(fs->mounts, fs->n_mounts, sizeof(*fs->mounts), deepest_first);
	return r;
}

/* ---- what cannot be released ------------------------------------------------------------- */

static void refuse(struct result *result, const struct mount *mount, const char *id,
		   enum verdict verdict, const char *sentence, const char *remedy)
{
	struct finding *finding = result_find(result, id, verdict, "%s", mount->target);
	AUTO_BUF source = BUF_INIT, observed = BUF_INIT;

	buf_addf(&source, PATH_MOUNTINFO ":%u", mount->line);
	buf_addf(&observed, "%u:%u %s on %s type %s", mount->major, mount->minor,
		 mount->source ? mount->source : "none", mount->target, mount->fstype);
	result_say(result, finding, "%s: %s", mount->target, sentence);
	result_remedy(result, finding, "%s", remedy);
	result_evidence(result, finding, buf_text(&source), buf_text(&observed), NULL, NULL);
}

/* Filesystems without a block device that could be asked. */
static bool has_device(struct result *result, const struct mount *mount)
{
	static const char out[] = N_("Leave it out of mounts.");

	if (strcmp(mount->fstype, "zfs") == 0) {
		refuse(result, mount, "not-told", VERDICT_UNKNOWN,
		       _("whether the devices of a ZFS pool are free is not told by a umount."),
		       _("Export the pool with a step of its own (zpool export), and leave it "
			 "out of mounts."));
		return false;
	}
	if (fskind_of(mount->fstype) == FSKIND_NETWORK)
		refuse(result, mount, "no-device", VERDICT_FAIL,
		       _("it lies on another machine; there is no device here to free."), _(out));
	else if (fskind_of(mount->fstype) == FSKIND_MEMORY)
		refuse(result, mount, "no-device", VERDICT_FAIL,
		       _("it lies in memory; there is no device to free."), _(out));
	else if (strncmp(mount->fstype, "fuse", 4) == 0)
		refuse(result, mount, "no-device", VERDICT_FAIL,
		       _("a program serves it (FUSE); what it holds is that program's to say."),
		       _("Stop that program with a step of its own, and leave it out of mounts."));
	else if (strcmp(mount->fstype, "overlay") == 0)
		refuse(result, mount, "no-device", VERDICT_FAIL,
		       _("it is laid over other filesystems (overlay), and has no device itself."),
		       _(out));
	else
		return true;
	return false;
}

/* Something else is mounted on it that is not released: EBUSY without a process. */
static bool is_clear(const struct mounts *mounts, const struct release *release,
		     const struct release_fs *fs, struct result *result)
{
	for (size_t i = 0; i < mounts->n; i++) {
		const struct mount *mount = &mounts->items[i];
		const struct mount *parent = parent_of(mounts, mount);
		bool ours = false;

		if (!parent || !is_of(parent, fs))
			continue;
		for (size_t k = 0; k < release->n; k++)
			ours |= is_of(mount, &release->items[k]);
		if (ours)
			continue;
		refuse(result, mount, "nested", VERDICT_FAIL,
		       _("it is mounted on a filesystem that is to be released, and stays."),
		       _("Name it in mounts as well, or unmount it with what uses it."));
		return false;
	}
	return true;
}

/* A bind mount can be made again only where its directory can be reached. */
static bool can_come_back(const struct release_fs *fs, struct result *result)
{
	if (strcmp(fs->fstype, "btrfs") == 0)
		return true;
	for (size_t i = 0; i < fs->n_mounts; i++)
		if (strcmp(fs->mounts[i].root, "/") == 0)
			return true;
	{
		const char *target = release_name(fs);
		struct finding *finding =
			result_find(result, "no-way-back", VERDICT_FAIL, "%s", target);

		result_say(result, finding,
			   _("%s is a directory of a filesystem whose own root is mounted nowhere "
			     "here: it could not be mounted again."),
			   target);
		result_remedy(result, finding, "%s",
			      _("Unmount it by hand, with what uses it, and leave it out of "
				"mounts."));
		result_evidence(result, finding, PATH_MOUNTINFO, fs->mounts[0].root, NULL, NULL);
	}
	return false;
}

/* ---- the parameters --------------------------------------------------------------------------- */

struct finding_out {
	const struct step *step;
	const struct mount_release_params *params;
	const struct mounts *mounts;
	const struct blocks *blocks;
	struct release *release;
	struct result *result;
	struct error *err;
};

static bool is_found(const struct release *release, const struct mount *mount)
{
	for (size_t i = 0; i < release->n; i++)
		if (is_of(mount, &release->items[i]))
			return true;
	return false;
}

static int add_fs(struct finding_out *out, const struct mount *mount)
{
	struct release_fs *items =
		reallocarray(out->release->items, out->release->n + 1, sizeof(*items));
	struct release_fs *fs;
	int r;

	if (!items)
		return error_oom(out->err);
	out->release->items = items;
	fs = &items[out->release->n];
	*fs = (struct release_fs){ .major = mount->major, .minor = mount->minor };
	fs->fstype = strdup(mount->fstype);
	if (!fs->fstype || add_mounts(out->step, out->mounts, fs) < 0) {
		fs_done(fs);
		return error_oom(out->err);
	}
	r = release_find_members(out->step, out->blocks, mount, fs, out->result, out->err);
	if (r > 0 && can_come_back(fs, out->result))
		out->release->n++;
	else
		fs_done(fs);
	return r < 0 ? r : 0;
}

static int take(struct finding_out *out, const char *target, bool named)
{
	const struct mount *mount = mounts_at(out->mounts, target);
	struct finding *finding;
	int r;

	if (!mount && named) {
		finding = result_find(out->result, "not-mounted", VERDICT_FAIL, "%s", target);
		result_say(out->result, finding, _("Nothing is mounted at %s."), target);
		result_remedy(out->result, finding,
			      _("Name a mount point as `findmnt` shows it, or leave it out of "
				"mounts."));
		result_evidence(out->result, finding, PATH_MOUNTINFO, _("no such mount point"),
				NULL, NULL);
	}
	if (!mount || is_found(out->release, mount))
		return 0;
	if (!has_device(out->result, mount))
		return 0;
	r = release_judge_need(out->step, out->params, out->mounts, mount, named, out->result,
			       out->err);
	return r > 0 ? add_fs(out, mount) : r;
}

static int take_all(struct finding_out *out)
{
	AUTO_STRV char **below = NULL;
	char **targets = out->params->mounts;
	bool named = targets != NULL;
	int r = 0;

	if (!named && work_mount_points(out->step->work, out->mounts, &below) < 0)
		return error_oom(out->err);
	if (!named)
		targets = below;
	for (char **target = targets; r == 0 && target && *target; target++)
		r = take(out, *target, named);
	for (size_t i = 0; r == 0 && i < out->release->n; i++)
		is_clear(out->mounts, out->release, &out->release->items[i], out->result);
	return r;
}

static int unreadable(struct result *result, const char *source, const struct error *why,
		      struct error *err)
{
	if (why->code == -ENOMEM || why->code == -ECANCELED)
		return error_copy(err, why);
	result_unknown(result, "unreadable", source, source, why);
	return 0;
}

int release_find(const struct step *step, const struct mount_release_params *params,
		 struct release *ret, struct result *result, struct error *err)
{
	CLEANUP(cleanup_mounts) struct mounts *mounts = NULL;
	CLEANUP(identity_done) struct identity identity = IDENTITY_INIT;
	CLEANUP(error_done) struct error why = ERROR_INIT;
	struct finding_out out = { step, params, NULL, NULL, ret, result, err };
	int r = mounts_load(step->host, &mounts, &why);

	if (r < 0)
		return unreadable(result, PATH_MOUNTINFO, &why, err);
	r = facts_blocks(step->facts, &out.blocks, &why);
	if (r < 0)
		return unreadable(result, PATH_CLASS_BLOCK, &why, err);
	if (identity_load(step->host, &identity, NULL) == 0)
		ret->boot_id = TAKE(identity.boot_id);
	out.mounts = mounts;
	return take_all(&out);
}

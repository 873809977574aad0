/* SPDX-License-Identifier: MIT */
/*
 * mount.release: unmount the filesystems of the disks that are to be touched,
 * and prove that the devices are free in every mount namespace.
 *
 * The umount itself proves nothing: see mount_release_free.c.  It is never
 * lazy and never forced; what is in use is named instead.
 */
#include "step/mount_release.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"
#include "sys/devfree.h"

#define UMOUNTS_MAX 4096

static const struct param_row params[] = {
	{ .name = "mounts",
	  .type = PARAM_PATHS,
	  .offset = PARAM_OFFSET(mount_release_params, mounts),
	  .help = N_("Mount points; each filesystem is unmounted everywhere. Default: every one "
		     "mounted from a disk of the work that the running system can do without.") },
	{ .name = "copy_to",
	  .type = PARAM_PATH,
	  .offset = PARAM_OFFSET(mount_release_params, copy_to),
	  .help = N_("Where the copy lies: its filesystem stays mounted.") },
	{ 0 },
};

static const struct output_row outputs[] = {
	{ "filesystems", OUTPUT_INT, N_("How many filesystems were released.") },
	{ 0 },
};

/* ---- unmounting ----------------------------------------------------------------------------- */

static const struct release_fs *fs_of(const struct release *release, const struct mount *mount)
{
	for (size_t i = 0; i < release->n; i++)
		if (release->items[i].major == mount->major &&
		    release->items[i].minor == mount->minor)
			return &release->items[i];
	return NULL;
}

static bool carries_another(const struct mounts *mounts, const struct mount *mount)
{
	for (size_t i = 0; i < mounts->n; i++)
		if (mounts->items[i].parent == mount->id && &mounts->items[i] != mount)
			return true;
	return false;
}

/* One that carries no other, the last such; NULL: none of them is mounted. */
static const struct mount *next_of(const struct mounts *mounts, const struct release *release)
{
	const struct mount *any = NULL;

	for (size_t i = mounts->n; i > 0; i--) {
		const struct mount *mount = &mounts->items[i - 1];

		if (!fs_of(release, mount))
			continue;
		if (!carries_another(mounts, mount))
			return mount;
		any = mount;
	}
	return any;
}

static int say_refused(const struct step *step, const struct release_fs *fs,
		       const struct mount *mount, const struct error *why, struct result *result,
		       struct error *err)
{
	struct finding *finding;

	if (why->code == -ENOMEM || why->code == -ECANCELED)
		return error_copy(err, why);
	if (why->code == -EBUSY)
		return release_say_busy(step, fs, why, result, err);
	finding = result_find(result, "not-unmounted", VERDICT_FAIL, "%s", mount->target);
	result_say(result, finding, "%s.", error_text(why));
	result_remedy(result, finding, "%s.", why->hint ? why->hint : _("see dmesg"));
	result_evidence(result, finding, "umount2", error_text(why), NULL, NULL);
	return 0;
}

/* 1 one was taken down, 0 none is left or it was refused (and said). */
static int take_one(const struct step *step, const struct release *release, struct result *result,
		    struct error *err)
{
	CLEANUP(cleanup_mounts) struct mounts *mounts = NULL;
	CLEANUP(error_done) struct error why = ERROR_INIT;
	const struct mount *mount;
	AUTO_BUF what = BUF_INIT;
	int r;

	if (*step->cancelled)
		return error_set(err, -ECANCELED, "%s", _("stopped by the operator"));
	r = mounts_load(step->host, &mounts, err);
	if (r < 0)
		return r;
	mount = next_of(mounts, release);
	if (!mount)
		return 0;
	buf_addf(&what, _("unmounting %s"), mount->target);
	step_progress(step, &(struct progress){ .what = buf_text(&what) });
	/* By its path another one would go, which covers it. */
	if (mounts_at(mounts, mount->target) != mount)
		r = error_set(&why, -EBUSY, _("another mount covers it"));
	else
		r = mount_take_down(step->host, mount->target, &why);
	return r < 0 ? say_refused(step, fs_of(release, mount), mount, &why, result, err) : 1;
}

static int take_down(const struct step *step, const struct release *release, struct result *result,
		     struct error *err)
{
	int r = 1;

	for (unsigned i = 0; r > 0 && i < UMOUNTS_MAX; i++)
		r = take_one(step, release, result, err);
	return r;
}

static void say_automounts(const struct step *step, const struct release *release,
			   struct result *result)
{
	CLEANUP(cleanup_mounts) struct mounts *mounts = NULL;

	if (mounts_load(step->host, &mounts, NULL) < 0)
		return;
	for (size_t i = 0; i < release->n; i++)
		for (size_t k = 0; k < release->items[i].n_mounts; k++) {
			const char *target = release->items[i].mounts[k].target;
			const struct mount *mount = mounts_at(mounts, target);
			struct finding *finding;

			if (!mount || strcmp(mount->fstype, "autofs") != 0)
				continue;
			finding = result_find(result, "automount", VERDICT_WARN, "%s", target);
			result_say(result, finding,
				   _("An automount stands at %s: the next access mounts it again."),
				   target);
			result_remedy(result, finding,
				      _("Stop its unit with a step before this one; which one: "
					"systemctl list-units -t automount."));
			result_evidence(result, finding, PATH_MOUNTINFO, mount->source, NULL, NULL);
		}
}

/* The worst of all: no, unknown, yes. */
static int judge_all(const struct step *step, const struct release *release,
		     enum standing *ret_standing, struct result *result, struct error *err)
{
	enum standing all = STANDING_YES;
	int r = 0;

	for (size_t i = 0; r == 0 && i < release->n; i++) {
		enum standing one;

		r = release_judge_free(step, &release->items[i], &one, result, err);
		if (one == STANDING_NO || (one == STANDING_UNKNOWN && all == STANDING_YES))
			all = one;
	}
	*ret_standing = r < 0 ? STANDING_UNKNOWN : all;
	if (r == 0 && all == STANDING_YES) {
		result_output_int(result, "filesystems", (int64_t)release->n);
		result_summary(result,
			       PLURAL("%zu filesystem is unmounted, and its devices are free.",
				      "%zu filesystems are unmounted, and their devices are free.",
				      release->n),
			       release->n);
	}
	return r;
}

/* ---- the callbacks ------------------------------------------------------------------------------ */

/* 1: `ret` is what to work on, kept; 0: there is nothing to do, or `result` says why not. */
static int open_kept(const struct step *step, const struct mount_release_params *p,
		     struct release *ret, struct result *result, struct error *err)
{
	int r = release_load(step, ret, err);

	if (r > 0)
		return release_renew(step, ret, result, err);
	if (r == 0)
		r = release_find(step, p, ret, result, err);
	if (r < 0 || result->verdict >= VERDICT_UNKNOWN)
		return r;
	if (!ret->n) {
		result_skip(result, "%s",
			    _("No filesystem is mounted from a disk of the work that the running "
			      "system can do without."));
		return 0;
	}
	r = release_save(step, ret, err);
	return r < 0 ? r : 1;
}

static int run(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	AUTO_RELEASE release = { 0 };
	enum standing standing;
	int r = step_may_change(step, err);

	if (r == 0)
		r = open_kept(step, data, &release, ret, err);
	if (r <= 0)
		return r;
	r = take_down(step, &release, ret, err);
	if (r < 0 || ret->verdict >= VERDICT_UNKNOWN)
		return r;
	say_automounts(step, &release, ret);
	return judge_all(step, &release, &standing, ret, err);
}

/* Nothing was kept: what is mounted is not released; of what is not, nothing is known. */
static int verify_unkept(const struct step *step, const void *data, enum standing *ret_standing,
			 struct result *result, struct error *err)
{
	AUTO_RELEASE release = { 0 };
	struct finding *finding;
	int r = release_find(step, data, &release, result, err);

	if (r < 0)
		return r;
	for (size_t i = 0; i < release.n; i++) {
		const char *name = release_name(&release.items[i]);

		finding = result_find(result, "mounted", VERDICT_FAIL, "%s", name);
		result_say(result, finding, _("%s is mounted."), name);
		result_remedy(result, finding, "%s",
			      _("Go on with the session, which unmounts it."));
		result_evidence(result, finding, PATH_MOUNTINFO, name, NULL, NULL);
	}
	*ret_standing = release.n ? STANDING_NO : STANDING_UNKNOWN;
	if (release.n || result->n_findings)
		return 0;
	finding = result_find(result, "not-told", VERDICT_UNKNOWN, "%s", step->id);
	result_say(result, finding, "%s", _("It was not kept which filesystems were mounted."));
	result_remedy(result, finding, "%s", _("See what is mounted: findmnt."));
	result_evidence(result, finding, PATH_MOUNTINFO, _("nothing of it"), NULL, NULL);
	return 0;
}

static void say_untouched(struct result *result)
{
	struct finding *finding =
		result_find(result, "untouched", VERDICT_PASS, "%s", PATH_MOUNTINFO);

	result_say(result, finding, "%s", _("The session has unmounted nothing."));
	result_evidence(result, finding, PATH_MOUNTINFO, _("as it was"), NULL, NULL);
	result_summary(result, "%s", _("The session has unmounted nothing."));
}

static int verify(const struct step *step, const void *data, enum effect effect,
		  enum standing *ret_standing, struct result *ret, struct error *err)
{
	AUTO_RELEASE release = { 0 };
	int r = release_load(step, &release, err);

	*ret_standing = STANDING_UNKNOWN;
	if (r < 0)
		return r;
	if (r == 0 && effect == EFFECT_WANTED)
		return verify_unkept(step, data, ret_standing, ret, err);
	if (r == 0) {
		say_untouched(ret);
		*ret_standing = STANDING_YES;
		return 0;
	}
	r = release_renew(step, &release, ret, err);
	if (r <= 0)
		return r;
	return effect == EFFECT_WANTED ? judge_all(step, &release, ret_standing, ret, err)
				       : release_judge_back(step, &release, ret_standing, ret, err);
}

static int undo(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	AUTO_RELEASE release = { 0 };
	int r = step_may_change(step, err);

	(void)data;
	if (r == 0)
		r = release_load(step, &release, err);
	if (r < 0)
		return r;
	if (r == 0) {
		say_untouched(ret);
		return 0;
	}
	r = release_renew(step, &release, ret, err);
	return r > 0 ? release_put_back(step, &release, ret, err) : r;
}

static void say_would(const struct release_fs *fs, struct result *result)
{
	struct finding *finding =
		result_find(result, "would-release", VERDICT_PASS, "%s", release_name(fs));
	AUTO_BUF mounts = BUF_INIT, devices = BUF_INIT;

	for (size_t i = 0; i < fs->n_mounts; i++)
		buf_addf(&mounts, "%s%s", i ? ", " : "", fs->mounts[i].target);
	for (size_t i = 0; i < fs->n_members; i++)
		buf_addf(&devices, "%s%s", i ? ", " : "", fs->members[i].name);
	result_say(result, finding, _("%s would be unmounted; to be free then: %s."),
		   buf_text(&mounts), buf_text(&devices));
	result_evidence(result, finding, PATH_MOUNTINFO, buf_text(&mounts), NULL, NULL);
}

static int foresee(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	AUTO_RELEASE release = { 0 };
	int r = release_find(step, data, &release, ret, err);

	for (size_t i = 0; r == 0 && i < release.n; i++) {
		say_would(&release.items[i], ret);
		r = release_foresee_holders(step, &release.items[i], ret, err);
	}
	if (r == 0 && release.n)
		result_summary(ret,
			       PLURAL("%zu filesystem would be unmounted.",
				      "%zu filesystems would be unmounted.", release.n),
			       release.n);
	else if (r == 0 && ret->verdict <= VERDICT_PASS)
		result_skip(ret, "%s",
			    _("No filesystem is mounted from a disk of the work that the running "
			      "system can do without."));
	return r;
}

static int describe(const void *data, struct buf *ret)
{
	const struct mount_release_params *p = data;

	if (!p->mounts)
		return buf_adds(ret,
				_("unmount the filesystems of the disks of the work, and prove "
				  "that the devices are free"));
	buf_adds(ret, _("unmount "));
	for (char **mount = p->mounts; *mount; mount++)
		buf_addf(ret, "%s%s", mount == p->mounts ? "" : ", ", *mount);
	return buf_adds(ret, _(", and prove that the devices are free"));
}

static int describe_undo(const void *data, struct buf *ret)
{
	(void)data;
	return buf_adds(ret, _("mount again what was mounted before"));
}

const struct kind kind_mount_release = {
	.name = "mount.release",
	.class = KIND_ACTION,
	.title = N_("unmount, and prove the devices free"),
	.help = N_(
		"Unmounts every mount of the filesystems of the disks that are to be touched, and "
		"then asks what counts: whether the kernel grants exclusive use of each device, "
		"whether a process has one open, whether another mount namespace has the "
		"filesystem "
		"mounted, and whether it is still active. A umount alone proves none of that. "
		"Nothing is unmounted lazily or by force; what is in use is named. Taking it back "
		"mounts what was mounted before, by its entry in fstab or by its UUID. Of volumes "
		"(LVM, LUKS) and arrays the mapped device is judged."),
	.flags = KIND_NEEDS_ROOT,
	.deadline_s = 300,
	.params_size = sizeof(struct mount_release_params),
	.params = params,
	.outputs = outputs,
	.findings = mount_release_findings,
	.describe = describe,
	.run = run,
	.verify = verify,
	.undo = undo,
	.describe_undo = describe_undo,
	.foresee = foresee,
	.typical_s = 5,
};

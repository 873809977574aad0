/* SPDX-License-Identifier: MIT */
/*
 * Is what is looked at the filesystem that is meant?
 *
 * Below a mount point that nothing is mounted on lies another directory, often
 * an empty one, and nobody has that open.  The filesystem itself may still be
 * in use: a container keeps its own copy of the mount in its own namespace.
 *
 * And is it all that is meant?  A look ends where something else is mounted.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/intl.h"
#include "base/strv.h"
#include "probe/facts.h"
#include "probe/fskind.h"
#include "probe/paths.h"
#include "step/files_quiescent.h"
#include "work/names.h"

/* The entry of fstab that the path should lie on; NULL: the root's, or none. */
static const struct fstab_entry *entry_over(const struct fstab *fstab, const char *path)
{
	const struct fstab_entry *best = NULL;

	for (size_t i = 0; i < fstab->n; i++) {
		const struct fstab_entry *entry = &fstab->items[i];

		if (entry->malformed || entry->target[0] != '/' || !entry->target[1] ||
		    !path_is_below(path, entry->target))
			continue;
		if (!best || strlen(entry->target) > strlen(best->target))
			best = entry;
	}
	return best;
}

static void say_elsewhere(const struct fstab_entry *entry, const struct holders *holders,
			  const char *text, struct result *ret)
{
	struct finding *finding = result_find(ret, "mounted-elsewhere", VERDICT_FAIL, "%s", text);
	AUTO_BUF who = BUF_INIT, remedy = BUF_INIT;

	quiet_name(&holders->items[0], &who);
	result_say(ret, finding,
		   _("%s is not mounted here, and %s has it mounted in its own namespace."),
		   entry->target, buf_text(&who));
	quiet_remedy(&holders->items[0], &remedy);
	result_remedy(ret, finding, _("Stop who keeps it: %s"), buf_text(&remedy));
	for (size_t i = 0; i < holders->n && i < 3; i++)
		result_evidence(ret, finding,
				holders->items[i].source ? holders->items[i].source : PATH_PROC,
				holders->items[i].observed, NULL, NULL);
}

static void say_not_mounted(const struct fstab_entry *entry, const char *text, struct result *ret)
{
	struct finding *finding = result_find(ret, "not-mounted", VERDICT_FAIL, "%s", text);
	AUTO_BUF source = BUF_INIT;

	result_say(ret, finding,
		   _("Nothing is mounted on %s: what is looked at is not what is meant."),
		   entry->target);
	result_remedy(ret, finding,
		      _("Prove it before the filesystem is unmounted, or mount it: "
			"mount %s"),
		      entry->target);
	buf_addf(&source, PATH_FSTAB ":%u", entry->line);
	result_evidence(ret, finding, buf_text(&source), entry->text, NULL, NULL);
}

/* By the port map's devices, else by the device that the entry names; 0: neither. */
static dev_t device_of(const struct look *look, const struct fstab_entry *entry,
		       const struct ref *ref)
{
	struct stat st;

	if (ref->n_before == 1)
		return makedev(ref->before[0]->major, ref->before[0]->minor);
	if (path_is_below(entry->spec, PATH_DEV) &&
	    host_stat(look->step->host, entry->spec, &st, NULL) == 0 && S_ISBLK(st.st_mode))
		return st.st_rdev;
	return 0;
}

static int find_elsewhere(const struct look *look, const struct fstab_entry *entry,
			  struct holders *ret, struct error *err)
{
	const struct step *step = look->step;
	struct ref ref = { 0 };
	struct holders_filesystem filesystem = { .mount_point = entry->target };
	const struct holders_asked asked = { .filesystems = &filesystem, .n_filesystems = 1 };
	int r = ref_resolve(step->facts, step->work, entry->spec, &ref, err);

	if (r == 0)
		filesystem.dev = device_of(look, entry, &ref);
	if (filesystem.dev) {
		filesystem.major = major(filesystem.dev);
		filesystem.minor = minor(filesystem.dev);
		r = holders_find(step->host, &asked, step->cancelled, ret, err);
	}
	ref_done(&ref);
	return r;
}

static int judge(const struct look *look, const char *text, const struct fstab *fstab,
		 const struct mounts *mounts, struct result *ret, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_HOLDERS holders = { 0 };
	const struct fstab_entry *entry;
	const char *path;
	int r;

	dataset_word(text, &path);
	entry = entry_over(fstab, path);
	if (!entry || mounts_at(mounts, entry->target))
		return 0;
	r = find_elsewhere(look, entry, &holders, &why);
	if (r == -ENOMEM || r == -ECANCELED)
		return error_copy(err, &why);
	if (holders.n)
		say_elsewhere(entry, &holders, text, ret);
	else
		say_not_mounted(entry, text, ret);
	return 0;
}

int quiet_judge_mounts(const struct look *look, struct result *ret, struct error *err)
{
	const struct fstab *fstab = NULL;
	const struct mounts *mounts = NULL;
	int r = 0;

	/* Without them nothing is known to be missing; what is looked at is looked at all the same. */
	if (!look->live || !look->named || facts_fstab(look->step->facts, &fstab, NULL) < 0 ||
	    facts_mounts(look->step->facts, &mounts, NULL) < 0 || !fstab || !mounts)
		return 0;
	for (char *const *path = look->params->path; r == 0 && *path; path++)
		r = judge(look, *path, fstab, mounts, ret, err);
	return r;
}

/* ---- what is mounted below ----------------------------------------------------------- */

#define SHOWN 5

static bool is_looked_at(const struct look *look, const char *path)
{
	for (size_t i = 0; i < look->n_sets; i++)
		if (dataset_begins_at(look->sets[i], path))
			return true;
	return false;
}

static void say_below(const struct look *look, size_t set, char *const *paths, size_t n,
		      const struct mounts *mounts, struct result *ret)
{
	struct finding *finding =
		result_find(ret, "mount-below", VERDICT_UNKNOWN, "%s", look->sets[set]->given);
	size_t shown = n < SHOWN ? n : SHOWN;
	AUTO_BUF list = BUF_INIT;

	for (size_t i = 0; i < shown; i++)
		buf_addf(&list, "%s%s", i ? ", " : "", paths[i]);
	if (n > shown)
		buf_addf(&list, _(" and %zu more"), n - shown);
	result_say(ret, finding, _("What is mounted below %s was not looked at: %s."),
		   look->sets[set]->given, buf_text(&list));
	result_remedy(ret, finding, _("Name it as well, beside %s: path=%s"),
		      look->sets[set]->given, paths[0]);
	for (size_t i = 0; i < n; i++) {
		const struct mount *mount = mounts ? mounts_at(mounts, paths[i]) : NULL;
		AUTO_BUF observed = BUF_INIT;

		if (mount)
			buf_addf(&observed, "%s %s", mount->fstype, mount->source);
		result_evidence(ret, finding, paths[i], mount ? buf_text(&observed) : NULL, NULL,
				NULL);
	}
}

void quiet_judge_below(const struct look *look, size_t set, struct result *ret)
{
	char *const *paths = look->sets[set]->mounts;
	const struct mounts *mounts = NULL;
	char **left;
	size_t n = 0;

	if (!paths || !*paths)
		return;
	left = calloc(strv_length(paths), sizeof(char *));
	if (!left) {
		ret->failed = -ENOMEM;
		return;
	}
	if (facts_mounts(look->step->facts, &mounts, NULL) < 0)
		mounts = NULL;
	for (; *paths; paths++) {
		const struct mount *mount = mounts ? mounts_at(mounts, *paths) : NULL;

		/* What is gone with the power anyway needs no proof before it. */
		if (!is_looked_at(look, *paths) && !(mount && fskind_is_fleeting(mount->fstype)))
			left[n++] = *paths;
	}
	if (n)
		say_below(look, set, left, n, mounts, ret);
	free(left);
}

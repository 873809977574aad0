/* SPDX-License-Identifier: MIT */
#include "step/installed.h"

#include <errno.h>
#include <string.h>

#include "base/strv.h"
#include "probe/facts.h"
#include "probe/fskind.h"
#include "probe/paths.h"
#include "sys/hostfile.h"

/* Nothing else is handed on: what a host refuses is a finding. */
static bool ends(int code)
{
	return code == -ENOMEM || code == -ECANCELED;
}

static int say(struct installed *installed, const char *id, const char *path,
	       const struct error *why, struct error *err)
{
	struct finding *finding;

	if (ends(why->code))
		return error_copy(err, why);
	finding = result_find(installed->ret, id, VERDICT_FAIL, "%s", path);
	result_say(installed->ret, finding, "%s.", error_text(why));
	if (why->hint)
		result_remedy(installed->ret, finding, "%s.", why->hint);
	else
		result_remedy(installed->ret, finding, _("Look at it: namei -l %s."), path);
	result_evidence(installed->ret, finding, path, error_text(why), NULL, NULL);
	return 0;
}

static void say_foreign(struct installed *installed, const char *path, const char *holds)
{
	struct finding *finding = result_find(installed->ret, "foreign", VERDICT_FAIL, "%s", path);

	result_say(installed->ret, finding, "%s",
		   _("Something else stands there; it is left as it is."));
	result_remedy(installed->ret, finding,
		      _("Look at it. If an earlier session left it behind, remove it: rm %s; "
			"systemctl daemon-reload."),
		      path);
	result_evidence(installed->ret, finding, path, holds, NULL, NULL);
}

static int unreadable(struct installed *installed, const char *path, const struct error *why,
		      struct error *err)
{
	if (ends(why->code))
		return error_copy(err, why);
	result_unknown(installed->ret, "unreadable", path, path, why);
	return 0;
}

/* ---- what stands there ------------------------------------------------------------ */

enum there { THERE_NOTHING, THERE_OURS, THERE_OTHER };

/* 0, or a negative errno where that cannot be told.  `ret_holds`: what stands there. */
static int look_at(struct installed *installed, const struct installed_item *item, enum there *ret,
		   char **ret_holds, struct error *why)
{
	struct host *host = installed->step->host;
	int r = item->link ? host_readlink(host, item->path, ret_holds, why)
			   : hostfile_read(host, item->path, ret_holds, why);

	/* No link, or no regular file, is something else. */
	if (r < 0 && r != -ENOENT && r != -EINVAL)
		return r;
	*ret = r == -ENOENT                                ? THERE_NOTHING
	       : r == 0 && !strcmp(*ret_holds, item->text) ? THERE_OURS
							   : THERE_OTHER;
	return 0;
}

int installed_look(struct installed *installed, size_t *ret_n, struct error *err)
{
	*ret_n = 0;
	for (size_t i = 0; i < installed->n; i++) {
		const struct installed_item *item = &installed->items[i];
		CLEANUP(error_done) struct error why = ERROR_INIT;
		AUTO_FREE char *holds = NULL;
		enum there there;

		if (look_at(installed, item, &there, &holds, &why) < 0)
			return unreadable(installed, item->path, &why, err);
		if (there == THERE_OTHER) {
			say_foreign(installed, item->path, holds);
			return 0;
		}
		*ret_n += there == THERE_OURS;
	}
	return 1;
}

/* ---- before the first change -------------------------------------------------------- */

static bool forgets(const struct mount *mount)
{
	return fskind_of(mount->fstype) == FSKIND_MEMORY;
}

/*
 * systemd reads its files before it mounts anything, so what it finds then lies
 * on the root filesystem, or on one that the initramfs had mounted.
 */
static int is_early(struct installed *installed, const struct mount *mount, struct error *why)
{
	const struct fstab_entry *entry;
	const struct fstab *fstab;
	int r;

	if (strcmp(mount->target, "/") == 0)
		return 1;
	r = facts_fstab(installed->step->facts, &fstab, why);
	if (r < 0)
		return r == -ENOENT ? 0 : r;
	entry = fstab_at(fstab, mount->target);
	return entry && !entry->malformed && option_has(entry->options, "x-initrd.mount");
}

static void say_not_early(struct installed *installed, const char *path, const struct mount *mount)
{
	struct finding *finding =
		result_find(installed->ret, "not-on-root", VERDICT_FAIL, "%s", path);

	if (forgets(mount)) {
		result_say(installed->ret, finding,
			   _("The filesystem at %s forgets its files when the power goes."),
			   mount->target);
		result_remedy(installed->ret, finding,
			      _("Have the directory on a disk of this host: umount %s, if that "
				"was mounted only for a while."),
			      mount->target);
	} else {
		result_say(installed->ret, finding,
			   _("The filesystem at %s is mounted only after systemd has read its "
			     "files."),
			   mount->target);
		result_remedy(installed->ret, finding,
			      _("If the initramfs mounts it, say so in /etc/fstab: give %s the "
				"option x-initrd.mount. Else have the directory on the root "
				"filesystem."),
			      mount->target);
	}
	result_evidence(installed->ret, finding, PATH_MOUNTINFO, mount->target, NULL, NULL);
}

static int check_place(struct installed *installed, const char *path, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	const struct mounts *mounts;
	const struct mount *mount = NULL;
	int r = facts_mounts(installed->step->facts, &mounts, &why);

	if (r == 0 && !(mount = mounts_over(mounts, path)))
		r = error_set(&why, -ENODATA, _("it is not told on which mount %s lies"), path);
	if (r == 0)
		r = forgets(mount) ? 0 : is_early(installed, mount, &why);
	if (r < 0)
		return unreadable(installed, path, &why, err);
	if (r == 0)
		say_not_early(installed, path, mount);
	return r;
}

static int check(struct installed *installed, struct error *err)
{
	const char *kept;
	size_t n;
	int r = 1, had;

	for (size_t i = 0; r > 0 && i < installed->n; i++)
		r = check_place(installed, installed->items[i].path, err);
	if (r > 0)
		r = installed_look(installed, &n, err);
	if (r <= 0)
		return r;
	had = step_original(installed->step, "text", &kept, err);
	if (had < 0)
		return had;
	/* The same text, and not by this session: another one's, whatever its number. */
	if (n > 0 && !had) {
		say_foreign(installed, installed->items[0].path, installed->items[0].text);
		return 0;
	}
	return 1;
}

static int keep(struct installed *installed, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	const char *kept;
	int r = step_original(installed->step, "text", &kept, err);
	int there;

	if (r != 0)
		return r;
	there = host_exists(installed->step->host, installed->dir, &why);
	if (there < 0)
		return unreadable(installed, installed->dir, &why, err);
	r = step_save_original(installed->step, "directory", there ? "there" : "missing", err);
	/* Last: that it is kept says that both are. */
	if (r >= 0)
		r = step_save_original(installed->step, "text", installed->items[0].text, err);
	return r < 0 ? r : 1;
}

int installed_kept(struct installed *installed, struct error *err)
{
	const char *kept;
	int r = step_original(installed->step, "text", &kept, err);

	if (r > 0)
		installed->items[0].text = kept;
	return r;
}

/* ---- changes ---------------------------------------------------------------------------- */

static int put(struct installed *installed, struct error *err)
{
	struct host *host = installed->step->host;

	for (size_t i = 0; i < installed->n; i++) {
		const struct installed_item *item = &installed->items[i];
		CLEANUP(error_done) struct error why = ERROR_INIT;
		AUTO_STRV char **made = NULL;
		int r = item->link
				? hostfile_symlink(host, item->path, item->text, &made, &why)
				: hostfile_write(host, item->path, item->text, 0644, &made, &why);

		if (r < 0)
			return say(installed, r == -EEXIST ? "foreign" : "not-written", item->path,
				   &why, err);
	}
	return 1;
}

int installed_put(struct installed *installed, struct error *err)
{
	/* After a crash: what was written then is ours, by whatever version of the program. */
	int r = installed_kept(installed, err);

	if (r >= 0)
		r = check(installed, err);
	if (r > 0)
		r = keep(installed, err);
	return r > 0 ? put(installed, err) : r;
}

/* Left where it was there before, and where something else came into it. */
static int remove_dir(struct installed *installed, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_STRV char **made = NULL;
	const char *was;
	int r = step_original(installed->step, "directory", &was, err);

	if (r <= 0 || strcmp(was, "missing") != 0)
		return r < 0 ? r : 1;
	if (strv_add(&made, installed->dir) < 0)
		return error_oom(err);
	r = hostfile_rmdir(installed->step->host, made, &why);
	return r < 0 ? say(installed, "not-removed", installed->dir, &why, err) : 1;
}

int installed_remove(struct installed *installed, struct error *err)
{
	struct host *host = installed->step->host;

	for (size_t i = installed->n; i > 0; i--) {
		const struct installed_item *item = &installed->items[i - 1];
		CLEANUP(error_done) struct error why = ERROR_INIT;
		int r = item->link ? hostfile_unlink(host, item->path, item->text, &why)
				   : hostfile_remove(host, item->path, item->text, &why);

		if (r < 0)
			return say(installed, r == -EEXIST ? "foreign" : "not-removed", item->path,
				   &why, err);
	}
	return remove_dir(installed, err);
}

/* SPDX-License-Identifier: MIT */
/*
 * A host whose fstab is missing or holds no entry, with filesystems of disks
 * mounted all the same: what mounts them at the next boot?
 *
 * The root is the initramfs's, by the kernel's command line.  A mount unit
 * names its device as an entry would, and is judged like one.  Partitions of
 * the root's disk are found by their type (systemd-gpt-auto-generator), where
 * the boot loader told systemd which disk that is.  What is left over is
 * mounted by something that coldswap does not know: a silent check is no check.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"
#include "probe/unitfile.h"
#include "step/names_fstab.h"

#define UNIT_MAX_BYTES ((size_t)64 << 10)

static const char *const unit_dirs[] = { PATH_SYSTEMD_ETC, PATH_SYSTEMD_LOCAL, PATH_SYSTEMD_USR,
					 PATH_SYSTEMD_LIB };

/* Discoverable partitions: the type says where it is mounted. */
static const struct {
	const char *target, *type;
} discoverable[] = {
	{ "/home", "933ac7e1-2eb4-4f13-b844-0e14e2aef915" },
	{ "/srv", "3b8f8425-20e0-4f3b-907f-1a25a76f98e8" },
	{ "/var", "4d21b016-b534-45c2-a9fb-5c16e091fd2d" },
	{ "/var/tmp", "7ec6f557-3bc5-4aca-b293-16ef5df639d1" },
	{ "/boot", "bc13c2ff-59e6-4262-a352-b275fd6f7172" },
	{ "/boot", "c12a7328-f81f-11d2-ba4b-00a0c93ec93b" },
	{ "/efi", "c12a7328-f81f-11d2-ba4b-00a0c93ec93b" },
};

static const struct block *disk_of_root(const struct fstab_check *check,
					const struct mounts *mounts)
{
	const struct mount *root = mounts_at(mounts, "/");
	const struct block *device = root ? blocks_of_mount(check->blocks, root) : NULL;

	return device && device->n_disks == 1 ? device->disks[0] : NULL;
}

static bool is_discovered(struct fstab_check *check, const struct mounts *mounts,
			  const struct mount *mount, const struct block *device)
{
	if (!device->part_type || device->disk != disk_of_root(check, mounts) ||
	    host_exists(check->step->host, PATH_LOADER_DEVICE, NULL) != 1)
		return false;
	for (size_t i = 0; i < ELEMENTS(discoverable); i++)
		if (strcmp(discoverable[i].target, mount->target) == 0 &&
		    strcasecmp(discoverable[i].type, device->part_type) == 0)
			return true;
	return false;
}

/* A part of a filesystem that shows up elsewhere: a bind mount, a container's /etc/hosts. */
static bool is_bind(const struct mount *mount)
{
	AUTO_FREE char *subvolume = NULL;

	if (strcmp(mount->root, "/") == 0)
		return false;
	return option_value(mount->options, "subvol", 0, &subvolume) != 1 ||
	       strcmp(subvolume, mount->root) != 0;
}

static const struct block *device_on_disks(const struct fstab_check *check,
					   const struct mount *mount)
{
	const struct block *device = blocks_of_mount(check->blocks, mount);

	return device && device->n_disks > 0 && !device->optical ? device : NULL;
}

/* ---- mount units ---------------------------------------------------------------- */

/* The last What= rules; `number` is its line. */
static int find_what(const char *text, char **ret, unsigned *number)
{
	unsigned line = 0;

	for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		const char *value = p + strspn(p, " \t");
		size_t len;

		line++;
		if (strncmp(value, "What", 4) != 0)
			continue;
		value += 4 + strspn(value + 4, " \t");
		if (*value != '=')
			continue;
		value += 1 + strspn(value + 1, " \t");
		len = strcspn(value, "\r\n");
		while (len > 0 && isblank((unsigned char)value[len - 1]))
			len--;
		free(*ret);
		*ret = strndup(value, len);
		if (!*ret)
			return -ENOMEM;
		*number = line;
	}
	return 0;
}

static int judge_what(struct fstab_check *check, const struct mount *mount, const char *path,
		      char *what, unsigned number, struct error *err)
{
	AUTO_BUF text = BUF_INIT, source = BUF_INIT;
	struct fstab_entry entry = {
		.line = number, .spec = what, .target = mount->target, .fstype = mount->fstype
	};
	struct entry_view view = { .entry = &entry, .what = mount->target };
	int r;

	buf_addf(&text, "What=%s", what);
	buf_addf(&source, "%s:%u", path, number);
	if (buf_error(&text) < 0 || buf_error(&source) < 0)
		return error_oom(err);
	entry.text = text.data;
	view.source = source.data;
	view.role = role_of(&entry);
	r = ref_resolve(check->step->facts, check->work, what, &view.ref, err);
	if (r < 0)
		return r;
	judge_name(check, &view);
	if (!view.judged) {
		struct finding *finding =
			result_find(check->ret, "by-mount-unit", VERDICT_PASS, "%s", view.source);

		result_say(check->ret, finding,
			   _("A mount unit mounts %s, and means the same device after the work."),
			   mount->target);
		result_evidence(check->ret, finding, view.source, entry.text, NULL, NULL);
	}
	ref_done(&view.ref);
	return 0;
}

/* 1 = a unit mounts it, and was judged; 0 = there is none. */
static int judge_unit(struct fstab_check *check, const struct mount *mount, struct error *err)
{
	AUTO_FREE char *name = NULL;

	if (unit_name_of_mount(mount->target, &name) < 0)
		return error_oom(err);
	for (size_t i = 0; i < ELEMENTS(unit_dirs); i++) {
		AUTO_BUF path = BUF_INIT, text = BUF_INIT;
		AUTO_FREE char *what = NULL;
		unsigned number = 0;
		int r;

		if (buf_addf(&path, "%s/%s", unit_dirs[i], name) < 0)
			return error_oom(err);
		if (host_read(check->step->host, path.data, UNIT_MAX_BYTES, &text, NULL) < 0)
			continue;
		if (find_what(buf_text(&text), &what, &number) < 0)
			return error_oom(err);
		if (!what || !*what)
			continue;
		r = judge_what(check, mount, path.data, what, number, err);
		return r < 0 ? r : 1;
	}
	return 0;
}

/* ---- what is mounted ------------------------------------------------------------ */

static void cite_mount(struct fstab_check *check, struct finding *finding,
		       const struct mount *mount)
{
	AUTO_BUF source = BUF_INIT, observed = BUF_INIT;

	buf_addf(&source, "%s:%u", PATH_MOUNTINFO, mount->line);
	buf_addf(&observed, "%s on %s type %s", mount->source ? mount->source : "none",
		 mount->target, mount->fstype);
	result_evidence(check->ret, finding, buf_text(&source), buf_text(&observed), NULL, NULL);
}

static void say_unlisted(struct fstab_check *check, const struct mount *mount,
			 const struct block *device)
{
	struct finding *finding =
		result_find(check->ret, "unlisted-mount", VERDICT_UNKNOWN, "%s", mount->target);

	result_say(check->ret, finding,
		   !check->missing
			   ? _("%s is mounted from %s, and %s has no entries: what mounts it "
			       "at the next boot is not known.")
			   : _("%s is mounted from %s, and there is no %s: what mounts it at "
			       "the next boot is not known."),
		   mount->target, device->name, PATH_FSTAB);
	if (host_is_live(check->step->host))
		result_remedy(check->ret, finding,
			      _("Find out what mounts it, or give it an entry "
				"by UUID= in %s."),
			      PATH_FSTAB);
	else
		result_remedy(check->ret, finding,
			      _("Capture the host again, with its %s and its mount units."),
			      PATH_FSTAB);
	cite_mount(check, finding, mount);
}

static void say_discovered(struct fstab_check *check, const struct mount *mount)
{
	struct finding *finding =
		result_find(check->ret, "by-partition-type", VERDICT_PASS, "%s", mount->target);

	result_say(check->ret, finding,
		   _("systemd finds the partition of %s by its type, on the disk of the root."),
		   mount->target);
	cite_mount(check, finding, mount);
}

static int judge_mount(struct fstab_check *check, const struct mounts *mounts,
		       const struct mount *mount, struct error *err)
{
	const struct block *device = device_on_disks(check, mount);
	int r;

	/* ZFS mounts its own. */
	if (!device || strcmp(mount->fstype, "zfs") == 0 || mount->hidden || is_bind(mount) ||
	    strcmp(mount->target, "/") == 0 || mounts_at(mounts, mount->target) != mount)
		return 0;
	r = judge_unit(check, mount, err);
	if (r != 0)
		return r < 0 ? r : 0;
	if (is_discovered(check, mounts, mount, device))
		say_discovered(check, mount);
	else
		say_unlisted(check, mount, device);
	return 0;
}

static int judge_mounted(struct fstab_check *check, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	const struct mounts *mounts;
	int r = facts_mounts(check->step->facts, &mounts, &why);

	if (r == -ENOMEM)
		return error_oom(err);
	/* A capture without a list of mounts is one of other things. */
	if (r == -ENOENT && !host_is_live(check->step->host))
		return 0;
	if (r < 0) {
		result_unknown(check->ret, "fstab-unreadable", PATH_FSTAB, PATH_MOUNTINFO, &why);
		return 0;
	}
	for (size_t i = 0; i < mounts->n; i++) {
		if (*check->step->cancelled)
			return error_set(err, -ECANCELED, "cancelled");
		r = judge_mount(check, mounts, &mounts->items[i], err);
		if (r < 0)
			return r;
	}
	return 0;
}

/*
 * Nothing of a disk is mounted but the root.  A capture of a host without
 * the file cannot hold it either; what the capture could not read stands in
 * its list, and is not known.
 */
static void say_nothing_mounted(struct fstab_check *check)
{
	struct finding *finding;

	if (check->missing) {
		result_skip(check->ret,
			    host_is_live(check->step->host)
				    ? _("there is no %s on this host")
				    : _("the capture holds no %s: nothing in it was judged"),
			    PATH_FSTAB);
		return;
	}
	finding = result_find(check->ret, "stable", VERDICT_PASS, "%s", PATH_FSTAB);
	result_say(check->ret, finding, _("%s has no entries."), PATH_FSTAB);
	result_evidence(check->ret, finding, PATH_FSTAB, NULL, NULL, NULL);
	result_summary(check->ret, _("%s has no entries"), PATH_FSTAB);
}

int judge_without_entries(struct fstab_check *check, struct error *err)
{
	int r = judge_mounted(check, err);

	if (r < 0)
		return r;
	if (check->ret->n_findings == 0)
		say_nothing_mounted(check);
	else if (check->ret->verdict == VERDICT_UNKNOWN)
		result_summary(check->ret,
			       check->missing
				       ? _("there is no %s, and what mounts the disks at the "
					   "next boot is not known")
				       : _("%s has no entries, and what mounts the disks at "
					   "the next boot is not known"),
			       PATH_FSTAB);
	else if (check->ret->verdict > VERDICT_PASS)
		result_summary(check->ret, "%s",
			       _("not each mount unit means the same device after the work"));
	else
		result_summary(check->ret, "%s",
			       _("what is mounted from disks is found again at the next boot"));
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* The EFI system partition: is it the one that boots, and is there a loader to fall back on? */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/intl.h"
#include "base/strv.h"
#include "probe/filetree.h"
#include "probe/paths.h"
#include "step/names_boot.h"

static const char *const mount_points[] = { PATH_BOOT_EFI, PATH_EFI_MOUNT, PATH_BOOT };

/* The file that firmware starts of a disk without being told; by architecture. */
static const char *const fallbacks[] = { "BOOTX64.EFI", "BOOTAA64.EFI",    "BOOTIA32.EFI",
					 "BOOTARM.EFI", "BOOTRISCV64.EFI", "BOOTLOONGARCH64.EFI" };

static const struct mount *find_esp(const struct boot_check *check, const struct block **ret)
{
	for (size_t i = 0; check->mounts && i < ELEMENTS(mount_points); i++) {
		const struct mount *mount = mounts_at(check->mounts, mount_points[i]);

		if (!mount || strcmp(mount->fstype, "vfat") != 0)
			continue;
		*ret = blocks_of_mount(check->blocks, mount);
		return mount;
	}
	return NULL;
}

/* Updates of the loader go to what is mounted; the firmware starts the other. */
static int judge_which(struct boot_check *check, const struct mount *mount,
		       const struct block *device, struct error *err)
{
	const struct efi_entry *main = check->main;
	AUTO_FREE char *source = NULL, *disk = NULL;
	struct finding *finding;

	if (!check->boot_disk || !device || !device->part_uuid || !main->part_uuid ||
	    strcasecmp(device->part_uuid, main->part_uuid) == 0)
		return 0;
	if (asprintf(&source, "%s:%u", PATH_MOUNTINFO, mount->line) < 0) {
		source = NULL;
		return error_oom(err);
	}
	disk = boot_disk_name(check, check->boot_disk);
	finding = result_find(check->ret, "boot-current-other-esp", VERDICT_WARN, "%s",
			      mount->target);
	result_say(
		check->ret, finding,
		_("%s started this boot from a partition of %s, and another EFI system partition "
		  "is mounted on %s: what is updated there is not what boots."),
		main->name, disk, mount->target);
	result_remedy(check->ret, finding,
		      _("Mount the partition that boots on %s (PARTUUID=%s), or make an entry for "
			"the one that is mounted."),
		      mount->target, main->part_uuid);
	result_evidence(check->ret, finding, source, mount->source, NULL, device->part_uuid);
	result_evidence(check->ret, finding, main->source, main->part_uuid, NULL, NULL);
	return 0;
}

/* FAT knows no case: 1 found and *ret is its path, 0 not, -ENOENT no such directory. */
static int find_name(struct filetree *tree, const char *dir, const char *const *names, size_t n,
		     char **ret, struct error *err)
{
	AUTO_STRV char **found = NULL;
	int r = filetree_list(tree, dir, &found, err);

	if (r < 0)
		return r;
	for (size_t i = 0; i < strv_length(found); i++)
		for (size_t j = 0; j < n; j++)
			if (strcasecmp(found[i], names[j]) == 0) {
				if (asprintf(ret, "%s/%s", dir, found[i]) >= 0)
					return 1;
				*ret = NULL;
				return error_oom(err);
			}
	return 0;
}

/* 1 there, 0 not there, else why it is not known. */
static int find_fallback(struct boot_check *check, const char *top, struct error *err)
{
	static const char *const efi[] = { "EFI" }, *const boot[] = { "BOOT" };
	CLEANUP(cleanup_filetree) struct filetree *tree = NULL;
	AUTO_FREE char *upper = NULL, *dir = NULL, *file = NULL;
	int r = filetree_open(check->step->host, &tree, err);

	if (r == 0)
		r = find_name(tree, top, efi, 1, &upper, err);
	if (r == 0)
		return error_set(err, -ENOENT, "%s holds no EFI directory", top);
	if (r > 0)
		r = find_name(tree, upper, boot, 1, &dir, err);
	if (r > 0)
		r = find_name(tree, dir, fallbacks, ELEMENTS(fallbacks), &file, err);
	return r;
}

static const char *fallback_name(const struct efi_entry *main)
{
	static const struct {
		const char *suffix, *name;
	} rows[] = { { "aa64.efi", "BOOTAA64.EFI" },
		     { "ia32.efi", "BOOTIA32.EFI" },
		     { "riscv64.efi", "BOOTRISCV64.EFI" } };
	size_t len = main && main->file ? strlen(main->file) : 0;

	for (size_t i = 0; i < ELEMENTS(rows); i++)
		if (len > strlen(rows[i].suffix) &&
		    strcasecmp(main->file + len - strlen(rows[i].suffix), rows[i].suffix) == 0)
			return rows[i].name;
	return "BOOTX64.EFI";
}

/* Where the entry is safe, that no fallback is there changes nothing. */
static int judge_fallback(struct boot_check *check, const char *top, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	const char *name = fallback_name(check->main);
	AUTO_FREE char *path = NULL;
	struct finding *finding;
	int r;

	if (!check->at_risk)
		return 0;
	r = find_fallback(check, top, &why);
	if (r == -ENOMEM)
		return error_oom(err);
	if (r > 0)
		return 0;
	if (asprintf(&path, "%s/EFI/BOOT/%s", top, name) < 0) {
		path = NULL;
		return error_oom(err);
	}
	finding = result_find(check->ret, "no-fallback-loader",
			      r == 0 ? VERDICT_WARN : VERDICT_UNKNOWN, "%s", path);
	if (r == 0)
		result_say(check->ret, finding,
			   _("There is no EFI/BOOT/%s, the fall-back loader, on the EFI system "
			     "partition: when the entry fails, nothing else starts."),
			   name);
	else
		result_say(check->ret, finding,
			   _("Whether there is a loader to fall back on cannot be told: %s."),
			   error_text(&why));
	result_remedy(check->ret, finding, _("Copy the loader there before the work: %s."), path);
	result_evidence(check->ret, finding, path, r == 0 ? _("not there") : error_text(&why), NULL,
			NULL);
	return 0;
}

int judge_esp(struct boot_check *check, struct error *err)
{
	const struct block *device = NULL;
	const struct mount *mount = find_esp(check, &device);
	int r = 0;

	if (mount)
		r = judge_which(check, mount, device, err);
	if (r == 0)
		r = judge_fallback(check, mount ? mount->target : PATH_BOOT_EFI, err);
	return r;
}

/* SPDX-License-Identifier: MIT */
#include "probe/loader.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/strv.h"
#include "probe/paths.h"

#define GRUBS_MAX 64u

/* Where an EFI system partition is usually mounted. */
static const char *const esps[] = { PATH_BOOT_EFI, PATH_EFI_MOUNT, PATH_BOOT };

struct environment {
	char *saved, *next, *kernelopts;
};

static void environment_done(struct environment *environment)
{
	free(environment->saved);
	free(environment->next);
	free(environment->kernelopts);
}

static int load_environment(struct host *host, struct loaders *loaders, const char *dir,
			    struct environment *ret, struct error *err)
{
	AUTO_FREE char *path = NULL;
	AUTO_BUF text = BUF_INIT;
	int r;

	if (asprintf(&path, "%s/grubenv", dir) < 0) {
		path = NULL;
		return error_oom(err);
	}
	r = kernel_lines_read(&loaders->lines, host, path, &text, err);
	if (r > 0) {
		ret->saved = grubenv_value(&text, "saved_entry");
		ret->next = grubenv_value(&text, "next_entry");
		ret->kernelopts = grubenv_value(&text, "kernelopts");
	}
	return r < 0 ? r : 0;
}

static int add_lines(struct loaders *loaders, const struct grub *grub, struct error *err)
{
	int r = 0;

	for (size_t i = 0; i < grub->n && r == 0; i++) {
		const struct grub_entry *entry = &grub->entries[i];
		struct kernel_line line = { .when = LINE_NEXT,
					    .boots = entry->boots,
					    .text = entry->linux_text,
					    .args = entry->linux_args,
					    .title = entry->title };

		if (entry->linux_line)
			r = kernel_lines_add(&loaders->lines, &line, grub->path, entry->linux_line,
					     err);
	}
	return r;
}

static int add_grub(struct loaders *loaders, struct grub *grub, struct error *err)
{
	struct grub **grubs = reallocarray(loaders->grubs, loaders->n_grubs + 1, sizeof(*grubs));

	if (!grubs) {
		grub_free(grub);
		return error_oom(err);
	}
	loaders->grubs = grubs;
	grubs[loaders->n_grubs++] = grub;
	return add_lines(loaders, grub, err);
}

/* A file that cannot be understood is as good as one that cannot be read. */
static int note_unreadable(struct loaders *loaders, const char *path, const struct error *why,
			   struct error *err)
{
	char *note = NULL;

	if (asprintf(&note, "%s: %s", path, error_text(why)) < 0)
		return error_oom(err);
	return strv_take(&loaders->lines.unreadable, note) < 0 ? error_oom(err) : 0;
}

static int load_grub(struct host *host, struct loaders *loaders, const char *dir, struct error *err)
{
	CLEANUP(environment_done) struct environment environment = { 0 };
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_FREE char *path = NULL;
	AUTO_BUF text = BUF_INIT;
	struct grub *grub = NULL;
	int r;

	if (loaders->n_grubs == GRUBS_MAX)
		return 0;
	if (asprintf(&path, "%s/grub.cfg", dir) < 0) {
		path = NULL;
		return error_oom(err);
	}
	r = kernel_lines_read(&loaders->lines, host, path, &text, err);
	if (r <= 0)
		return r;
	r = load_environment(host, loaders, dir, &environment, err);
	if (r < 0)
		return r;
	r = grub_parse(path, &text, environment.saved, environment.next, &grub, &why);
	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0)
		return note_unreadable(loaders, path, &why, err);
	r = add_grub(loaders, grub, err);
	if (r == 0 && grub->blscfg)
		r = loader_entries_load(host, PATH_BOOT, environment.saved, environment.kernelopts,
					true, &loaders->lines, err);
	return r;
}

/* ESP/EFI/VENDOR/grub.cfg; names on FAT may be written in any case. */
static int load_esp_grubs(struct host *host, struct loaders *loaders, const char *esp,
			  struct error *err)
{
	AUTO_STRV char **names = NULL;
	AUTO_FREE char *dir = NULL;
	int r;

	if (asprintf(&dir, "%s/EFI", esp) < 0) {
		dir = NULL;
		return error_oom(err);
	}
	r = kernel_lines_list(&loaders->lines, host, dir, &names, err);
	if (r <= 0)
		return r;
	r = 0;
	for (size_t i = 0; i < strv_length(names) && r == 0; i++) {
		AUTO_FREE char *vendor = NULL;

		if (asprintf(&vendor, "%s/%s", dir, names[i]) < 0) {
			vendor = NULL;
			return error_oom(err);
		}
		r = load_grub(host, loaders, vendor, err);
	}
	return r;
}

static bool has_blscfg(const struct loaders *loaders)
{
	for (size_t i = 0; i < loaders->n_grubs; i++)
		if (loaders->grubs[i]->blscfg)
			return true;
	return false;
}

static bool has_next(const struct loaders *loaders)
{
	for (size_t i = 0; i < loaders->lines.n; i++)
		if (loaders->lines.items[i].when == LINE_NEXT)
			return true;
	return false;
}

/* systemd-boot's entries; beside a grub.cfg with entries of its own they are not what boots. */
static int load_systemd_boot(struct host *host, struct loaders *loaders, struct error *err)
{
	bool boots = !has_next(loaders);
	int r = 0;

	for (size_t i = 0; i < ELEMENTS(esps) && r == 0; i++)
		if (strcmp(esps[i], PATH_BOOT) != 0 || !has_blscfg(loaders))
			r = loader_entries_load(host, esps[i], NULL, NULL, boots, &loaders->lines,
						err);
	return r;
}

static int load_extlinux(struct host *host, struct loaders *loaders, struct error *err)
{
	static const char *const paths[] = {
		PATH_BOOT "/extlinux/extlinux.conf",
		PATH_BOOT "/extlinux.conf",
		PATH_BOOT "/syslinux/syslinux.cfg",
		PATH_BOOT_EFI "/EFI/syslinux/syslinux.cfg",
	};
	int r = 0;

	for (size_t i = 0; i < ELEMENTS(paths) && r == 0; i++)
		r = loader_extlinux_load(host, paths[i], &loaders->lines, err);
	return r;
}

/* The one line that a Raspberry Pi's firmware hands to the kernel. */
static int load_pi(struct host *host, struct loaders *loaders, struct error *err)
{
	static const char *const paths[] = { PATH_BOOT_FIRMWARE "/cmdline.txt",
					     PATH_BOOT "/cmdline.txt" };

	for (size_t i = 0; i < ELEMENTS(paths); i++) {
		struct kernel_line line = { .when = LINE_NEXT, .boots = true };
		AUTO_BUF text = BUF_INIT;
		int r = kernel_lines_read(&loaders->lines, host, paths[i], &text, err);

		if (r < 0)
			return r;
		if (r == 0 || !text.len)
			continue;
		text.data[strcspn(text.data, "\n")] = '\0';
		line.text = line.args = text.data;
		return kernel_lines_add(&loaders->lines, &line, paths[i], 1, err);
	}
	return 0;
}

int loaders_load(struct host *host, struct loaders **ret, struct error *err)
{
	static const char *const grubs[] = { PATH_GRUB, PATH_GRUB_REDHAT };
	CLEANUP(cleanup_loaders) struct loaders *loaders = calloc(1, sizeof(*loaders));
	int r = 0;

	if (!loaders)
		return error_oom(err);
	for (size_t i = 0; i < ELEMENTS(grubs) && r == 0; i++)
		r = load_grub(host, loaders, grubs[i], err);
	for (size_t i = 0; i < ELEMENTS(esps) && r == 0; i++)
		r = load_esp_grubs(host, loaders, esps[i], err);
	if (r == 0)
		r = load_systemd_boot(host, loaders, err);
	if (r == 0)
		r = load_extlinux(host, loaders, err);
	if (r == 0)
		r = load_pi(host, loaders, err);
	loaders->found = has_next(loaders);
	if (r == 0)
		r = cmdline_load(host, &loaders->lines, err);
	if (r < 0)
		return r;
	*ret = TAKE(loaders);
	return 0;
}

void loaders_free(struct loaders *loaders)
{
	if (!loaders)
		return;
	for (size_t i = 0; i < loaders->n_grubs; i++)
		grub_free(loaders->grubs[i]);
	free(loaders->grubs);
	kernel_lines_done(&loaders->lines);
	free(loaders);
}

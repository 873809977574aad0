/* SPDX-License-Identifier: MIT */
/* Which of the loaders that are configured on this host does the firmware start? */
#include <string.h>
#include <strings.h>

#include "probe/paths.h"
#include "step/names_boot.h"

/* The directory of a vendor on the EFI system partition: "debian" of /boot/efi/EFI/debian/grub.cfg. */
static const char *vendor_of(const char *path, size_t *ret_len)
{
	static const char *const tops[] = { PATH_BOOT_EFI "/EFI/", PATH_EFI_MOUNT "/EFI/",
					    PATH_BOOT "/EFI/" };

	for (size_t i = 0; i < ELEMENTS(tops); i++)
		if (strncmp(path, tops[i], strlen(tops[i])) == 0) {
			path += strlen(tops[i]);
			*ret_len = strcspn(path, "/");
			return path;
		}
	return NULL;
}

/* A grub.cfg of a vendor whose loader is not started is of an earlier installation. */
bool loader_is_used(const struct boot_check *check, const char *path)
{
	const char *file = check->main ? check->main->file : NULL;
	size_t len = 0;
	const char *vendor = vendor_of(path, &len);

	if (!vendor || !file || strncasecmp(file, "\\EFI\\", 5) != 0)
		return true;
	return strncasecmp(file + 5, vendor, len) == 0 && file[5 + len] == '\\';
}

int add_entry_lines(struct boot_check *check, struct error *err)
{
	int r = 0;

	for (size_t i = 0; check->efi && i < check->efi->n && r == 0; i++) {
		const struct efi_entry *entry = &check->efi->entries[i];
		struct kernel_line line = { .when = LINE_NEXT,
					    .boots = entry == check->main,
					    .text = entry->args,
					    .args = entry->args,
					    .title = entry->description };

		if (!entry->args || !entry->active || !strstr(entry->args, "root="))
			continue;
		check->loaders->found |= line.boots;
		r = kernel_lines_add(&check->loaders->lines, &line, entry->source, 0, err);
	}
	return r;
}

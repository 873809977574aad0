/* SPDX-License-Identifier: MIT */
/* What an fstab entry is for. */
#include <string.h>

#include "base/intl.h"
#include "step/names_fstab.h"

/* Their disk is a system disk: where it is missing, no option of fstab helps. */
static const char *const system_points[] = { "/", "/usr", "/var", "/boot", "/boot/efi", "/efi" };

static bool any_option(const char *options, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (option_has(options, names[i]))
			return true;
	return false;
}

struct role role_of(const struct fstab_entry *entry)
{
	static const char *const late[] = { "_netdev", "x-systemd.automount" };
	static const char *const automount[] = { "x-systemd.automount",
						 "comment=systemd.automount" };
	struct role role = { 0 };

	role.swap = strcmp(entry->fstype, "swap") == 0;
	role.noauto = option_has(entry->options, "noauto");
	role.automount = any_option(entry->options, automount, ELEMENTS(automount));
	role.nofail = option_has(entry->options, "nofail");
	role.optional = role.noauto || role.automount || role.nofail ||
			any_option(entry->options, late, ELEMENTS(late));
	if (role.swap)
		return role;
	role.root = strcmp(entry->target, "/") == 0 || strcmp(entry->target, "/usr") == 0;
	for (size_t i = 0; i < ELEMENTS(system_points); i++)
		if (strcmp(entry->target, system_points[i]) == 0)
			role.system = true;
	return role;
}

enum verdict role_verdict(const struct role *role)
{
	if (role->root)
		return VERDICT_FAIL;
	return role->swap || role->optional ? VERDICT_WARN : VERDICT_FAIL;
}

/* swapon(8) refuses what carries no swap signature; a mount takes what it finds. */
enum verdict role_verdict_other(const struct role *role)
{
	return role->swap ? VERDICT_WARN : VERDICT_FAIL;
}

const char *role_harm(const struct role *role)
{
	if (role->swap)
		return _("the boot waits 90 s for it and goes on without swap");
	if (role->root)
		return _("the boot stops in the initramfs when it is not found");
	if (role->noauto && !role->automount)
		return _("it is mounted by hand, so the boot goes on");
	if (role->optional)
		return _("the boot goes on without the data");
	return _("the boot stops in emergency mode when it is not found");
}

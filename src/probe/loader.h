/* SPDX-License-Identifier: MIT */
/*
 * Everything that boot loaders of this host are configured with: grub.cfg in
 * its usual places, entries of the Boot Loader Specification (systemd-boot,
 * GRUB's blscfg), extlinux and syslinux, the cmdline.txt of a Raspberry Pi.
 */
#ifndef COLDSWAP_PROBE_LOADER_H
#define COLDSWAP_PROBE_LOADER_H

#include "probe/cmdline.h"
#include "probe/grub.h"

struct loaders {
	struct kernel_lines lines; /* of loaders, and those of cmdline_load() */
	struct grub **grubs;
	size_t n_grubs;
	bool found; /* an entry that can be started was read */
};

int loaders_load(struct host *host, struct loaders **ret, struct error *err);
void loaders_free(struct loaders *loaders);
DEFINE_CLEANUP(loaders, loaders_free)

/* loader_entry.c: boot/loader/entries below `top`; `saved` names the default of blscfg. */
int loader_entries_load(struct host *host, const char *top, const char *saved,
			const char *kernelopts, bool boots, struct kernel_lines *ret,
			struct error *err);
/* loader_extlinux.c: one extlinux.conf or syslinux.cfg. */
int loader_extlinux_load(struct host *host, const char *path, struct kernel_lines *ret,
			 struct error *err);

/* Take "KEY VALUE" apart in place; false for a blank line and a comment. */
bool loader_key(char *line, char **ret_key, char **ret_value);

#endif

/* SPDX-License-Identifier: MIT */
/* grub.cfg, its grubenv, and the command lines in it. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "probe/grub.h"

static void try_args(const char *args)
{
	struct kernel_params params;

	MUST(kernel_params_parse(args, &params, NULL) == 0);
	for (size_t i = 0; i < params.n; i++)
		MUST(params.items[i].name && !strchr(params.items[i].name, '='));
	kernel_params_done(&params);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(cleanup_grub) struct grub *grub = NULL;
	AUTO_FREE char *bytes = malloc(size ? size : 1), *saved = NULL;
	struct buf text = { .data = bytes, .len = size };
	size_t boots = 0;

	MUST(bytes);
	if (size)
		memcpy(bytes, data, size);
	saved = grubenv_value(&text, "saved_entry");
	if (grub_parse("x", &text, saved, NULL, &grub, NULL) < 0)
		return 0;
	for (size_t i = 0; i < grub->n; i++) {
		boots += grub->entries[i].boots;
		MUST(grub->entries[i].path && grub->entries[i].line);
		MUST(!grub->entries[i].linux_line == !grub->entries[i].linux_args);
		if (grub->entries[i].linux_args)
			try_args(grub->entries[i].linux_args);
	}
	MUST(boots == (grub->n > 0));
	for (size_t i = 0; i < grub->n_uses; i++) {
		MUST(grub->uses[i].entry < (int)grub->n);
		MUST(grub->uses[i].root_line && grub->uses[i].root_text && grub->uses[i].text);
	}
	for (size_t i = 0; i < grub->n_searches; i++)
		MUST(grub->searches[i].tag && grub->searches[i].text);
	return 0;
}

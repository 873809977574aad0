/* SPDX-License-Identifier: MIT */
/* A boot entry of the firmware: load option, device path, what the libraries make of it. */
#include <string.h>

#include "fuzz.h"
#include "probe/efi.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct efi_entry entry = { 0 };
	int r = efi_option_parse(data, size, &entry, NULL);

	if (r == 0) {
		MUST(entry.description && entry.path);
		MUST(entry.form > EFI_UNREADABLE && entry.form <= EFI_OTHER);
		MUST(entry.hardware.n_pci <= EFI_PCI_MAX);
		MUST(entry.form != EFI_FULL || entry.hardware_text);
		MUST(!entry.part_uuid || strlen(entry.part_uuid) <= 36);
		MUST(!entry.hardware_text || strlen(entry.hardware_text) <= strlen(entry.path));
	}
	efi_entry_done(&entry);
	return 0;
}

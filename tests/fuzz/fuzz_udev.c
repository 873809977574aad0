/* SPDX-License-Identifier: MIT */
/* udev's database: properties that disks and their labels bring along. */
#include "fuzz.h"
#include "probe/udev.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (int bare = 0; bare <= 1; bare++) {
		CLEANUP(cleanup_udev_entry) struct udev_entry *entry = NULL;
		AUTO_FREE char *decoded = NULL;
		const char *value;

		if (udev_parse((const char *)data, size, bare, &entry, NULL) < 0)
			continue;
		value = udev_get(entry, "ID_FS_LABEL_ENC");
		if (value)
			udev_decode(value, &decoded);
	}
	return 0;
}

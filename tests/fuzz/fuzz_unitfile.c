/* SPDX-License-Identifier: MIT */
/* Unit files and drop-ins, and the specifiers in them. */
#include <string.h>

#include "fuzz.h"
#include "probe/unitfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_FREE char *text = strndup((const char *)data, size);
	AUTO_FREE char *mount_unit = NULL;
	struct unitfile unit = { .name = strdup("db@a-b\\x2dc.service"), .path = strdup("/u") };

	MUST(text && unit.name && unit.path);
	/* The fragment, then the same once more as a drop-in: resets meet earlier lines. */
	unitfile_parse(&unit, "/u", text);
	unitfile_parse(&unit, "/u.d/x.conf", text);
	unitfile_expand(&unit);
	for (size_t i = 0; i < unit.n; i++)
		MUST(unit.lines[i].key && unit.lines[i].value && unit.lines[i].source);
	MUST(!unit.end == !unit.end_text);
	if (unit.n)
		unit_name_of_mount(unit.lines[0].value, &mount_unit);
	unitfile_done(&unit);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* A script such as k3s-killall.sh, and behind the first NUL a table of mounts. */
#include <string.h>

#include "fuzz.h"
#include "probe/killall.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_KILLALL killall = { 0 };
	AUTO_FREE char *text = strndup((const char *)data, size);
	AUTO_FREE char *table = NULL;
	size_t len;

	MUST(text);
	len = strlen(text);
	table = len < size ? strndup((const char *)data + len + 1, size - len - 1) : strdup("");
	MUST(table);
	MUST(killall_parse_script(text, &killall) == 0);
	MUST(!killall.removes == !killall.removes_text);
	MUST(killall_parse_mounts(table, &killall) == 0);
	for (size_t i = 0; i < killall.n_mounts; i++)
		MUST(killall.mounts[i].target && killall.mounts[i].fstype &&
		     killall.mounts[i].text && killall.mounts[i].line);
	return 0;
}

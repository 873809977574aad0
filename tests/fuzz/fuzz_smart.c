/* SPDX-License-Identifier: MIT */
/* smartctl's JSON: what a drive's firmware says of itself goes into it. */
#include "fuzz.h"
#include "probe/smart.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(cleanup_smart) struct smart *smart = NULL;

	/* The reader of lines runs on what the parser accepted alone; see json_place.h. */
	if (smart_parse((const char *)data, size, "smart.json", &smart, NULL) == 0)
		smart_tells_link(smart);
	return 0;
}

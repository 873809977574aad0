/* SPDX-License-Identifier: MIT */
#include <errno.h>

#include "base/json.h"
#include "sys/smartctl.h"

int smartctl_judge(const char *text, size_t len, const char *device, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_JSON answer = NULL;

	if (json_parse(text, len, "smartctl", &answer, &why) == 0 &&
	    json_is_object(json_object_get(answer, "smartctl")))
		return 0;
	error_set(err, -ENODATA, "smartctl gave no JSON for %s (%s)", device,
		  why.message ? why.message : "not in smartctl's form");
	error_hint(err, "look at: smartctl --json=c -a %s", device);
	return -ENODATA;
}

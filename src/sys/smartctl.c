/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "base/json.h"
#include "sys/smartctl.h"

#define STATUS_NOT_ASKED 3 /* bit 0: usage; bit 1: open failed, or asleep */

static const char *reason_of(const json_t *answer)
{
	const json_t *messages = json_at(answer, "smartctl", "messages", NULL);
	const char *text = json_text(json_array_get(messages, 0), "string");

	return text ? text : "no reason given";
}

int smartctl_judge(const char *text, size_t len, int status, const char *device, struct error *err)
{
	struct error why = ERROR_INIT;
	AUTO_JSON answer = NULL;
	const char *reason;

	if (json_parse(text, len, "smartctl", &answer, &why) < 0) {
		error_set(err, -ENODATA, "smartctl gave no JSON for %s (%s)", device,
			  error_text(&why));
		error_hint(err, "look at: smartctl --json=c -a %s", device);
		error_done(&why);
		return -ENODATA;
	}
	if (!(status & STATUS_NOT_ASKED))
		return 0;
	reason = reason_of(answer);
	error_set(err, -ENODATA, "smartctl cannot ask %s: %s", device, reason);
	if (strcasestr(reason, "standby") || strcasestr(reason, "sleep"))
		error_hint(err, "wake the disk and ask again: smartctl -a %s", device);
	else
		error_hint(err, "look at: smartctl -a %s", device);
	return -ENODATA;
}

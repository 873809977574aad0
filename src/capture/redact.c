/* SPDX-License-Identifier: MIT */
#include <errno.h>

#include "capture/collect.h"

int capture_redact(struct capture *capture, struct error *err)
{
	(void)capture;
	return error_set(err, -ENOSYS, "names cannot be redacted yet");
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>

#include "probe/holders_internal.h"

int holders_find_captured(struct holders_made *made, struct error *err)
{
	return holders_gap(made, "a capture cannot prove that nobody holds it") < 0 ? error_oom(err)
										    : 0;
}

/* SPDX-License-Identifier: MIT */
#include "cli/sitting.h"

int verb_abort(struct call *call)
{
	return sitting_with_open(call, session_abort);
}

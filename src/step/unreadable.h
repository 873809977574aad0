/* SPDX-License-Identifier: MIT */
/* What may not be read and may hide somebody who uses a filesystem. */
#ifndef COLDSWAP_STEP_UNREADABLE_H
#define COLDSWAP_STEP_UNREADABLE_H

#include "step.h"

/* The remedy and the evidence of a finding; `notes` are "PATH: why", as users.h has them. */
void unreadable_cite(struct result *result, struct finding *finding, const struct host *host,
		     char *const *notes);

#endif

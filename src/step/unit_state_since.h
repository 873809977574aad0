/* SPDX-License-Identifier: MIT */
/* A unit beside what the earlier capture recorded of it. */
#ifndef COLDSWAP_STEP_UNIT_STATE_SINCE_H
#define COLDSWAP_STEP_UNIT_STATE_SINCE_H

#include "probe/unit.h"
#include "step.h"

/* A finding's evidence: the unit's state as systemd told it. */
void unit_state_evidence(struct result *result, struct finding *finding, const struct unit *unit);

/*
 * 1: the unit was active in `step->before` and is not now, and that is said;
 * 0: nothing of the sort, or nothing was recorded.  `ret_before` is what was
 * recorded, not found where nothing was.
 */
int unit_state_since(const struct step *step, const char *name, const struct unit *now,
		     struct result *ret, struct unit *ret_before, struct error *err);

#endif

/* SPDX-License-Identifier: MIT */
/* The parts of unit.stop; private to unit_stop*.c. */
#ifndef COLDSWAP_STEP_UNIT_STOP_H
#define COLDSWAP_STEP_UNIT_STOP_H

#include "probe/unit.h"
#include "step.h"

/*
 * With KillMode=process or none the main process alone is sure to end: k3s
 * leaves its shims, and pods have control groups of their own anyway.
 */
bool unit_stop_ends(const struct unit *unit, const struct stoppable *who);
bool unit_stop_spares(const struct unit *unit); /* KillMode=process or none */

/* What would stay of the unit, and why; what must not be used in its place. */
int unit_stop_foresee(const struct step *step, const char *name, struct result *ret,
		      struct error *err);
/* The script that k3s brings along: unit_stop_killall.c. */
int unit_stop_judge_killall(const struct step *step, const char *name, struct result *ret,
			    struct error *err);

#endif

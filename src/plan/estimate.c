/* SPDX-License-Identifier: MIT */
/* How long a step takes: measured on this host, else what its kind assumes. */
#include <stdint.h>

#include "plan/planner.h"

#define SECOND UINT64_C(1000000)

/*
 * From power-off to the end of the boot where no earlier session measured it:
 * a server's firmware alone takes one to three minutes, the rest half of one.
 */
#define ASSUMED_BOOT (180 * SECOND)

void plan_estimate(const struct planner *planner, struct plan_step *step)
{
	const struct plan_args *args = planner->args;
	const struct kind *kind = step->kind;

	if (args->duration_of &&
	    args->duration_of(args->duration_data, kind, step->id, &step->estimate_us) == 1) {
		step->measured = true;
		return;
	}
	if (kind->flags & KIND_RESTORE)
		kind = planner->plan->steps[step->restores].kind;
	step->estimate_us = kind->typical_s * SECOND;
}

void plan_estimate_boot(const struct planner *planner)
{
	struct plan *plan = planner->plan;

	if (plan->boundary == planner->runbook->n_steps)
		return;
	plan->boot_measured = planner->args->boot_us > 0;
	plan->boot_us = plan->boot_measured ? planner->args->boot_us : ASSUMED_BOOT;
}

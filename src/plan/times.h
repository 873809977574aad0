/* SPDX-License-Identifier: MIT */
/* How long a plan takes, without the work on the cables. */
#ifndef COLDSWAP_PLAN_TIMES_H
#define COLDSWAP_PLAN_TIMES_H

#include "plan.h"

enum time_basis {
	TIME_ASSUMED,  /* by the kinds alone */
	TIME_MIXED,    /* some of it measured */
	TIME_MEASURED, /* in earlier sessions of this host */
};

struct plan_time {
	uint64_t us;
	enum time_basis basis;
};

/* Of the steps that are ready. */
struct plan_times {
	struct plan_time before; /* until the power goes off; all of it where it never does */
	struct plan_time boot;   /* power-off, firmware and boot */
	/* From the first service that is stopped, else the power-off, to the last restore. */
	struct plan_time down;
	size_t down_from, down_to; /* these steps; n_steps = none */
};

void plan_times(const struct plan *plan, struct plan_times *ret);

#endif

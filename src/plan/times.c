/* SPDX-License-Identifier: MIT */
#include "plan/times.h"

struct sum {
	uint64_t us;
	bool measured, assumed;
};

static void add(struct sum *sum, uint64_t us, bool measured)
{
	sum->us += us;
	sum->measured |= measured;
	sum->assumed |= !measured && us > 0; /* under a second is no assumption */
}

static struct plan_time take(const struct sum *sum)
{
	struct plan_time time = { .us = sum->us, .basis = TIME_ASSUMED };

	if (sum->measured)
		time.basis = sum->assumed ? TIME_MIXED : TIME_MEASURED;
	return time;
}

static void add_steps(const struct plan *plan, size_t from, size_t to, struct sum *sum)
{
	for (size_t i = from; i < to; i++)
		if (plan->steps[i].state == PLAN_READY)
			add(sum, plan->steps[i].estimate_us, plan->steps[i].measured);
}

/* Does it take something away from those whom the host serves? */
static bool takes_down(const struct plan_step *step)
{
	return step->state == PLAN_READY && step->kind->class == KIND_ACTION && step->kind->undo &&
	       !step->keep && !(step->kind->flags & KIND_SETS_BOOT);
}

static bool gives_back(const struct plan *plan, const struct plan_step *step)
{
	return step->state == PLAN_READY && (step->kind->flags & KIND_RESTORE) &&
	       !(plan->steps[step->restores].kind->flags & KIND_SETS_BOOT);
}

void plan_times(const struct plan *plan, struct plan_times *ret)
{
	struct sum before = { 0 }, boot = { 0 }, down = { 0 };

	*ret = (struct plan_times){ .down_from = plan->n_steps, .down_to = plan->n_steps };
	add_steps(plan, 0, plan->boundary, &before);
	ret->before = take(&before);
	if (plan->boundary == plan->n_steps)
		return;
	add(&boot, plan->boot_us, plan->boot_measured);
	ret->boot = take(&boot);
	ret->down_from = ret->down_to = plan->boundary;
	for (size_t i = plan->boundary; i-- > 0;)
		if (takes_down(&plan->steps[i]))
			ret->down_from = i;
	for (size_t i = plan->boundary + 1; i < plan->n_steps; i++)
		if (gives_back(plan, &plan->steps[i]))
			ret->down_to = i;
	add_steps(plan, ret->down_from, ret->down_to + 1, &down);
	add(&down, plan->boot_us, plan->boot_measured);
	ret->down = take(&down);
}

/* SPDX-License-Identifier: MIT */
#include "exec/foresee.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "probe/facts.h"
#include "sys/clock.h"

static bool is_taken_back(const struct plan *plan, size_t index, size_t by)
{
	for (size_t i = index + 1; i < by; i++)
		if ((plan->steps[i].kind->flags & KIND_RESTORE) &&
		    plan->steps[i].state == PLAN_READY && plan->steps[i].restores == index)
			return true;
	return false;
}

int ahead_stopper(void *data, const struct stoppable *who, const char **ret_id, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	const struct ahead *ahead = data;
	int r = 0;

	*ret_id = NULL;
	for (size_t i = 0; i < ahead->index; i++) {
		const struct plan_step *step = &ahead->plan->steps[i];
		struct step call = *ahead->call;
		int ends;

		if (step->state != PLAN_READY || !step->params || !step->kind->ends ||
		    is_taken_back(ahead->plan, i, ahead->index))
			continue;
		call.id = step->id;
		call.ahead = NULL;
		ends = step->kind->ends(&call, step->params, who, r == 0 ? &why : NULL);
		if (ends > 0) {
			*ret_id = step->id;
			return 1;
		}
		/* Another step may end it all the same. */
		if (ends < 0 && r == 0)
			r = ends;
	}
	return r < 0 ? error_copy(err, &why) : 0;
}

static int foresee_step(struct plan *plan, size_t index, struct facts *facts,
			const volatile sig_atomic_t *cancelled, struct report_step *ret)
{
	const struct plan_step *step = &plan->steps[index];
	uint64_t start = clock_monotonic_us();
	struct ahead ahead = { .plan = plan, .index = index };
	const struct step_ahead calls = { &ahead, ahead_stopper };
	const struct step call = {
		.id = step->id,
		.host = facts_host(facts),
		.facts = facts,
		.work = plan->work,
		.cancelled = cancelled,
		.deadline_us =
			start + (step->timeout_us ? step->timeout_us
						  : step->kind->deadline_s * UINT64_C(1000000)),
		.ahead = &calls,
	};
	int r;

	ahead.call = &call;
	host_set_deadline(call.host, call.deadline_us);
	r = step->kind->foresee(&call, step->params, &ret->result, &ret->failure);
	host_set_deadline(call.host, 0);
	return r < 0 ? r : ret->result.failed;
}

/* A kind that foresees how long it takes knows better than what is assumed of all its steps. */
static void take_time(struct plan_step *step, const struct result *result)
{
	for (size_t i = 0; !step->measured && i < result->n_outputs; i++) {
		const struct output *output = &result->outputs[i];

		if (strcmp(output->name, "seconds") == 0 && output->type == OUTPUT_INT &&
		    output->value.integer > 0)
			step->estimate_us = (uint64_t)output->value.integer * 1000000;
	}
}

static bool is_foreseen(const struct plan *plan, size_t index)
{
	const struct plan_step *step = &plan->steps[index];

	return index < plan->boundary && !step->after && step->state == PLAN_READY &&
	       step->params && step->kind->class == KIND_ACTION && step->kind->foresee;
}

int foresee_plan(struct plan *plan, struct facts *facts, const volatile sig_atomic_t *cancelled,
		 struct report_step **ret, struct error *err)
{
	struct report_step *steps = calloc(plan->n_steps + 1, sizeof(*steps));
	int r = steps ? 0 : -ENOMEM;

	for (size_t i = 0; r >= 0 && i < plan->n_steps; i++) {
		steps[i].plan = &plan->steps[i];
		result_init(&steps[i].result, plan->steps[i].kind);
		if (!is_foreseen(plan, i))
			continue;
		r = foresee_step(plan, i, facts, cancelled, &steps[i]);
		take_time(&plan->steps[i], &steps[i].result);
		if (*cancelled)
			r = -ECANCELED;
		else if (r < 0 && r != -ENOMEM) /* told as this step's */
			r = 0;
	}
	if (r >= 0) {
		*ret = steps;
		return 0;
	}
	foreseen_free(steps, plan->n_steps);
	return r == -ENOMEM ? error_oom(err)
			    : error_set(err, r, "%s",
					_("stopped by the operator; nothing of the "
					  "host was changed"));
}

void foreseen_free(struct report_step *steps, size_t n)
{
	for (size_t i = 0; steps && i < n; i++) {
		result_done(&steps[i].result);
		error_done(&steps[i].failure);
	}
	free(steps);
}

/* SPDX-License-Identifier: MIT */
/*
 * What a step would find or do that is left to the session: its kind's
 * foresee(), which is told of the steps that stand before it and are not done.
 *
 * A process that stands in its way is matched to the first step before it that
 * would end it (kind.ends).  A step that is taken back before this one's turn
 * ends nothing for it.
 */
#ifndef COLDSWAP_EXEC_FORESEE_H
#define COLDSWAP_EXEC_FORESEE_H

#include <signal.h>

#include "error.h"
#include "plan.h"
#include "report.h"
#include "step.h"

/* `data` of a step_ahead whose stopper is ahead_stopper(). */
struct ahead {
	const struct plan *plan;
	size_t index;            /* the step whose turn it is */
	const struct step *call; /* the host, its facts, the work */
};
int ahead_stopper(void *data, const struct stoppable *who, const char **ret_id, struct error *err);

/*
 * For `plan`: what each action before the boundary would do, by index; steps
 * without a word have a result without summary and findings.  -ENOMEM or
 * -ECANCELED; what could not be foreseen is told as that step's.
 */
struct facts;
int foresee_plan(struct plan *plan, struct facts *facts, const volatile sig_atomic_t *cancelled,
		 struct report_step **ret, struct error *err);
void foreseen_free(struct report_step *steps, size_t n);

#endif

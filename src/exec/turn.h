/* SPDX-License-Identifier: MIT */
/*
 * A callback of a step, called: with its deadline, its services, its facts.
 *
 * 1. What a check or a measure finds after its deadline is no proof.  A gate
 *    waits for a human and has none; an action is proved by verify() alone.
 * 2. run and undo of an action, and every verify, see facts that are read
 *    anew: what was read before the change tells nothing about it.
 * 3. A callback that broke is not known, never passed.
 */
#ifndef COLDSWAP_EXEC_TURN_H
#define COLDSWAP_EXEC_TURN_H

#include "exec/executor.h"

/*
 * Each fills *ret, which report_step_done() empties.  0, or -ENOMEM; that the
 * callback failed stands in ret->failure.
 */
int turn_run(struct executor *executor, size_t index, struct report_step *ret);
int turn_undo(struct executor *executor, size_t index, struct report_step *ret);
int turn_verify(struct executor *executor, size_t index, enum effect effect,
		enum standing *ret_standing, struct report_step *ret);
/* Of a step that does not run: verdict and reason. */
void turn_leave_out(struct executor *executor, size_t index, struct report_step *ret);

/* Put what `from` found, and was not found already, behind `into`; the worst verdict counts. */
int turn_absorb(struct report_step *into, struct report_step *from);
void report_step_done(struct report_step *step);
#define AUTO_REPORT_STEP CLEANUP(report_step_done) struct report_step

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The loop of a session: every step of the plan, in its order, each brought to
 * its end or the session stopped at it.
 *
 *	      +--------------------- next step <--------------------+
 *	      v                                                     |
 *	   visit --- past: stands before the boundary, or is        |
 *	      |      taken back, or was settled ---------------------+
 *	      |                                                     |
 *	      +-- not READY: left out with its reason --------------+
 *	      +-- check, measure, gate: check_take() ---------------+
 *	      +-- action: action_take() ----------------------------+
 *	      +-- restore: undo_restore() --------------------------+
 *	      +-- boundary: boundary_take() ---> the machine is off
 *
 * 1. Steps run in the order of the plan, and none begins once the operator
 *    asked to stop.
 * 2. A step that blocks is the last one of the call.
 * 3. What an earlier call settled is asked of the world again: actions by
 *    verify(), volatile checks by running.
 * 4. A check never judges by facts from before an action.
 */
#ifndef COLDSWAP_EXEC_LOOP_H
#define COLDSWAP_EXEC_LOOP_H

#include "exec/executor.h"

/* 0: every step is settled. */
int loop_run(struct executor *executor, struct error *err);
/* Decide what waited for the outputs of earlier steps, on facts that are not stale. */
int loop_prepare(struct executor *executor, size_t index, struct error *err);

#endif

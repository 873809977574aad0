/* SPDX-License-Identifier: MIT */
/*
 * Taking back: one step where the runbook wants it, or all of them.
 *
 * 1. What was never begun, or is taken back, has nothing to take back.
 * 2. All are taken back in the reverse order; one that fails is told, and the
 *    others still go on.
 * 3. Only what is proved to be as before counts as taken back.
 */
#ifndef COLDSWAP_EXEC_UNDO_H
#define COLDSWAP_EXEC_UNDO_H

#include "exec/executor.h"

/* Does the step that it restores stand? */
bool undo_has_work(const struct executor *executor, size_t index);
/* A step with KIND_RESTORE. */
int undo_restore(struct executor *executor, size_t index, struct error *err);
/* The restore of a step, once it has begun: what it restores is no longer wanted. */
bool undo_is_due(const struct executor *executor, size_t index);
/* Everything that stands, but for what the runbook keeps unless `kept_too`; *ret_left is the number of those that could not be proved undone. */
int undo_all(struct executor *executor, bool kept_too, size_t *ret_left, struct error *err);

#endif

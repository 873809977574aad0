/* SPDX-License-Identifier: MIT */
/*
 * A check, a measure or a gate: announced, run, recorded; and what every step
 * has in common with it.
 *
 * 1. What was interrupted is not recorded, and simply runs again.
 * 2. What a question decides is recorded after its answer.
 */
#ifndef COLDSWAP_EXEC_CHECK_H
#define COLDSWAP_EXEC_CHECK_H

#include "exec/executor.h"

int check_take(struct executor *executor, size_t index, struct error *err);
/* A step that does not run here, or cannot. */
int check_leave_out(struct executor *executor, size_t index, struct error *err);

/* Say what comes, and with `--step` ask. */
int check_announce(struct executor *executor, size_t index, struct error *err);
/* Record the outcome, say it, and stop where it blocks; empties `outcome`. */
int check_settle(struct executor *executor, size_t index, struct report_step *outcome,
		 struct error *err);
/* Say again what stands recorded of a step. */
void check_tell(struct executor *executor, enum notice_type type, size_t index);

#endif

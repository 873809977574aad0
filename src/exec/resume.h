/* SPDX-License-Identifier: MIT */
/*
 * Going on with a session: what the journal says, beside the machine as it is.
 *
 *	     boot_id of the last call, and now
 *	BEFORE   --- the same ------------------> BEFORE
 *	         --- another (no crossing) -----> BEFORE, proofs and outcomes void
 *	CROSSING --- the same ------------------> BEFORE: it did not happen
 *	         --- another -------------------> AFTER
 *	AFTER    --- the same ------------------> AFTER
 *	         --- another -------------------> AFTER, those after the work void
 *
 * 1. Another machine-id is another machine: nothing is written, nothing done.
 * 2. The runbook's file is looked at, the pinned text is what goes on; a file
 *    that is gone is no obstacle.
 * 3. Before the boundary the world must be the sealed one; each difference is
 *    named.
 * 4. What a reboot voids is void in the journal before anything else is
 *    written: the boot counts as seen only after that.
 */
#ifndef COLDSWAP_EXEC_RESUME_H
#define COLDSWAP_EXEC_RESUME_H

#include "exec/executor.h"

/* The open session, as far as its journal goes; -ENOENT: none is open. */
int resume_load(struct executor *executor, struct error *err);
/* 1 when the session is another machine's. */
int resume_refuse_machine(struct executor *executor, struct error *err);
/* Which side of the boundary, for who gives up: nothing is written. */
int resume_side(struct executor *executor, struct error *err);
/* Which side of the boundary are we on, and did the machine boot meanwhile? */
int resume_arrive(struct executor *executor, struct error *err);
/* Is it still the runbook and the world of the opening? */
int resume_compare(struct executor *executor, struct error *err);

#endif

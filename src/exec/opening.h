/* SPDX-License-Identifier: MIT */
/*
 * Opening a session: everything that must be known and safe before the first
 * step, in this order.
 *
 *	the runbook's text, as it was parsed -> the plan -> what may be accepted ->
 *	where state, program and runbook lie -> the world -> the seal -> the journal
 *
 * Whatever of it fails, there is no session, and nothing was changed.
 */
#ifndef COLDSWAP_EXEC_OPENING_H
#define COLDSWAP_EXEC_OPENING_H

#include "exec/executor.h"

int opening_make(struct executor *executor, const struct runbook *runbook,
		 const struct plan_args *plan_args, struct error *err);

#endif

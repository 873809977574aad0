/* SPDX-License-Identifier: MIT */
/*
 * One host, asked everything that there is to ask: every check of the runbooks
 * that are compiled in.  A capture is what was asked meanwhile.
 */
#ifndef COLDSWAP_EXEC_HEARING_H
#define COLDSWAP_EXEC_HEARING_H

#include <signal.h>

#include "error.h"
#include "plan.h"
#include "report.h"
#include "runbook.h"

#define HEARING_PARTS 2

struct hearing {
	struct runbook *runbooks[HEARING_PARTS];
	struct plan *plans[HEARING_PARTS];
	struct report reports[HEARING_PARTS];
	bool unread; /* after an error: the host could not be read, and nobody asked wrongly */
};

/*
 * `args`: what is the same for all of them (variables, work); NULL = nothing.
 * -EINVAL: these fit no runbook; -ECANCELED: stopped.
 */
int hearing_run(struct facts *facts, const struct plan_args *args,
		const volatile sig_atomic_t *cancelled, struct hearing *ret, struct error *err);
void hearing_done(struct hearing *hearing);
#define AUTO_HEARING CLEANUP(hearing_done) struct hearing

/* The step on which two hearings of the same questions do not agree, or NULL. */
const char *hearing_disagreement(const struct hearing *a, const struct hearing *b);

#endif

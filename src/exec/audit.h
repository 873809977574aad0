/* SPDX-License-Identifier: MIT */
/*
 * The loop of a dry run: every step that is ready, in the order of the plan.
 *
 * 1. Nothing of the host is changed and nobody is asked: only checks run here.
 *    What an action or a gate would do is told, and a proof that holds for a
 *    moment only is left to the session where an action stands before it;
 *    neither enters the verdict.
 * 2. A step that could not be carried out is not known, never passed; the
 *    others still run.
 * 3. What waits for the outputs of earlier steps is decided when the step's
 *    turn comes.
 * 4. Once the operator asks to stop, no further step begins.
 */
#ifndef COLDSWAP_EXEC_AUDIT_H
#define COLDSWAP_EXEC_AUDIT_H

#include <signal.h>
#include <stdbool.h>

#include "error.h"
#include "plan.h"
#include "report.h"

struct audit {
	const char *command; /* "audit", "check", "verify" */
	struct plan *plan;   /* what waits for outputs is decided on the way */
	struct facts *facts;
	struct facts *before; /* of an earlier capture; NULL = nothing recorded */
	/*
	 * After the work of a session: which steps are done, by index.  A check
	 * that stands behind one that is not is not due yet.  NULL = no session.
	 */
	const bool *done;
	unsigned only; /* run the checks with these flags alone; 0 = all */
	const volatile sig_atomic_t *cancelled;
};

/*
 * 0 and a report for report_done(), whatever the verdicts are.  -ECANCELED
 * when the operator stopped it; -ENOMEM.
 */
int audit_run(const struct audit *audit, struct report *ret, struct error *err);

#endif

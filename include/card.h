/* SPDX-License-Identifier: MIT */
/*
 * The swap card: one page (80 columns, 60 lines, plain ASCII) that an operator
 * takes to a machine that is off.  Everything on it is known before the power
 * goes, or it is not on it.
 */
#ifndef COLDSWAP_CARD_H
#define COLDSWAP_CARD_H

#include <stddef.h>
#include <stdint.h>

#include "attr.h"
#include "buf.h"
#include "error.h"
#include "plan.h"

struct facts;

/* What was accepted, and why. */
struct acceptance {
	char *finding; /* "disk.smart/reallocated" */
	char *subject;
	char *because;
};

/* What a session adds to what plan and host tell; all zero for a dry run. */
struct card_session {
	int64_t number;     /* 0 = a dry run: said on the card */
	const char *resume; /* the command after the boot, as a shell takes it */
	const char *head;   /* of the journal's chain; NULL = none */
	char *const *lifts; /* how to lift each hold without coldswap: "rm FILE"; or NULL */
	const struct acceptance *accepted;
	size_t n_accepted;
};

/*
 * The machine as it is plugged now is in `facts`, the work to be done in
 * `plan->work`.  -E2BIG: it does not fit on one page (never silently cut).
 */
int card_text(struct facts *facts, const struct plan *plan, const struct card_session *session,
	      struct buf *ret, struct error *err);

#endif

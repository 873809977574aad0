/* SPDX-License-Identifier: MIT */
/*
 * The events that the executor writes, each with what follows from it for the
 * steps in memory.  Events and their bodies: src/exec/fold.h.
 *
 * 1. Memory changes only after the journal took the event.
 * 2. A secret never gets here: bodies are made of results, which hold none.
 */
#ifndef COLDSWAP_EXEC_RECORD_H
#define COLDSWAP_EXEC_RECORD_H

#include "exec/executor.h"

/* `index` SIZE_MAX: of no step.  `body` is stolen; NULL is out of memory. */
int record_event(struct executor *executor, const char *type, size_t index, json_t *body,
		 struct error *err);
/* {"boot_id": ...}, to which the caller adds. */
json_t *record_body(const struct executor *executor);

int record_intent(struct executor *executor, size_t index, struct error *err);
/* How a step ended; takes the result and the failure over into `steps`. */
int record_outcome(struct executor *executor, size_t index, struct report_step *outcome,
		   struct error *err);
int record_undo_intent(struct executor *executor, size_t index, struct error *err);
/* `standing` of EFFECT_UNDONE: only YES makes it undone. */
int record_undo_outcome(struct executor *executor, size_t index, enum standing standing,
			const struct report_step *outcome, struct error *err);
/* What was proved or done counts no longer. */
int record_void(struct executor *executor, size_t index, const char *reason, struct error *err);
int record_accepted(struct executor *executor, const struct acceptance *accepted,
		    struct error *err);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The card of a session: made of what is known now, shown, kept beside the
 * journal, and not gone on from before the operator has it off this machine.
 */
#ifndef COLDSWAP_EXEC_SWAPCARD_H
#define COLDSWAP_EXEC_SWAPCARD_H

#include "buf.h"
#include "exec/executor.h"

/* STATE/N/card.txt, the event "card", and the question; `ret_sha256` is of its text. */
int swapcard_hand_over(struct executor *executor, size_t index, char ret_sha256[65],
		       struct error *err);
/* Its text alone. */
int swapcard_make(struct executor *executor, struct buf *ret, struct error *err);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The boundary: the power goes off.
 *
 *	last page -> what was accepted, typed again -> the card, `saved` ->
 *	the host's name -> every proof renewed -> crossing in the journal ->
 *	journal closed, inhibitor released -> run() powers off
 *
 * 1. Every answer of the operator comes before every renewed proof: nothing is
 *    waited for between a proof and the power-off.
 * 2. A proof that changed stops it: exit code 12, and nothing is powered off.
 * 3. After "crossing" is on the disk only the next boot's id says what
 *    happened; a power-off that was refused is recorded as not crossed.
 */
#ifndef COLDSWAP_EXEC_BOUNDARY_H
#define COLDSWAP_EXEC_BOUNDARY_H

#include "exec/executor.h"

/* Of the plan; or, with `work`, once more because of the cables. */
int boundary_take(struct executor *executor, size_t index, struct error *err);
int boundary_take_again(struct executor *executor, struct work *work, struct error *err);

#endif

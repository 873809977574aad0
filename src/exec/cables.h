/* SPDX-License-Identifier: MIT */
/*
 * The operator's cables: which end was exchanged, and what to do when they are
 * not where they should be.
 *
 *	          disk.links failed
 *	AFTER ----------------------> asked --- off ---> CROSSING, with a new card
 *	                                |   --- keep --> all restored, CLOSED as "differs"
 *	                                +------ q -----> stopped
 */
#ifndef COLDSWAP_EXEC_CABLES_H
#define COLDSWAP_EXEC_CABLES_H

#include "exec/executor.h"

/* Once after each crossing, where cables were the work. */
int cables_ask_end(struct executor *executor, struct error *err);
/* Did the step that just stopped the session find wrong cables? */
bool cables_failed(const struct executor *executor, size_t index);
/* One of the three ways. */
int cables_take(struct executor *executor, size_t index, struct error *err);

#endif

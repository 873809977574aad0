/* SPDX-License-Identifier: MIT */
/*
 * What the session needs lies where the work does not take it away: the state
 * directory, the program, its libraries, the runbook.
 */
#ifndef COLDSWAP_EXEC_PLACING_H
#define COLDSWAP_EXEC_PLACING_H

#include "exec/executor.h"

/* -EXDEV: something would be gone after the work.  What is risky is told. */
int placing_check(struct executor *executor, const char *runbook, struct error *err);

#endif

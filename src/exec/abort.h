/* SPDX-License-Identifier: MIT */
/*
 * Giving a session up: everything that it changed is taken back, newest first.
 *
 * 1. No changed file, no changed world and no missing disk keeps it from that:
 *    what an undo needs lies in the journal and the seal.  Another machine does.
 * 2. The cables are nobody's to undo: after the boundary they stay as they are.
 * 3. The session is closed only when all is proved to be as before.
 */
#ifndef COLDSWAP_EXEC_ABORT_H
#define COLDSWAP_EXEC_ABORT_H

#include "exec/executor.h"

int abort_arrive(struct executor *executor, struct error *err);
int abort_all(struct executor *executor, struct error *err);

#endif

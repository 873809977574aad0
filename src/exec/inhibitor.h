/* SPDX-License-Identifier: MIT */
/* While anything is changed, nobody shuts the machine down or suspends it unasked. */
#ifndef COLDSWAP_EXEC_INHIBITOR_H
#define COLDSWAP_EXEC_INHIBITOR_H

#include "exec/executor.h"

/* Once a call.  Without logind it cannot be held: told, and no obstacle. */
int inhibitor_hold(struct executor *executor, struct error *err);
void inhibitor_release(struct executor *executor);

#endif

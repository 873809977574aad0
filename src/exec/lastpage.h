/* SPDX-License-Identifier: MIT */
/* The last page before the power goes off: what is proved, what will be gone, what was accepted. */
#ifndef COLDSWAP_EXEC_LASTPAGE_H
#define COLDSWAP_EXEC_LASTPAGE_H

#include "exec/executor.h"

/* Shown, and what was accepted is typed again, one by one. */
int lastpage_show(struct executor *executor, size_t index, struct error *err);
/* The very last lines: how the machine goes, and when the plug may be pulled. */
void lastpage_close(struct executor *executor);

#endif

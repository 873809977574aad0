/* SPDX-License-Identifier: MIT */
/* While a machine starts, nothing can be said of what it still waits for. */
#ifndef COLDSWAP_CLI_QUEUE_H
#define COLDSWAP_CLI_QUEUE_H

#include "error.h"
#include "host.h"

/*
 * Wait until systemd has no job for a mount, a device or a swap any more.
 * -ETIMEDOUT names those that are still queued; -ECANCELED; other codes: it
 * could not be asked.
 */
int queue_wait(struct host *host, struct error *err);

#endif

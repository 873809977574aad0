/* SPDX-License-Identifier: MIT */
/* The parts of work_resolve(): the target of a move, and what cannot be at once. */
#ifndef COLDSWAP_WORK_INTERNAL_H
#define COLDSWAP_WORK_INTERNAL_H

#include "work/work.h"

/*
 * Read "port 3 of 0000:00:1f.2", "port 3" (one SATA controller) or "ata4"
 * into the operation's controller and port.
 */
int target_parse(struct facts *facts, const char *text, struct work_op *op, struct error *err);

/* A disk twice, two cables for one port, a disk that cannot go where it is told to. */
int work_conflicts(struct work *work, const struct work_request *requests, struct error *err);

#endif

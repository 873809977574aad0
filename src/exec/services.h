/* SPDX-License-Identifier: MIT */
/*
 * What a running step may ask of its session, over journal, operator and state
 * directory.
 *
 * 1. An original is on the disk when save_original() returns 0, and the first
 *    one stays.
 * 2. A secret is asked and handed on; nothing here keeps it.
 * 3. Texts that are lent out live as long as the services do.
 */
#ifndef COLDSWAP_EXEC_SERVICES_H
#define COLDSWAP_EXEC_SERVICES_H

#include "exec/executor.h"

struct services {
	struct step_services calls; /* what the step gets */
	struct executor *executor;
	size_t index;
	char *scratch;
	char **lent;
};

void services_init(struct services *services, struct executor *executor, size_t index);
void services_done(struct services *services);

#endif

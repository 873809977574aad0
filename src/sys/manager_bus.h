/* SPDX-License-Identifier: MIT */
/* Inside of struct manager: for src/sys/manager*.c alone. */
#ifndef COLDSWAP_SYS_MANAGER_BUS_H
#define COLDSWAP_SYS_MANAGER_BUS_H

#include "sys/bus.h"
#include "sys/manager.h"

#define MANAGER_PATH "/org/freedesktop/systemd1"
#define MANAGER_INTERFACE BUS_SYSTEMD ".Manager"

struct manager {
	struct host *host;
	sd_bus *bus;
	bool peer;
};

/* A connection that stands, made again if need be, before the deadline. */
int manager_connected(struct manager *manager, uint64_t deadline_us, struct error *err);

/*
 * When a call of at most `most_us` must be answered, within what the host has left; and a
 * connection for it.
 */
int manager_ready(struct manager *manager, uint64_t most_us, uint64_t *ret_deadline_us,
		  struct error *err);

/* A call of the manager object; add the arguments, then bus_call(). */
int manager_method(struct manager *manager, const char *method, sd_bus_message **ret);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Connections to systemd and logind over D-Bus.
 *
 * Every wait ends by the answer, at the deadline (CLOCK_MONOTONIC,
 * microseconds: -ETIMEDOUT) or, within a tenth of a second, when the operator
 * stopped us (-ECANCELED).  Addresses never come from the environment.
 * No call starts a service.
 */
#ifndef COLDSWAP_SYS_BUS_H
#define COLDSWAP_SYS_BUS_H

#include <stdbool.h>
#include <stdint.h>
#include <systemd/sd-bus.h>

#include "attr.h"
#include "error.h"

#define BUS_SYSTEMD "org.freedesktop.systemd1"
#define BUS_LOGIND "org.freedesktop.login1"

/* Whose word counts first where both can be reached. */
enum bus_order {
	BUS_FIRST,    /* what is only read: as anybody may ask */
	SYSTEMD_FIRST /* jobs: systemd itself, which needs no bus that could be stopped meanwhile */
};

/* The system bus. */
int bus_connect(uint64_t deadline_us, sd_bus **ret, struct error *err);

/*
 * systemd: over the system bus, or its own socket for root.  *ret_peer: the
 * connection leads to systemd itself, so that calls name no destination.
 */
int bus_connect_systemd(enum bus_order order, uint64_t deadline_us, sd_bus **ret, bool *ret_peer,
			struct error *err);

/*
 * Send a method call and wait for its answer.  An answer that is an error fills
 * `ret_error` (sd_bus_error_is_set()) and gives the errno that it stands for,
 * -EIO where it stands for none; -ECONNRESET: the connection was lost.
 */
int bus_call(sd_bus *bus, sd_bus_message *call, uint64_t deadline_us, sd_bus_message **ret,
	     sd_bus_error *ret_error);

/*
 * One turn: dispatch a message, else wait a slice.  0, or a negative errno that ends it; what was
 * waited for may have come in that same turn.
 */
int bus_turn(sd_bus *bus, uint64_t deadline_us);

/* Every answer was waited for: a flush could only wait for a bus that hangs. */
static inline void cleanup_bus(sd_bus **bus)
{
	sd_bus_close_unref(*bus);
}

static inline void cleanup_bus_message(sd_bus_message **message)
{
	sd_bus_message_unref(*message);
}

static inline void cleanup_bus_error(sd_bus_error *error)
{
	sd_bus_error_free(error);
}

#define AUTO_BUS CLEANUP(cleanup_bus) sd_bus *
#define AUTO_MESSAGE CLEANUP(cleanup_bus_message) sd_bus_message *
#define AUTO_BUS_ERROR CLEANUP(cleanup_bus_error) sd_bus_error

#endif

/* SPDX-License-Identifier: MIT */
/* A unit's properties over a connection to systemd. */
#ifndef COLDSWAP_SYS_BUS_UNIT_H
#define COLDSWAP_SYS_BUS_UNIT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <systemd/sd-bus.h>

#include "error.h"

/*
 * The properties of a unit and of its type, as one JSON object.  `peer`: the
 * connection leads to systemd itself, not to a bus.  Nothing is started by
 * asking.  -ENOENT: systemd knows no unit of that name; one whose file was
 * removed while it runs, or after it failed, is known (LoadState "not-found").
 */
int bus_unit_read(sd_bus *bus, bool peer, const char *unit, uint64_t deadline_us, json_t **ret,
		  struct error *err);

#endif

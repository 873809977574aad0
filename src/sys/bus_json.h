/* SPDX-License-Identifier: MIT */
/* D-Bus values as JSON. */
#ifndef COLDSWAP_SYS_BUS_JSON_H
#define COLDSWAP_SYS_BUS_JSON_H

#include <jansson.h>
#include <systemd/sd-bus.h>

/*
 * Read the reply of GetAll, an array of {name, variant}, into `object`.
 * Structs become arrays; a 64-bit number that JSON's integers cannot hold
 * (systemd's "infinity") becomes null; a command line (ExecStart) becomes
 * [{path, argv}].  0 or a negative errno.
 */
int bus_json_properties(sd_bus_message *message, json_t *object);

#endif

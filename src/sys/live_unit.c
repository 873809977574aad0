/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <systemd/sd-daemon.h>

#include "base/json.h"
#include "sys/bus.h"
#include "sys/bus_unit.h"
#include "sys/clock.h"
#include "sys/host_root.h"
#include "sys/live.h"

#define TIMEOUT_US 5000000

int live_unit(struct host *host, const char *name, struct buf *ret, char **ret_source,
	      struct error *err)
{
	AUTO_BUS bus = NULL;
	AUTO_JSON unit = NULL;
	uint64_t left, deadline_us;
	bool peer;
	int r;

	if (sd_booted() <= 0)
		return error_set(err, -ENOENT, "systemd does not run here");
	r = host_time_left(host, TIMEOUT_US, &left, err);
	deadline_us = clock_monotonic_us() + left;
	if (r == 0)
		r = bus_connect_systemd(BUS_FIRST, deadline_us, &bus, &peer, err);
	if (r == 0)
		r = bus_unit_read(bus, peer, name, deadline_us, &unit, err);
	if (r == 0)
		r = json_print(unit, ret, err);
	if (r < 0)
		return r;
	if (asprintf(ret_source, "systemd %s", name) >= 0)
		return 0;
	*ret_source = NULL;
	return error_oom(err);
}

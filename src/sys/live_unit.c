/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>

#include "base/json.h"
#include "sys/bus_unit.h"
#include "sys/clock.h"
#include "sys/host_root.h"
#include "sys/live.h"
#include "sys/process.h"

/* The address never comes from the environment. */
#define BUS_ADDRESS "unix:path=/run/dbus/system_bus_socket"
/* systemd itself, for root, where no bus runs (an emergency shell). */
#define PEER_ADDRESS "unix:path=/run/systemd/private"
#define TIMEOUT_US 5000000
/* How long a signal of the operator may go unseen. */
#define SLICE_US 100000

/* Every answer was waited for: a flush could only wait for a bus that hangs. */
static void unref_bus(sd_bus **bus)
{
	sd_bus_close_unref(*bus);
}

/* sd_bus_call() would wait 90 seconds for a bus that takes the connection and says nothing. */
static int wait_until_ready(sd_bus *bus, uint64_t deadline_us)
{
	int r;

	while ((r = sd_bus_is_ready(bus)) == 0) {
		r = sd_bus_process(bus, NULL);
		if (r < 0)
			return r;
		if (r > 0)
			continue;
		if (*process_cancelled())
			return -ECANCELED;
		if (clock_monotonic_us() >= deadline_us)
			return -ETIMEDOUT;
		r = sd_bus_wait(bus, SLICE_US);
		if (r < 0 && r != -EINTR)
			return r;
	}
	return r < 0 ? r : 0;
}

static int connect_to(const char *address, bool peer, uint64_t deadline_us, sd_bus **ret)
{
	CLEANUP(unref_bus) sd_bus *bus = NULL;
	int r = sd_bus_new(&bus);

	if (r >= 0)
		r = sd_bus_set_address(bus, address);
	if (r >= 0)
		r = sd_bus_set_bus_client(bus, !peer);
	if (r >= 0)
		r = sd_bus_start(bus);
	if (r >= 0)
		r = wait_until_ready(bus, deadline_us);
	if (r < 0)
		return r;
	*ret = TAKE(bus);
	return 0;
}

/* The bus has half of the time, so that a bus that hangs leaves some to systemd itself. */
static int connect_systemd(uint64_t left_us, sd_bus **ret, bool *ret_peer, struct error *err)
{
	uint64_t now = clock_monotonic_us();
	int r = connect_to(BUS_ADDRESS, false, now + left_us / 2, ret);

	*ret_peer = false;
	if (r < 0 && r != -ECANCELED && process_is_root() &&
	    connect_to(PEER_ADDRESS, true, now + left_us, ret) >= 0) {
		*ret_peer = true;
		r = 0;
	}
	if (r < 0) {
		error_set(err, r == -ENOENT ? -ECONNREFUSED : r,
			  "cannot reach systemd over D-Bus: %s", strerror(-r));
		error_hint(err, "start the system bus, or run as root");
		return r == -ENOENT ? -ECONNREFUSED : r;
	}
	return 0;
}

int live_unit(struct host *host, const char *name, struct buf *ret, char **ret_source,
	      struct error *err)
{
	CLEANUP(unref_bus) sd_bus *bus = NULL;
	AUTO_JSON unit = NULL;
	uint64_t left, deadline_us;
	bool peer;
	int r;

	if (sd_booted() <= 0)
		return error_set(err, -ENOENT, "systemd does not run here");
	r = host_time_left(host, TIMEOUT_US, &left, err);
	deadline_us = clock_monotonic_us() + left;
	if (r == 0)
		r = connect_systemd(left, &bus, &peer, err);
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

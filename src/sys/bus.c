/* SPDX-License-Identifier: MIT */
#include "sys/bus.h"

#include <errno.h>
#include <string.h>

#include "sys/clock.h"
#include "sys/process.h"

#define BUS_ADDRESS "unix:path=/run/dbus/system_bus_socket"
/* systemd itself, for root; it is there where no bus runs (an emergency shell). */
#define PEER_ADDRESS "unix:path=/run/systemd/private"
/* How long a signal of the operator may go unseen. */
#define SLICE_US 100000

int bus_turn(sd_bus *bus, uint64_t deadline_us)
{
	int r = sd_bus_process(bus, NULL);
	uint64_t now;

	if (r < 0)
		return r;
	/* Looked at in each turn: a bus that never stops talking must not keep us. */
	if (*process_cancelled())
		return -ECANCELED;
	now = clock_monotonic_us();
	if (now >= deadline_us)
		return -ETIMEDOUT;
	if (r > 0)
		return 0;
	r = sd_bus_wait(bus, deadline_us - now < SLICE_US ? deadline_us - now : SLICE_US);
	return r < 0 && r != -EINTR ? r : 0;
}

/* A bus may take the connection and say nothing. */
static int wait_until_ready(sd_bus *bus, uint64_t deadline_us)
{
	int r;

	while ((r = sd_bus_is_ready(bus)) == 0) {
		r = bus_turn(bus, deadline_us);
		if (r < 0)
			return r;
	}
	return r < 0 ? r : 0;
}

static int connect_to(const char *address, bool peer, uint64_t deadline_us, sd_bus **ret)
{
	AUTO_BUS bus = NULL;
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

int bus_connect(uint64_t deadline_us, sd_bus **ret, struct error *err)
{
	int r = connect_to(BUS_ADDRESS, false, deadline_us, ret);

	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0) {
		r = r == -ENOENT ? -ECONNREFUSED : r;
		error_set(err, r, "cannot reach the system bus: %s", strerror(-r));
		error_hint(err, "start it: systemctl start dbus");
	}
	return r;
}

/* The first has half of the time, so that one that hangs leaves some to the other. */
int bus_connect_systemd(enum bus_order order, uint64_t deadline_us, sd_bus **ret, bool *ret_peer,
			struct error *err)
{
	static const char *const addresses[] = { BUS_ADDRESS, PEER_ADDRESS };
	uint64_t now = clock_monotonic_us();
	uint64_t left = deadline_us > now ? deadline_us - now : 0;
	bool root = process_is_root();
	int r = -ECONNREFUSED, first = root && order == SYSTEMD_FIRST;
	int i;

	for (i = 0; i < (root ? 2 : 1) && r < 0 && r != -ECANCELED; i++) {
		*ret_peer = (first + i) % 2;
		r = connect_to(addresses[*ret_peer], *ret_peer, i ? deadline_us : now + left / 2,
			       ret);
	}
	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0) {
		r = r == -ENOENT ? -ECONNREFUSED : r;
		error_set(err, r, "cannot reach systemd over D-Bus: %s", strerror(-r));
		error_hint(err, "start the system bus, or run as root");
	}
	return r;
}

struct answer {
	sd_bus_message *message;
};

static int on_answer(sd_bus_message *message, void *userdata, sd_bus_error *error)
{
	struct answer *answer = userdata;

	(void)error;
	answer->message = sd_bus_message_ref(message);
	return 1;
}

static void unref_slot(sd_bus_slot **slot)
{
	sd_bus_slot_unref(*slot);
}

static int judge(sd_bus *bus, sd_bus_message *answer, sd_bus_error *ret_error)
{
	const sd_bus_error *error = sd_bus_message_get_error(answer);

	if (!error)
		return 0;
	/* A lost connection answers every open call by itself. */
	if (sd_bus_error_has_name(error, SD_BUS_ERROR_NO_REPLY) && sd_bus_is_open(bus) <= 0)
		return -ECONNRESET;
	if (sd_bus_error_copy(ret_error, error) == -ENOMEM)
		return -ENOMEM;
	return -sd_bus_error_get_errno(ret_error);
}

int bus_call(sd_bus *bus, sd_bus_message *call, uint64_t deadline_us, sd_bus_message **ret,
	     sd_bus_error *ret_error)
{
	CLEANUP(unref_slot) sd_bus_slot *slot = NULL;
	struct answer answer = { 0 };
	uint64_t now = clock_monotonic_us();
	int r = sd_bus_message_set_auto_start(call, 0);

	if (now >= deadline_us)
		return -ETIMEDOUT;
	/* Its own timeout stands behind ours: ours is the one that is told. */
	if (r >= 0)
		r = sd_bus_call_async(bus, &slot, call, on_answer, &answer,
				      deadline_us - now + 1000000);
	while (r >= 0 && !answer.message)
		r = bus_turn(bus, deadline_us);
	/* One that came in the last turn counts, whatever ended the turn. */
	if (answer.message)
		r = judge(bus, answer.message, ret_error);
	if (r < 0) {
		sd_bus_message_unref(answer.message);
		return r;
	}
	*ret = answer.message;
	return 0;
}

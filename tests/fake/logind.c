/* SPDX-License-Identifier: MIT */
/* The methods of org.freedesktop.login1 that are asked for. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "fake.h"

struct inhibitor {
	struct fake *fake;
	char *who;
	int fd;
};

static int on_hangup(sd_event_source *source, int fd, uint32_t events, void *userdata)
{
	struct inhibitor *inhibitor = userdata;

	(void)events;
	note(inhibitor->fake, "Uninhibit %s", inhibitor->who);
	sd_event_source_disable_unref(source);
	close(fd);
	free(inhibitor->who);
	free(inhibitor);
	return 0;
}

static void watch(struct fake *fake, int fd, const char *who)
{
	struct inhibitor *inhibitor = need(calloc(1, sizeof(*inhibitor)));
	sd_event_source *source;

	inhibitor->fake = fake;
	inhibitor->who = copy(who);
	if (sd_event_add_io(fake->event, &source, fd, 0, on_hangup, inhibitor) < 0)
		die("cannot watch an inhibitor");
}

/* 1 when the script has an answer of its own. */
static int scripted(sd_bus_message *call, const char *outcome)
{
	if (strcmp(outcome, "silent") == 0)
		return 1;
	if (strncmp(outcome, "refuse:", 7) == 0)
		return peer_refuse(call, outcome + 7, "The script refuses it.");
	return 0;
}

static int inhibit(struct peer *peer, sd_bus_message *call)
{
	const char *what, *who, *why, *mode;
	int ends[2], r = sd_bus_message_read(call, "ssss", &what, &who, &why, &mode);

	if (r < 0)
		return r;
	note(peer->fake, "Inhibit %s %s %s", what, mode, who);
	r = scripted(call, peer->fake->inhibit);
	if (r != 0)
		return r;
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
		die("no pipe: %m");
	watch(peer->fake, ends[0], who);
	r = peer_answer(call, "h", ends[1]);
	close(ends[1]);
	return r;
}

static int power_off(struct peer *peer, sd_bus_message *call)
{
	struct fake *fake = peer->fake;
	int interactive, r = sd_bus_message_read(call, "b", &interactive);

	if (r < 0)
		return r;
	note(fake, "PowerOff %s", interactive ? "true" : "false");
	r = scripted(call, fake->power_off);
	if (r != 0)
		return r;
	if (strcmp(fake->power_off, "lost") == 0) {
		peer_close(fake, peer->serial);
		return 1;
	}
	r = peer_answer(call, "");
	sd_bus_flush(peer->bus);
	if (fake->power_off_run && system(fake->power_off_run) < 0)
		die("cannot run %s: %m", fake->power_off_run);
	return r;
}

static int can_power_off(struct peer *peer, sd_bus_message *call)
{
	int r = scripted(call, peer->fake->can_power_off);

	return r != 0 ? r : peer_answer(call, "s", peer->fake->can_power_off);
}

int logind_call(struct peer *peer, sd_bus_message *call)
{
	static const struct {
		const char *member;
		int (*function)(struct peer *peer, sd_bus_message *call);
	} methods[] = {
		{ "Inhibit", inhibit },
		{ "PowerOff", power_off },
		{ "CanPowerOff", can_power_off },
	};
	const char *destination = sd_bus_message_get_destination(call);
	size_t i;

	if (!destination || strcmp(destination, LOGIND) != 0)
		return 0;
	if (strcmp(peer->fake->logind, "absent") == 0)
		return peer_refuse(call, SD_BUS_ERROR_SERVICE_UNKNOWN,
				   "The name " LOGIND " was not provided by any .service files");
	if (strcmp(peer->fake->logind, "silent") == 0)
		return 1;
	for (i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		if (sd_bus_message_is_method_call(call, LOGIND ".Manager", methods[i].member))
			return methods[i].function(peer, call);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * Connections.  systemd's own socket speaks D-Bus without a bus; on the
 * system bus's socket this program is the bus too, as far as one client sees it.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "fake.h"

struct listener {
	struct fake *fake;
	bool is_bus;
};

int peer_answer(sd_bus_message *call, const char *types, ...)
{
	sd_bus_message *reply = NULL;
	va_list args;
	int r = sd_bus_message_new_method_return(call, &reply);

	va_start(args, types);
	if (r >= 0)
		r = sd_bus_message_appendv(reply, types, args);
	va_end(args);
	if (r >= 0)
		r = sd_bus_send(NULL, reply, NULL);
	sd_bus_message_unref(reply);
	return r < 0 ? r : 1;
}

int peer_refuse(sd_bus_message *call, const char *name, const char *fmt, ...)
{
	char words[512];
	va_list args;
	int r;

	va_start(args, fmt);
	vsnprintf(words, sizeof(words), fmt, args);
	va_end(args);
	r = sd_bus_reply_method_errorf(call, name, "%s", words);
	return r < 0 ? r : 1;
}

static int on_defer(sd_event_source *source, void *userdata)
{
	struct peer *peer = userdata, **at = &peer->fake->peers;

	while (*at && *at != peer)
		at = &(*at)->next;
	if (*at)
		*at = peer->next;
	sd_event_source_disable_unref(source);
	sd_bus_detach_event(peer->bus);
	sd_bus_close_unref(peer->bus);
	free(peer);
	return 0;
}

/* Never from inside of its own callback. */
static void drop(struct peer *peer)
{
	sd_event_source *source;

	if (sd_event_add_defer(peer->fake->event, &source, on_defer, peer) < 0)
		die("cannot drop a connection");
	peer->serial = 0;
}

void peer_close(struct fake *fake, unsigned serial)
{
	struct peer *peer;

	for (peer = fake->peers; peer; peer = peer->next)
		if (serial && peer->serial == serial) {
			drop(peer);
			return;
		}
}

/* What a bus itself answers. */
static int driver_call(struct peer *peer, sd_bus_message *call)
{
	char name[32];
	const char *rule;

	if (!peer->is_bus)
		return 0;
	if (sd_bus_message_is_method_call(call, "org.freedesktop.DBus", "Hello")) {
		snprintf(name, sizeof(name), ":1.%u", peer->serial);
		return peer_answer(call, "s", name);
	}
	if (sd_bus_message_is_method_call(call, "org.freedesktop.DBus", "AddMatch")) {
		if (sd_bus_message_read(call, "s", &rule) >= 0 && strstr(rule, "JobRemoved"))
			peer->matched = true;
		return peer_answer(call, "");
	}
	if (sd_bus_message_is_method_call(call, "org.freedesktop.DBus", "RemoveMatch"))
		return peer_answer(call, "");
	return 0;
}

static int on_message(sd_bus_message *message, void *userdata, sd_bus_error *error)
{
	struct peer *peer = userdata;
	int r;

	(void)error;
	if (sd_bus_message_is_signal(message, "org.freedesktop.DBus.Local", "Disconnected")) {
		if (peer->serial)
			drop(peer);
		return 1;
	}
	if (!sd_bus_message_is_method_call(message, NULL, NULL))
		return 0;
	r = driver_call(peer, message);
	if (r == 0)
		r = logind_call(peer, message);
	if (r == 0)
		r = systemd_call(peer, message);
	if (r < 0)
		fprintf(stderr, "fake: %s: %s\n", sd_bus_message_get_member(message), strerror(-r));
	return r;
}

static int speak(struct peer *peer, int client)
{
	static const sd_id128_t id =
		SD_ID128_MAKE(c0, 1d, 5a, 00, 00, 00, 40, 00, 80, 00, 00, 00, 00, 00, 00, 01);

	if (sd_bus_new(&peer->bus) < 0)
		die("out of memory");
	if (sd_bus_set_fd(peer->bus, client, client) < 0 ||
	    sd_bus_set_server(peer->bus, 1, id) < 0 || sd_bus_negotiate_fds(peer->bus, 1) < 0 ||
	    (!peer->is_bus && sd_bus_set_sender(peer->bus, SYSTEMD) < 0) ||
	    sd_bus_start(peer->bus) < 0 || sd_bus_add_filter(peer->bus, NULL, on_message, peer) < 0)
		return -1;
	return sd_bus_attach_event(peer->bus, peer->fake->event, 0);
}

/* One that was killed while it said who it is has left nothing to speak to. */
static int on_connection(sd_event_source *source, int fd, uint32_t events, void *userdata)
{
	struct listener *listener = userdata;
	struct peer *peer = need(calloc(1, sizeof(*peer)));
	int client = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	(void)source;
	(void)events;
	if (client < 0)
		die("cannot accept: %m");
	peer->fake = listener->fake;
	peer->is_bus = listener->is_bus;
	peer->serial = ++listener->fake->n_peers;
	if (speak(peer, client) < 0) {
		sd_bus_close_unref(peer->bus);
		free(peer);
		return 0;
	}
	peer->next = listener->fake->peers;
	listener->fake->peers = peer;
	return 0;
}

void peer_listen(struct fake *fake, const char *path, bool is_bus, bool silent)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct listener *listener = need(calloc(1, sizeof(*listener)));
	sd_event_source *source;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	listener->fake = fake;
	listener->is_bus = is_bus;
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	unlink(path);
	if (fd < 0 || bind(fd, (const struct sockaddr *)&address, sizeof(address)) < 0 ||
	    listen(fd, 16) < 0)
		die("cannot listen on %s: %m", path);
	/* One that is silent takes connections, as the kernel does for it, and never looks. */
	if (!silent &&
	    sd_event_add_io(fake->event, &source, fd, EPOLLIN, on_connection, listener) < 0)
		die("cannot watch %s", path);
}

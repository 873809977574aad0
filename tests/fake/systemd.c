/* SPDX-License-Identifier: MIT */
/* The methods of org.freedesktop.systemd1 that are asked for. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"

static int load_unit(struct peer *peer, sd_bus_message *call)
{
	struct unit *unit;
	const char *name;
	char *path = NULL;
	int r = sd_bus_message_read(call, "s", &name);

	if (r < 0)
		return r;
	if (!strchr(name, '.'))
		return peer_refuse(call, SD_BUS_ERROR_INVALID_ARGS, "Unit name %s is not valid.",
				   name);
	unit = unit_get(peer->fake, name);
	if (!unit_exists(unit))
		unit_read_files(unit);
	if (unit->silent)
		return 1;
	r = sd_bus_path_encode(SYSTEMD_PATH "/unit", name, &path);
	if (r >= 0)
		r = peer_answer(call, "o", path);
	free(path);
	return r;
}

static int reload(struct peer *peer, sd_bus_message *call)
{
	struct unit *unit;

	note(peer->fake, "Reload");
	for (unit = peer->fake->units; unit; unit = unit->next)
		unit_read_files(unit);
	return peer_answer(call, "");
}

/* No unit of a script fails by itself; that it was asked for is all there is to tell. */
static int reset_failed(struct peer *peer, sd_bus_message *call)
{
	const char *name;
	int r = sd_bus_message_read(call, "s", &name);

	if (r < 0)
		return r;
	note(peer->fake, "ResetFailedUnit %s", name);
	return peer_answer(call, "");
}

static int subscribe(struct peer *peer, sd_bus_message *call)
{
	/* A direct connection is subscribed from the first, and need not know. */
	if (peer->subscribed && peer->is_bus)
		return peer_refuse(call, SYSTEMD ".AlreadySubscribed",
				   "Client is already subscribed.");
	peer->subscribed = true;
	return peer_answer(call, "");
}

static int list_jobs(struct peer *peer, sd_bus_message *call)
{
	sd_bus_message *reply = NULL;
	int r = sd_bus_message_new_method_return(call, &reply);

	if (r >= 0)
		r = job_list(peer->fake, reply);
	if (r >= 0)
		r = sd_bus_send(NULL, reply, NULL);
	sd_bus_message_unref(reply);
	return r < 0 ? r : 1;
}

/* *ret is NULL for the manager itself; -ENOENT: no such object. */
static int unit_of(struct peer *peer, sd_bus_message *call, struct unit **ret)
{
	const char *path = sd_bus_message_get_path(call);
	char *name = NULL;

	*ret = NULL;
	if (strcmp(path, SYSTEMD_PATH) == 0)
		return 0;
	if (sd_bus_path_decode(path, SYSTEMD_PATH "/unit", &name) <= 0)
		return -ENOENT;
	*ret = unit_get(peer->fake, name);
	free(name);
	return 0;
}

/* One property (`name`), or all of an interface. */
static int answer_properties(struct peer *peer, sd_bus_message *call, const char *interface,
			     const char *name)
{
	sd_bus_message *reply = NULL;
	struct unit *unit;
	int r = unit_of(peer, call, &unit);

	if (r < 0 || (name && !unit))
		return peer_refuse(call, SD_BUS_ERROR_UNKNOWN_OBJECT, "Unknown object %s.",
				   sd_bus_message_get_path(call));
	if (unit && unit->silent)
		return 1;
	r = sd_bus_message_new_method_return(call, &reply);
	if (r >= 0 && name)
		r = property_append_one(peer->fake, unit, name, reply);
	else if (r >= 0)
		r = unit ? property_append_all(peer->fake, unit, interface, reply)
			 : property_append_manager(peer->fake, reply);
	if (r >= 0)
		r = sd_bus_send(NULL, reply, NULL);
	sd_bus_message_unref(reply);
	return r < 0 ? r : 1;
}

static int get_all(struct peer *peer, sd_bus_message *call)
{
	const char *interface;
	int r = sd_bus_message_read(call, "s", &interface);

	return r < 0 ? r : answer_properties(peer, call, interface, NULL);
}

static int get(struct peer *peer, sd_bus_message *call)
{
	const char *interface, *name;
	int r = sd_bus_message_read(call, "ss", &interface, &name);

	return r < 0 ? r : answer_properties(peer, call, interface, name);
}

static int start_unit(struct peer *peer, sd_bus_message *call)
{
	return job_call(peer, call, START);
}

static int stop_unit(struct peer *peer, sd_bus_message *call)
{
	return job_call(peer, call, STOP);
}

int systemd_call(struct peer *peer, sd_bus_message *call)
{
	static const struct {
		const char *interface, *member;
		int (*function)(struct peer *peer, sd_bus_message *call);
	} methods[] = {
		{ SYSTEMD ".Manager", "LoadUnit", load_unit },
		{ SYSTEMD ".Manager", "GetUnit", load_unit },
		{ SYSTEMD ".Manager", "StartUnit", start_unit },
		{ SYSTEMD ".Manager", "StopUnit", stop_unit },
		{ SYSTEMD ".Manager", "Reload", reload },
		{ SYSTEMD ".Manager", "ResetFailedUnit", reset_failed },
		{ SYSTEMD ".Manager", "Subscribe", subscribe },
		{ SYSTEMD ".Manager", "ListJobs", list_jobs },
		{ "org.freedesktop.DBus.Properties", "GetAll", get_all },
		{ "org.freedesktop.DBus.Properties", "Get", get },
	};
	const char *path = sd_bus_message_get_path(call);
	size_t i;

	if (!path || strncmp(path, SYSTEMD_PATH, strlen(SYSTEMD_PATH)) != 0)
		return 0;
	for (i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		if (sd_bus_message_is_method_call(call, methods[i].interface, methods[i].member))
			return methods[i].function(peer, call);
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/json.h"
#include "sys/bus.h"
#include "sys/bus_json.h"
#include "sys/bus_unit.h"

#define SYSTEMD BUS_SYSTEMD

/* The interface of a type of unit, by the suffix of its name. */
static const struct {
	const char *suffix, *interface;
} types[] = {
	{ ".service", SYSTEMD ".Service" },     { ".mount", SYSTEMD ".Mount" },
	{ ".automount", SYSTEMD ".Automount" }, { ".swap", SYSTEMD ".Swap" },
	{ ".socket", SYSTEMD ".Socket" },       { ".timer", SYSTEMD ".Timer" },
	{ ".path", SYSTEMD ".Path" },           { ".slice", SYSTEMD ".Slice" },
	{ ".scope", SYSTEMD ".Scope" },
};

struct unit_call {
	sd_bus *bus;
	const char *destination; /* NULL for systemd itself */
	const char *unit;
	uint64_t deadline_us;
};

static const char *interface_of(const char *unit)
{
	const char *suffix = strrchr(unit, '.');
	size_t i;

	for (i = 0; suffix && i < ELEMENTS(types); i++)
		if (strcmp(suffix, types[i].suffix) == 0)
			return types[i].interface;
	return NULL;
}

static int cannot(const struct unit_call *call, int code, const char *words, struct error *err)
{
	if (code == -ENOMEM)
		return error_oom(err);
	error_set(err, code, "systemd does not tell about %s: %s", call->unit,
		  words ? words : strerror(-code));
	error_hint(err, "look at: systemctl status %s", call->unit);
	return code;
}

/* One method with one string. */
static int ask(const struct unit_call *call, const char *path, const char *interface,
	       const char *method, const char *argument, sd_bus_message **ret, struct error *err)
{
	AUTO_BUS_ERROR error = SD_BUS_ERROR_NULL;
	AUTO_MESSAGE message = NULL;
	int r;

	r = sd_bus_message_new_method_call(call->bus, &message, call->destination, path, interface,
					   method);
	if (r >= 0)
		r = sd_bus_message_append(message, "s", argument);
	if (r >= 0)
		r = bus_call(call->bus, message, call->deadline_us, ret, &error);
	return r < 0 ? cannot(call, r, error.message, err) : 0;
}

static int get_all(const struct unit_call *call, const char *path, const char *interface,
		   json_t *object, struct error *err)
{
	AUTO_MESSAGE reply = NULL;
	int r = ask(call, path, "org.freedesktop.DBus.Properties", "GetAll", interface, &reply,
		    err);

	if (r < 0)
		return r;
	r = bus_json_properties(reply, object);
	return r < 0 ? cannot(call, r, NULL, err) : 0;
}

static int load(const struct unit_call *call, char **ret_path, struct error *err)
{
	AUTO_MESSAGE reply = NULL;
	const char *path;
	int r = ask(call, "/org/freedesktop/systemd1", SYSTEMD ".Manager", "LoadUnit", call->unit,
		    &reply, err);

	if (r < 0)
		return r;
	r = sd_bus_message_read(reply, "o", &path);
	if (r < 0)
		return cannot(call, r, NULL, err);
	*ret_path = strdup(path);
	return *ret_path ? 0 : error_oom(err);
}

/* A unit whose file was removed runs on, and systemd stops it by its name as before. */
static bool is_unknown(const json_t *object)
{
	const char *load = json_text(object, "LoadState");
	const char *active = json_text(object, "ActiveState");

	return load && strcmp(load, "not-found") == 0 &&
	       (!active || strcmp(active, "inactive") == 0);
}

int bus_unit_read(sd_bus *bus, bool peer, const char *unit, uint64_t deadline_us, json_t **ret,
		  struct error *err)
{
	const struct unit_call call = { bus, peer ? NULL : SYSTEMD, unit, deadline_us };
	const char *interface = interface_of(unit);
	AUTO_JSON object = json_object();
	AUTO_FREE char *path = NULL;
	int r = load(&call, &path, err);

	if (r == 0)
		r = get_all(&call, path, SYSTEMD ".Unit", object, err);
	if (r < 0)
		return r;
	if (is_unknown(object))
		return error_set(err, -ENOENT, "systemd knows no unit %s", unit);
	if (interface)
		r = get_all(&call, path, interface, object, err);
	if (r < 0)
		return r;
	*ret = TAKE(object);
	return 0;
}

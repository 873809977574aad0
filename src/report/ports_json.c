/* SPDX-License-Identifier: MIT */
/* `coldswap ports --json`; keys are never renamed and only ever added. */
#include <errno.h>
#include <stdio.h>

#include "base/json.h"
#include "report.h"
#include "report/frontmatter.h"
#include "report/ports_disk.h"
#include "work/advice.h"

/* jansson's *_new() calls own the value and fail on NULL: one look at the end is enough. */
struct writer {
	struct facts *facts;
	const struct portmap *map;
	struct error *err;
	bool failed;
};

static void put(struct writer *writer, json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value) < 0)
		writer->failed = true;
}

static void put_text(struct writer *writer, json_t *object, const char *key, const char *text)
{
	if (json_set_text(object, key, text) < 0)
		writer->failed = true;
}

static void push(struct writer *writer, json_t *array, json_t *value)
{
	if (json_array_append_new(array, value) < 0)
		writer->failed = true;
}

/* Any bytes, made valid UTF-8. */
static void push_text(struct writer *writer, json_t *array, const char *text)
{
	AUTO_JSON holder = json_object();

	if (json_set_text(holder, "text", text) < 0 ||
	    json_array_append(array, json_object_get(holder, "text")) < 0)
		writer->failed = true;
}

static json_t *gbps(unsigned generation)
{
	return generation == 0 ? json_null() : json_real(generation_gbps(generation));
}

static json_t *count(int64_t value)
{
	return value < 0 ? json_null() : json_integer(value);
}

static json_t *tristate(int value)
{
	return value < 0 ? json_null() : json_boolean(value > 0);
}

/* ---- the ports ------------------------------------------------------------ */

static json_t *disk_json(struct writer *writer, const struct block *disk)
{
	const struct drive_link *drive = portmap_drive(writer->map, disk);
	json_t *object = json_object(), *mounts = json_array();
	CLEANUP(disk_use_done) struct disk_use use = { 0 };

	if (disk_use_load(writer->facts, disk, &use, writer->err) < 0)
		writer->failed = true;
	for (char **mount = use.mounts; mount != NULL && *mount != NULL; mount++)
		push_text(writer, mounts, *mount);
	put_text(writer, object, "name", disk->name);
	put_text(writer, object, "model", disk->model);
	put_text(writer, object, "serial", disk->serial);
	put_text(writer, object, "wwn", disk->wwn);
	put(writer, object, "max_gbps", gbps(drive != NULL ? drive->max : 0));
	put(writer, object, "rotational", tristate(disk->rotational));
	put(writer, object, "crc_errors", count(drive != NULL ? drive->crc_errors : -1));
	put(writer, object, "reallocated", count(drive != NULL ? drive->reallocated : -1));
	put(writer, object, "boot", tristate(use.boot));
	put(writer, object, "mounts", mounts);
	put(writer, object, "used_bytes", count(use.used_bytes));
	put(writer, object, "written_bytes", count(drive != NULL ? drive->written_bytes : -1));
	return object;
}

static const char *const state_names[] = {
	[PORT_UNKNOWN] = "unknown", [PORT_DUMMY] = "dummy",     [PORT_EMPTY] = "empty",
	[PORT_OFFLINE] = "offline", [PORT_NO_LINK] = "no-link", [PORT_UP] = "up",
};

static json_t *port_json(struct writer *writer, const struct port *port)
{
	json_t *object = json_object();

	put(writer, object, "index", json_integer(port->index));
	put(writer, object, "ata", port->ata == 0 ? json_null() : json_integer(port->ata));
	put(writer, object, "implemented", tristate(port->implemented));
	put(writer, object, "state", json_string(state_names[port->state]));
	put(writer, object, "phantom", json_boolean(port->phantom));
	put(writer, object, "link_gbps", gbps(port->link));
	put(writer, object, "limit_gbps", gbps(port_limit(port)));
	put(writer, object, "ceiling_mb_s",
	    port->link == 0 ? json_null() : json_integer(generation_ceiling_mb_s(port->link)));
	put(writer, object, "multiplier", json_boolean(port->multiplier));
	put(writer, object, "disk",
	    port->n_disks == 0 ? json_null() : disk_json(writer, port->disks[0]));
	if (port->n_disks > 1) {
		json_t *disks = json_array();

		for (size_t i = 0; i < port->n_disks; i++)
			push(writer, disks, disk_json(writer, port->disks[i]));
		put(writer, object, "disks", disks);
	}
	return object;
}

static json_t *controller_json(struct writer *writer, const struct controller *controller)
{
	json_t *object = json_object(), *ports = json_array();
	char mask[16];

	snprintf(mask, sizeof(mask), "0x%x", controller->mask);
	for (size_t i = 0; i < controller->n_ports; i++)
		push(writer, ports, port_json(writer, &controller->ports[i]));
	put_text(writer, object, "pci", controller->address);
	put_text(writer, object, "driver", controller->driver);
	put_text(writer, object, "implemented_mask", controller->mask_known ? mask : NULL);
	put(writer, object, "sockets",
	    controller->mask_phantom ? json_integer(controller->sockets) : json_null());
	put(writer, object, "speed_gbps", gbps(controller->generation));
	put(writer, object, "ports", ports);
	return object;
}

/* ---- held back, advice ------------------------------------------------------ */

static json_t *held_json(struct writer *writer, const struct advice *advice)
{
	json_t *array = json_array();

	for (size_t i = 0; i < advice->n_held; i++) {
		const struct held_back *held = &advice->held[i];
		json_t *object;

		if (held->deliberate)
			continue;
		object = json_object();
		put_text(writer, object, "disk", disk_outer_name(held->disk));
		put(writer, object, "cause", json_string(held_cause_name(held->cause)));
		put_text(writer, object, "formula", held->formula);
		put_text(writer, object, "derived", held->derived);
		push(writer, array, object);
	}
	return array;
}

static json_t *pair_json(struct writer *writer, const struct block *disk, const struct block *other)
{
	json_t *array = json_array();

	if (disk != NULL)
		push_text(writer, array, disk_outer_name(disk));
	if (other != NULL)
		push_text(writer, array, disk_outer_name(other));
	return array;
}

static json_t *option_json(struct writer *writer, const struct advice_option *option)
{
	json_t *object = json_object();
	double loss = option->loses_mb_s;

	put(writer, object, "disks", pair_json(writer, option->disk, option->other));
	put_text(writer, object, "controller", option->controller->address);
	put(writer, object, "port", json_integer(option->port->index));
	if (!option->loses_known)
		put(writer, object, "loses_at_least_mb_s", json_null());
	else if (loss == (double)(json_int_t)loss)
		put(writer, object, "loses_at_least_mb_s", json_integer((json_int_t)loss));
	else
		put(writer, object, "loses_at_least_mb_s", json_real(loss));
	put(writer, object, "touches_boot",
	    option->boot_unknown && !option->touches_boot ? json_null()
							  : json_boolean(option->touches_boot));
	put(writer, object, "verdict",
	    json_string(option->advised    ? "advised"
			: option->rejected ? "rejected"
					   : "possible"));
	put_text(writer, object, "why", option->why);
	put_text(writer, object, "formula", option->formula);
	put_text(writer, object, "derived", option->derived);
	return object;
}

static json_t *advice_json(struct writer *writer, const struct advice *advice)
{
	static const char *const actions[] = {
		[ADVICE_NONE] = "none",
		[ADVICE_MOVE] = "move",
		[ADVICE_SWAP] = "swap",
	};
	json_t *object = json_object(), *reasons = json_array(), *options = json_array();

	for (char **reason = advice->reasons; reason != NULL && *reason != NULL; reason++)
		push_text(writer, reasons, *reason);
	for (size_t i = 0; i < advice->n_options; i++)
		push(writer, options, option_json(writer, &advice->options[i]));
	put(writer, object, "action", json_string(actions[advice->action]));
	put(writer, object, "disks", pair_json(writer, advice->disks[0], advice->disks[1]));
	put(writer, object, "reasons", reasons);
	put(writer, object, "options", options);
	return object;
}

static json_t *log_json(struct writer *writer)
{
	json_t *object = json_object();

	put(writer, object, "complete", json_boolean(writer->map->log_complete));
	put_text(writer, object, "why_not", writer->map->log_why_not);
	return object;
}

int ports_json(struct facts *facts, const struct portmap *map, const struct advice *advice,
	       struct buf *ret, struct error *err)
{
	struct writer writer = { .facts = facts, .map = map, .err = err };
	AUTO_JSON document = NULL;
	json_t *controllers;

	int r = frontmatter_new("ports", facts, &document, err);
	if (r < 0)
		return r;
	controllers = json_array();
	for (size_t i = 0; i < map->n; i++)
		push(&writer, controllers, controller_json(&writer, &map->controllers[i]));
	put(&writer, document, "log", log_json(&writer));
	put(&writer, document, "controllers", controllers);
	put(&writer, document, "held_back", held_json(&writer, advice));
	put(&writer, document, "advice", advice_json(&writer, advice));
	if (writer.failed)
		return error_oom(err);
	return json_print(document, ret, err);
}

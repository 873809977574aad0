/* SPDX-License-Identifier: MIT */
/*
 * Which disks are held back, and by what.
 *
 * Law: could = min(drive, controller); held back when link < could.  A limit
 * in force explains it; else CRC errors mean the cable, none the port.  When
 * CRC errors were not told, the cause is not known.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"
#include "work/advice_internal.h"

#define CMDLINE_MAX 65536

static const char *const cause_names[] = {
	[HELD_PORT] = "port",   [HELD_CABLE] = "cable",     [HELD_SOFTWARE] = "software",
	[HELD_DRIVE] = "drive", [HELD_UNKNOWN] = "unknown",
};

const char *held_cause_name(enum held_cause cause)
{
	return (size_t)cause < ELEMENTS(cause_names) ? cause_names[cause] : "unknown";
}

/* The controller's word, and never less than a link of it shows. */
unsigned controller_capability(const struct controller *controller)
{
	unsigned best = controller->generation;

	for (size_t i = 0; i < controller->n_ports; i++)
		if (controller->ports[i].link > best)
			best = controller->ports[i].link;
	return best;
}

/* SControl or libata, whichever is lower; 0 = none. */
unsigned port_limit(const struct port *port)
{
	if (port->soft_limit != 0 && (port->hard_limit == 0 || port->soft_limit < port->hard_limit))
		return port->soft_limit;
	return port->hard_limit;
}

/* ---- libata.force --------------------------------------------------------- */

static bool is_speed(const char *value, size_t len)
{
	static const char *const speeds[] = { "1.5Gbps", "3.0Gbps", "6.0Gbps" };

	/* libata takes any beginning of the word that is not ambiguous. */
	for (size_t i = 0; i < ELEMENTS(speeds); i++)
		if (len > 0 && len <= strlen(speeds[i]) && strncasecmp(value, speeds[i], len) == 0)
			return true;
	return false;
}

/* "3.0Gbps,2:noncq": a speed before any "PORT:" is for all ports. */
static bool list_limits_all(const char *list, size_t len)
{
	const char *end = list + len;

	while (list < end) {
		size_t item = strcspn(list, ", \t\n");

		if (item > (size_t)(end - list))
			item = (size_t)(end - list);
		if (memchr(list, ':', item) != NULL)
			return false; /* what follows without a number is for this port too */
		if (is_speed(list, item))
			return true;
		list += item + 1;
	}
	return false;
}

bool cmdline_limits_all_ports(const char *cmdline)
{
	static const char name[] = "libata.force=";

	for (const char *at = cmdline; (at = strstr(at, name)) != NULL;) {
		bool begins = at == cmdline || strchr(" \t\n\"", at[-1]) != NULL;

		at += strlen(name);
		if (begins && list_limits_all(at, strcspn(at, " \t\n\"")))
			return true;
	}
	return false;
}

static bool limits_all_ports(struct facts *facts)
{
	AUTO_BUF cmdline = BUF_INIT_MAX(CMDLINE_MAX);

	if (host_read(facts_host(facts), PATH_CMDLINE, CMDLINE_MAX, &cmdline, NULL) < 0)
		return false;
	return cmdline_limits_all_ports(buf_text(&cmdline));
}

/* ---- one disk ------------------------------------------------------------ */

static enum held_cause cause_of(const struct portmap *map, const struct port *port,
				const struct drive_link *drive, unsigned could)
{
	unsigned limit = port_limit(port);

	/* libata lowers its limit first and the link at the next reset. */
	if (port->slowed || (limit != 0 && limit < could))
		return HELD_SOFTWARE;
	if (drive->crc_errors > 0 || port->errors > 0)
		return HELD_CABLE;
	if (drive->crc_errors == 0)
		return HELD_PORT;
	/* No counter: a boot without a link error says the same, if it is all there. */
	return drive->source != NULL && map->log_complete ? HELD_PORT : HELD_UNKNOWN;
}

static int state_law(struct held_back *held, const struct drive_link *drive, unsigned controller,
		     struct error *err)
{
	AUTO_FREE char *crc = NULL;
	unsigned limit = port_limit(held->port);

	if (drive->crc_errors < 0 ? (crc = strdup("not told")) == NULL
				  : asprintf(&crc, "%lld", (long long)drive->crc_errors) < 0) {
		crc = NULL;
		return error_oom(err);
	}
	if (asprintf(
		    &held->formula,
		    "min(drive %.1f, controller %.1f) = %.1f > link %.1f Gb/s; limit in force: %s; "
		    "CRC errors: %s; link errors in the log: %u",
		    generation_gbps(drive->max), generation_gbps(controller),
		    generation_gbps(held->could_be), generation_gbps(held->port->link),
		    limit == 0   ? "none"
		    : limit == 1 ? "1.5 Gb/s"
		    : limit == 2 ? "3.0 Gb/s"
				 : "6.0 Gb/s",
		    crc, held->port->errors) < 0) {
		held->formula = NULL;
		return error_oom(err);
	}
	if (asprintf(&held->derived, "cause: %s; the ceiling is %u instead of %u MB/s (8b/10b)",
		     held_cause_name(held->cause), generation_ceiling_mb_s(held->port->link),
		     generation_ceiling_mb_s(held->could_be)) < 0) {
		held->derived = NULL;
		return error_oom(err);
	}
	return 0;
}

static int add_held(struct advice *advice, const struct held_back *held, struct error *err)
{
	struct held_back *grown =
		reallocarray(advice->held, advice->n_held + 1, sizeof(*advice->held));

	if (grown == NULL)
		return error_oom(err);
	advice->held = grown;
	advice->held[advice->n_held++] = *held;
	return 0;
}

/*
 * Behind a multiplier the link of a disk is the multiplier's own affair.  A
 * drive whose own speed nobody tells is not in the list: it may be at its
 * best; the check of the ports says so.
 */
static int look_at(struct advice *advice, const struct portmap *map, const struct drive_link *drive,
		   bool deliberate, struct error *err)
{
	struct held_back held = { .disk = drive->disk };

	held.port = portmap_port_of(map, drive->disk, &held.controller);
	if (held.port == NULL || held.port->multiplier || held.port->link == 0 || drive->max == 0)
		return 0;
	unsigned controller = controller_capability(held.controller);
	held.could_be = drive->max < controller ? drive->max : controller;
	if (held.port->link >= held.could_be)
		return 0;
	held.cause = cause_of(map, held.port, drive, held.could_be);
	held.deliberate = held.cause == HELD_SOFTWARE && deliberate && !held.port->slowed;
	int r = state_law(&held, drive, controller, err);
	if (r == 0)
		r = add_held(advice, &held, err);
	if (r < 0) {
		free(held.formula);
		free(held.derived);
	}
	return r;
}

int advice_find_held(struct advice *advice, struct facts *facts, const struct portmap *map,
		     struct error *err)
{
	bool deliberate = limits_all_ports(facts);

	for (size_t i = 0; i < map->n_drives; i++) {
		int r = look_at(advice, map, &map->drives[i], deliberate, err);

		if (r < 0)
			return r;
	}
	return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * What the kernel log adds to the ports: which are implemented, what the last
 * link line said, slow-downs and errors.  Lines of an ata number or of a
 * controller that sysfs does not have are stale and name nothing here.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probe/ports_load.h"

enum { DET_NONE = 0, DET_NO_LINK = 1, DET_UP = 3, DET_OFFLINE = 4 };

static struct controller *find_controller(struct portmap *map, const char *address)
{
	for (size_t i = 0; address != NULL && i < map->n; i++)
		if (strcmp(map->controllers[i].address, address) == 0)
			return &map->controllers[i];
	return NULL;
}

/* "flags: 64bit ncq pmp ..." */
static bool has_flag(const char *text, const char *flag)
{
	size_t len = strlen(flag);
	const char *at = strstr(text, "flags: ");

	for (at = at != NULL ? at + strlen("flags: ") : NULL; at != NULL && *at != '\0';) {
		size_t word = strcspn(at, " ");

		if (word == len && strncmp(at, flag, len) == 0)
			return true;
		at += word + strspn(at + word, " ");
	}
	return false;
}

static void apply_controller(struct controller *controller, const struct klog_event *event)
{
	if (event->type == KLOG_FLAGS) {
		controller->pmp = has_flag(event->text, "pmp");
		controller->pmp_known = true;
		return;
	}
	if (event->type == KLOG_CONTROLLER) {
		controller->ahci = true;
		if (event->generation != 0)
			controller->generation = event->generation;
	}
	if (event->has_mask) {
		controller->mask = event->mask;
		controller->mask_known = true;
		controller->mask_line = event->line;
	}
}

/* ---- two sockets of one ata number --------------------------------------- */

static bool tells_of_two(const struct klog *klog, const struct blocks *blocks, unsigned ata)
{
	for (size_t i = 0; klog != NULL && i < klog->n; i++) {
		const struct klog_event *event = &klog->events[i];

		if (event->ata == ata && (event->device == 0 || event->device == 1) &&
		    (event->type == KLOG_LINK_UP || event->type == KLOG_LINK_DOWN))
			return true;
	}
	for (size_t i = 0; i < blocks->n; i++)
		if (blocks->items[i]->bus == BUS_ATA && blocks->items[i]->place.ata == ata &&
		    blocks->items[i]->place.device == 1)
			return true;
	return false;
}

static int split_ports(struct portmap *map, struct controller *controller,
		       const struct blocks *blocks, struct error *err)
{
	bool two = false;

	if (controller->driver == NULL || strcmp(controller->driver, "ata_piix") != 0)
		return 0;
	for (size_t i = 0; i < controller->n_ports; i++)
		two = two || tells_of_two(map->klog, blocks, controller->ports[i].ata);
	for (size_t i = 0, n = controller->n_ports; two && i < n; i++) {
		unsigned ata = controller->ports[i].ata;
		unsigned index = controller->ports[i].index * 2;

		controller->ports[i].index = index;
		if (!tells_of_two(map->klog, blocks, ata))
			continue;
		controller->ports[i].device = 0;
		struct port *second = ports_add_port(controller, index + 1, ata);
		if (second == NULL)
			return error_oom(err);
		second->device = 1;
	}
	return 0;
}

/* ---- one port ------------------------------------------------------------ */

static enum port_state state_of(uint32_t sstatus)
{
	switch (sstatus & 0xf) {
	case DET_NONE:
		return PORT_EMPTY;
	case DET_NO_LINK:
		return PORT_NO_LINK;
	case DET_UP:
		return PORT_UP;
	case DET_OFFLINE:
		return PORT_OFFLINE;
	default:
		return PORT_UNKNOWN;
	}
}

/*
 * SControl bits 7:4 hold the limit.  sysfs tells the one found at the probe;
 * a later line in the log may tell of one that came since.
 */
static void apply_limit(struct port *port, uint32_t scontrol)
{
	unsigned limit = scontrol >> 4 & 0xf;

	if (limit == 0 || limit > 3 || (port->hard_limit != 0 && port->hard_limit <= limit))
		return;
	port->hard_limit = limit;
	if (port->soft_limit >= limit)
		port->soft_limit = 0;
}

static void apply_port(struct port *port, const struct klog_event *event, unsigned *logged_link)
{
	switch (event->type) {
	case KLOG_DUMMY:
		port->dummy_line = event->line;
		break;
	case KLOG_LINK_UP:
	case KLOG_LINK_DOWN:
		port->link_line = event->line;
		port->state = event->type == KLOG_LINK_UP ? PORT_UP : state_of(event->sstatus);
		*logged_link = event->type == KLOG_LINK_UP ? event->generation : 0;
		break;
	case KLOG_SLOWED:
		port->slowed = true;
		break;
	case KLOG_ERROR:
		port->errors++;
		break;
	case KLOG_MULTIPLIER:
		port->multiplier = true;
		port->multiplier_line = event->line;
		break;
	case KLOG_ATAPI:
		port->atapi = true;
		break;
	default:
		break;
	}
}

/* Is the line about this port itself?  A multiplier's fan-out links are not. */
static bool is_about(const struct port *port, const struct klog_event *event)
{
	if (event->ata != port->ata)
		return false;
	if (port->device >= 0)
		return event->device < 0 ? port->device == 0 : event->device == port->device;
	if (event->type == KLOG_LINK_UP || event->type == KLOG_LINK_DOWN)
		return event->device < 0 || (event->device == 0 && !port->multiplier);
	return !port->multiplier || event->device < 0 || event->device == 15;
}

/* Only a log that goes back to the boot proves anything by what it lacks. */
static enum tristate implemented_by(const struct portmap *map, const struct controller *controller,
				    const struct port *port, bool listed)
{
	if (controller->mask_known && port->index < 32)
		return (controller->mask >> port->index & 1) != 0 ? TRI_YES : TRI_NO;
	if (port->dummy_line != 0)
		return TRI_NO;
	if (listed || port->link != 0 || port->link_line != 0)
		return TRI_YES;
	if (!controller->ahci && controller->driver != NULL && map->log_complete)
		return TRI_YES;
	return TRI_UNKNOWN;
}

/* sysfs goes first for the speed; the log knows why there is none. */
static void settle_port(struct port *port, unsigned logged_link, uint32_t scontrol)
{
	bool is_second = port->device == 1;

	if (port->implemented == TRI_NO) {
		port->state = PORT_DUMMY;
		port->link = 0;
		return;
	}
	if (port->device >= 0 && logged_link != 0)
		port->link = logged_link; /* sysfs shows one link for both */
	if (is_second && logged_link == 0)
		port->link = 0;
	if (port->link != 0)
		port->state = PORT_UP;
	else if (port->state == PORT_UP)
		port->link = logged_link;
	if (!port->multiplier)
		apply_limit(port, scontrol);
}

static void read_port_log(const struct portmap *map, const struct controller *controller,
			  struct port *port)
{
	unsigned logged_link = 0;
	uint32_t scontrol = 0;
	bool listed = false;

	for (size_t i = 0; map->klog != NULL && i < map->klog->n; i++) {
		const struct klog_event *event = &map->klog->events[i];

		/* The multiplier may be told of after its first link line. */
		if (event->type == KLOG_MULTIPLIER && event->ata == port->ata)
			port->multiplier = true;
		if (!is_about(port, event))
			continue;
		apply_port(port, event, &logged_link);
		if (event->type == KLOG_LINK_UP || event->type == KLOG_LINK_DOWN)
			scontrol = event->scontrol;
		listed = listed || event->type == KLOG_PORT;
	}
	port->implemented = implemented_by(map, controller, port, listed);
	settle_port(port, logged_link, scontrol);
}

/* ---- parallel ATA -------------------------------------------------------- */

static bool is_parallel(const struct klog *klog, const struct controller *controller,
			const struct port *port)
{
	if (controller->driver != NULL && strncmp(controller->driver, "pata_", 5) == 0)
		return true;
	for (size_t i = 0; klog != NULL && i < klog->n; i++)
		if (klog->events[i].type == KLOG_PORT && klog->events[i].ata == port->ata &&
		    strstr(klog->events[i].text, "PATA max") != NULL)
			return true;
	return false;
}

static void drop_parallel(struct portmap *map)
{
	size_t kept = 0;

	for (size_t i = 0; i < map->n; i++) {
		struct controller *controller = &map->controllers[i];
		size_t ports = 0;

		for (size_t j = 0; j < controller->n_ports; j++)
			if (!is_parallel(map->klog, controller, &controller->ports[j]))
				controller->ports[ports++] = controller->ports[j];
		controller->n_ports = ports;
		if (ports == 0)
			ports_controller_done(controller);
		else if (kept++ != i)
			map->controllers[kept - 1] = *controller;
	}
	map->n = kept;
}

int ports_read_log(struct portmap *map, const struct blocks *blocks, struct error *err)
{
	for (size_t i = 0; map->klog != NULL && i < map->klog->n; i++) {
		const struct klog_event *event = &map->klog->events[i];
		struct controller *controller = find_controller(map, event->controller);

		if (controller != NULL)
			apply_controller(controller, event);
	}
	drop_parallel(map);
	for (size_t i = 0; i < map->n; i++) {
		struct controller *controller = &map->controllers[i];

		int r = split_ports(map, controller, blocks, err);
		if (r < 0)
			return r;
		for (size_t j = 0; j < controller->n_ports; j++)
			read_port_log(map, controller, &controller->ports[j]);
	}
	return 0;
}

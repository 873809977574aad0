/* SPDX-License-Identifier: MIT */
#include "probe/ports.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/intl.h"
#include "probe/ports_load.h"

double generation_gbps(unsigned generation)
{
	static const double gbps[] = { 0, 1.5, 3.0, 6.0 };

	return generation < ELEMENTS(gbps) ? gbps[generation] : 0;
}

unsigned generation_ceiling_mb_s(unsigned generation)
{
	static const unsigned mb_s[] = { 0, 150, 300, 600 };

	return generation < ELEMENTS(mb_s) ? mb_s[generation] : 0;
}

void ports_controller_done(struct controller *controller)
{
	for (size_t i = 0; i < controller->n_ports; i++)
		free(controller->ports[i].disks);
	free(controller->ports);
	free(controller->address);
	free(controller->driver);
	free(controller->devpath);
	*controller = (struct controller){ 0 };
}

void portmap_free(struct portmap *map)
{
	if (map == NULL)
		return;
	for (size_t i = 0; i < map->n; i++)
		ports_controller_done(&map->controllers[i]);
	for (size_t i = 0; i < map->n_drives; i++) {
		smart_free(map->drives[i].smart);
	}
	free(map->controllers);
	free(map->drives);
	free(map->log_why_not);
	free(map);
}

/* ---- look up ------------------------------------------------------------ */

const struct controller *portmap_controller(const struct portmap *map, const char *address)
{
	for (size_t i = 0; address != NULL && i < map->n; i++)
		if (strcmp(map->controllers[i].address, address) == 0)
			return &map->controllers[i];
	return NULL;
}

const struct port *portmap_port(const struct portmap *map, const char *address, unsigned index)
{
	const struct controller *controller = portmap_controller(map, address);

	for (size_t i = 0; controller != NULL && i < controller->n_ports; i++)
		if (controller->ports[i].index == index)
			return &controller->ports[i];
	return NULL;
}

static bool is_plugged_in(const struct block *disk, const struct controller *controller,
			  const struct port *port)
{
	if (disk->bus != BUS_ATA || disk->place.ata != port->ata ||
	    disk->place.controller == NULL ||
	    strcmp(disk->place.controller, controller->address) != 0)
		return false;
	return port->device < 0 || disk->place.device == port->device;
}

const struct port *portmap_port_of(const struct portmap *map, const struct block *disk,
				   const struct controller **ret_controller)
{
	for (size_t i = 0; i < map->n; i++) {
		const struct controller *controller = &map->controllers[i];

		for (size_t j = 0; j < controller->n_ports; j++) {
			if (!is_plugged_in(disk, controller, &controller->ports[j]))
				continue;
			if (ret_controller != NULL)
				*ret_controller = controller;
			return &controller->ports[j];
		}
	}
	return NULL;
}

const struct drive_link *portmap_drive(const struct portmap *map, const struct block *disk)
{
	for (size_t i = 0; i < map->n_drives; i++)
		if (map->drives[i].disk == disk)
			return &map->drives[i];
	return NULL;
}

/* ---- put together ------------------------------------------------------- */

static int plug_in(struct port *port, const struct block *disk, struct error *err)
{
	if (disk->optical) {
		port->optical = disk;
	} else {
		const struct block **grown = (const struct block **)reallocarray(
			port->disks, port->n_disks + 1, sizeof(*port->disks));
		if (grown == NULL)
			return error_oom(err);
		port->disks = grown;
		port->disks[port->n_disks++] = disk;
	}
	/* A drive that answers is proof of a port and of a link, whatever the log lacks. */
	port->implemented = TRI_YES;
	port->state = PORT_UP;
	return 0;
}

static int plug_in_all(struct portmap *map, const struct blocks *blocks, struct error *err)
{
	for (size_t i = 0; i < map->n; i++) {
		struct controller *controller = &map->controllers[i];

		for (size_t j = 0; j < controller->n_ports; j++)
			for (size_t k = 0; k < blocks->n; k++) {
				const struct block *block = blocks->items[k];

				if (block->disk != block ||
				    !is_plugged_in(block, controller, &controller->ports[j]))
					continue;
				int r = plug_in(&controller->ports[j], block, err);
				if (r < 0)
					return r;
			}
	}
	return 0;
}

static int compare_ports(const void *a, const void *b)
{
	const struct port *x = a, *y = b;

	return x->index < y->index ? -1 : x->index > y->index;
}

static int compare_controllers(const void *a, const void *b)
{
	const struct controller *x = a, *y = b;

	return strcmp(x->address, y->address);
}

static void settle_controllers(struct portmap *map, struct host *host)
{
	for (size_t i = 0; i < map->n; i++) {
		struct controller *controller = &map->controllers[i];

		qsort(controller->ports, controller->n_ports, sizeof(*controller->ports),
		      compare_ports);
		if (controller->generation == 0)
			controller->generation = ports_driver_generation(controller->driver);
		ports_judge_sockets(controller, host);
		for (size_t j = 0; j < controller->n_ports; j++) {
			struct port *port = &controller->ports[j];

			port->phantom = controller->mask_phantom && port->implemented == TRI_YES &&
					port->index >= controller->sockets &&
					port->state != PORT_UP;
		}
	}
	if (map->n > 0)
		qsort(map->controllers, map->n, sizeof(*map->controllers), compare_controllers);
}

static int note_log(struct portmap *map, const struct klog *klog, const char *klog_why,
		    struct error *err)
{
	const char *why = NULL;

	map->klog = klog;
	map->log_complete = klog != NULL && klog->from_start;
	if (klog == NULL)
		why = klog_why != NULL ? klog_why : _("the kernel log could not be read");
	else if (!klog->from_start)
		why = _("the kernel log does not reach back to the boot");
	map->log_why_not = why != NULL ? strdup(why) : NULL;
	return why != NULL && map->log_why_not == NULL ? error_oom(err) : 0;
}

int portmap_load(struct host *host, const struct blocks *blocks, const struct klog *klog,
		 const char *klog_why, struct portmap **ret, struct error *err)
{
	CLEANUP(cleanup_portmap) struct portmap *map = calloc(1, sizeof(*map));
	int r;

	if (map == NULL)
		return error_oom(err);
	if ((r = note_log(map, klog, klog_why, err)) < 0 ||
	    (r = ports_read_sysfs(map, host, blocks, err)) < 0 ||
	    (r = ports_read_log(map, blocks, err)) < 0 || (r = plug_in_all(map, blocks, err)) < 0 ||
	    (r = ports_read_drives(map, host, blocks, err)) < 0)
		return r;
	settle_controllers(map, host);
	*ret = TAKE(map);
	return 0;
}

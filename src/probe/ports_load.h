/* SPDX-License-Identifier: MIT */
/*
 * How a port map is put together; for src/probe/ports*.c alone.
 *
 * Order: sysfs gives controllers, ports and link speeds; the kernel log adds
 * masks and states; then ports of parallel ATA go, and disks and drives come.
 */
#ifndef COLDSWAP_PROBE_PORTS_LOAD_H
#define COLDSWAP_PROBE_PORTS_LOAD_H

#include "probe/ports.h"

/* ports_sysfs.c: what /sys tells; `blocks` adds ports that it has no entry for. */
int ports_read_sysfs(struct portmap *map, struct host *host, const struct blocks *blocks,
		     struct error *err);
struct controller *ports_add_controller(struct portmap *map, const char *address);
struct port *ports_add_port(struct controller *controller, unsigned index, unsigned ata);

/* ports_log.c: masks, states and links by map->klog; splits ata_piix' numbers. */
int ports_read_log(struct portmap *map, const struct blocks *blocks, struct error *err);

/* ports_chip.c: which ports of a mask have a socket; fastest speed by driver. */
void ports_judge_sockets(struct controller *controller, struct host *host);
unsigned ports_driver_generation(const char *driver);

/* ports_drives.c: drives of the map by smartctl, IDENTIFY data and diskstats. */
int ports_read_drives(struct portmap *map, struct host *host, const struct blocks *blocks,
		      struct error *err);

/* ports.c */
void ports_controller_done(struct controller *controller);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The port map: SATA controllers, their ports, what is plugged in, how fast
 * each link is and what limits it.  Facts of sysfs, the kernel log, udev and
 * smartctl put together; no verdicts.
 *
 * Speeds are SATA generations: 1 = 1.5, 2 = 3.0, 3 = 6.0 Gb/s, 0 = not known
 * (or no link).  A port is keyed by controller address and index from 0.
 *
 * Ports of parallel ATA are no part of it.  One ata number of ata_piix may be
 * two sockets (master and slave of the emulation): there each number has two
 * indices, 2 * (port_no - 1) + device.
 */
#ifndef COLDSWAP_PROBE_PORTS_H
#define COLDSWAP_PROBE_PORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attr.h"
#include "error.h"
#include "probe/block.h"
#include "probe/klog.h"
#include "probe/smart.h"

enum tristate { TRI_UNKNOWN = -1, TRI_NO = 0, TRI_YES = 1 };

enum port_state {
	PORT_UNKNOWN, /* the log does not tell */
	PORT_DUMMY,   /* outside the mask: not wired, or off in the firmware's setup */
	PORT_EMPTY,   /* SStatus DET 0 */
	PORT_OFFLINE, /* DET 4: the PHY is switched off */
	PORT_NO_LINK, /* DET 1: a device is seen and the link does not come up */
	PORT_UP,      /* DET 3 */
};

struct port {
	unsigned index; /* from 0 */
	unsigned ata;   /* N of ataN; 0 = not known */
	int device;     /* ata_piix: the device number that stands for this port; else -1 */
	enum tristate implemented;
	bool phantom; /* in the mask of a controller that announces more ports than sockets */
	enum port_state state;
	unsigned link;       /* generation of the link now */
	unsigned hard_limit; /* SControl: 0 = none */
	unsigned soft_limit; /* sata_spd_limit of libata, below hard: slowed down; 0 = none */
	bool slowed;         /* "limiting SATA link speed" in this boot's log */
	unsigned errors;     /* link error lines in this boot's log */
	bool multiplier;
	unsigned link_line, dummy_line, multiplier_line; /* of the log; 0 = none */
	const struct block **disks; /* drives here; more than one behind a multiplier */
	size_t n_disks;
	const struct block *optical; /* an ATAPI drive here, or NULL */
	bool atapi;                  /* the log says ATAPI */
};

struct controller {
	char *address; /* PCI address or platform name */
	char *driver;  /* "ahci", "ata_piix"; NULL unknown */
	char *devpath; /* in sysfs; NULL unknown */
	bool ahci;
	bool mask_known;
	uint32_t mask;
	bool mask_phantom;   /* the mask cannot be trusted for counting sockets */
	unsigned sockets;    /* with mask_phantom: how many first ports are taken for real */
	bool sockets_by_id;  /* the chip is a known one; else by the run of ones from bit 0 */
	unsigned generation; /* fastest speed the controller announces; 0 unknown */
	bool pmp;            /* flag "pmp": supports port multipliers */
	bool pmp_known;
	unsigned mask_line;
	struct port *ports;
	size_t n_ports;
};

/* What smartctl says of one disk's link and errors; -1 and 0 = not told. */
struct drive_link {
	const struct block *disk;
	unsigned max;     /* generation; smartctl's word, else its IDENTIFY data in sysfs */
	unsigned current; /* generation */
	int64_t crc_errors;
	int64_t reallocated;
	int64_t written_bytes;                     /* since the host booted, from diskstats */
	unsigned max_line, current_line, crc_line; /* of the source; 0 = not counted */
	const char *source;  /* of the smartctl facts; NULL when there are none */
	const char *why_not; /* why smartctl told nothing; NULL when it did */
	const char *remedy;  /* what would make it tell */
	struct smart *smart; /* all that smartctl told, for facts_smart() */
};

struct portmap {
	struct controller *controllers; /* by address */
	size_t n;
	struct drive_link *drives; /* one for each disk of BUS_ATA */
	size_t n_drives;
	const struct klog *klog; /* borrowed; NULL when there is no log */
	bool log_complete;       /* the log reaches back to the boot */
	char *log_why_not;       /* why not, and NULL when it does */
};

/* `klog` NULL: none could be read, `klog_why` says why. */
int portmap_load(struct host *host, const struct blocks *blocks, const struct klog *klog,
		 const char *klog_why, struct portmap **ret, struct error *err);
void portmap_free(struct portmap *map);
DEFINE_CLEANUP(portmap, portmap_free)

const struct controller *portmap_controller(const struct portmap *map, const char *address);
const struct port *portmap_port(const struct portmap *map, const char *address, unsigned index);
/* The port of a disk, or NULL for one that is not on SATA. */
const struct port *portmap_port_of(const struct portmap *map, const struct block *disk,
				   const struct controller **ret_controller);
const struct drive_link *portmap_drive(const struct portmap *map, const struct block *disk);

/* 1.5, 3.0, 6.0; 0 for 0. */
double generation_gbps(unsigned generation);
/* 8b/10b: 150, 300, 600 MB/s (10^6); 0 for 0. */
unsigned generation_ceiling_mb_s(unsigned generation);

#endif

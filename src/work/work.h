/* SPDX-License-Identifier: MIT */
/*
 * The planned work, and the machine after it.
 *
 * Work is what the operator is about to do to the hardware: disks trade
 * ports, one moves, one is taken out, the power goes off and on.  Every
 * judgement of names depends on it: names are judged by *simulating* the
 * work, not by their looks.  Invariants: an operation's disks are bound to
 * keys; a port takes one cable; nothing here touches the host.
 */
#ifndef COLDSWAP_WORK_WORK_H
#define COLDSWAP_WORK_WORK_H

#include <stdbool.h>
#include <stddef.h>

#include "attr.h"
#include "buf.h"
#include "error.h"
#include "probe/block.h"
#include "probe/facts.h"

enum work_type {
	WORK_EXCHANGE, /* two disks trade ports: `disk`, `other` */
	WORK_MOVE,     /* `disk` goes to controller/port */
	WORK_REMOVE,   /* `disk` leaves */
	WORK_REPLACE,  /* `disk` leaves, an unknown one (`new_text`) takes its port */
	WORK_RECABLE,  /* `disk` gets another cable, same port */
};

/* As an operator wrote it, in a runbook or on the command line. */
struct work_request {
	enum work_type type;
	char *disk;     /* any name of a disk */
	char *other;    /* exchange: the second disk; replace: the new one */
	char *to;       /* move: "port 3 of 0000:00:1f.2" */
	char *position; /* "FILE:LINE:COL" or "--exchange", for errors */
};

struct work_op {
	enum work_type type;
	const struct block *disk, *other;
	char *controller; /* move */
	unsigned port;
	int device;     /* move: ata_piix, the second port of one ata number; else 0 */
	bool off_sata;  /* move: the controller is a SAS or RAID adapter */
	bool whole;     /* move: with every disk of its port multiplier, on one cable */
	char *new_text; /* replace; `other` is set too when it is a disk of this host */
};

enum work_origin {
	WORK_GIVEN,       /* by the operator or the runbook */
	WORK_ADVISED,     /* the swap that the port map advises */
	WORK_POWER_CYCLE, /* nothing named and nothing advised: power off and on */
};

struct work {
	enum work_origin origin;
	struct work_op *ops;
	size_t n;
	bool meant; /* with n = 0, after the work: nothing was to move; else nobody said */
	const struct blocks *blocks; /* borrowed */
	char **warnings;             /* "/dev/sdb is a name of today; taken as disk KEY" */
};

/*
 * Bind requests to disks.  `n` = 0 gives a plain power cycle.  Errors are
 * -EINVAL/-ENOENT/-ENOTUNIQ in the request's own words and position: an
 * unknown disk, a disk named twice, two cables into one port, a port that
 * cannot be parsed.  Whether the target port *exists and works* is judged by
 * disk.ports, not here.
 */
int work_resolve(struct facts *facts, const struct work_request *requests, size_t n,
		 struct work **ret, struct error *err);
/* An exchange that the port map advises. */
int work_advised(struct facts *facts, const struct block *a, const struct block *b,
		 struct work **ret, struct error *err);
/*
 * The same work with more disks touched: as if each that the work leaves alone
 * got another cable, its port kept.
 */
int work_and_disks(const struct work *work, const struct block *const *disks, size_t n,
		   struct work **ret, struct error *err);
void work_free(struct work *work);
DEFINE_CLEANUP(work, work_free)
void work_request_done(struct work_request *request);

/* Is the disk's cable, port or presence touched by the work? */
bool work_touches(const struct work *work, const struct block *disk);
/* Mount points of filesystems with a disk of the work below them, each once; added to *ret. */
int work_mount_points(const struct work *work, const struct mounts *mounts, char ***ret);
/*
 * Where to search for databases: the same; of a plain power cycle, which every
 * disk goes through, the mount points of all disks; added to *ret.  -ENOMEM.
 */
int work_search_places(const struct work *work, const struct mounts *mounts, char ***ret);
/* Is any disk below this device (work_touches each)? */
bool work_touches_device(const struct work *work, const struct block *block);

/*
 * Where a disk is after the work.  `present` false = it was taken out.
 * `bus` is BUS_ATA for a disk that a move brings to a SATA port (out of its
 * USB case) and BUS_SCSI for one that goes to a SAS or RAID adapter.
 */
struct place_after {
	bool present;
	bool moved; /* not where it was */
	enum bus bus;
	const char *controller;
	int port; /* -1 = not on SATA */
	int pmp;
	int device;
};
void work_place_after(const struct work *work, const struct block *disk, struct place_after *ret);

/* "exchange A (port 3 of ...) and B (port 5 of ...)", one line for each op. */
int work_describe(const struct work *work, struct buf *ret);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Which two cables to swap, and why: the advice of the port map.
 *
 * A disk is held back when its link is slower than the drive and the
 * controller could do.  The cause is told apart by law: a limit in SControl
 * or in libata = software; no limit and CRC errors = cable; no limit, no CRC
 * errors = the port itself is of the slower generation; drive = the drive
 * can do no more (then it is not held back).  Where nobody counts CRC errors
 * the cause is unknown.
 *
 * Options that touch the boot disk, or of which that is not known, are listed
 * and never advised.  A free
 * port comes before a trade, a known loss before an unknown one, and no disk
 * gives way to one that writes less.
 */
#ifndef COLDSWAP_WORK_ADVICE_H
#define COLDSWAP_WORK_ADVICE_H

#include "probe/facts.h"

struct work;

enum held_cause { HELD_PORT, HELD_CABLE, HELD_SOFTWARE, HELD_DRIVE, HELD_UNKNOWN };
const char *held_cause_name(enum held_cause cause);

struct held_back {
	const struct block *disk;
	const struct controller *controller;
	const struct port *port;
	enum held_cause cause;
	bool deliberate;         /* software limit asked for on the kernel's command line */
	unsigned could_be;       /* generation that drive and controller could do */
	char *formula, *derived; /* the law with its numbers */
};

struct advice_option {
	const struct block *disk;            /* the one held back */
	const struct block *other;           /* the one to trade with; NULL = a free port */
	const struct controller *controller; /* of the target port */
	const struct port *port;             /* target port */
	bool loses_known;
	double loses_mb_s; /* at least; 0 = nothing */
	bool touches_boot;
	bool boot_unknown;       /* nothing told that it does, and not all could be read */
	bool advised;            /* the best of all: at most one */
	bool rejected;           /* for a reason that `why` names; else it is possible */
	char *why;               /* one sentence */
	char *formula, *derived; /* of the loss */
	char *source;            /* of the measurement; NULL where there is none */
};

enum advice_action { ADVICE_NONE, ADVICE_MOVE, ADVICE_SWAP };

struct advice {
	enum advice_action action;
	const struct block *disks[2];
	struct held_back *held;
	size_t n_held;
	struct advice_option *options;
	size_t n_options;
	char **reasons; /* whole sentences */
};

int advice_make(struct facts *facts, struct advice **ret, struct error *err);
void advice_free(struct advice *advice);
DEFINE_CLEANUP(advice, advice_free)

/* The work that the advice comes to; -ENOENT when it advises none. */
int advice_work(struct facts *facts, const struct advice *advice, struct work **ret,
		struct error *err);

/* The fastest a controller's ports can be: its word, or what a link of it shows. */
unsigned controller_capability(const struct controller *controller);
/* The limit in force on a port by SControl or libata; 0 = none. */
unsigned port_limit(const struct port *port);

/* Is a disk below what is mounted there? */
bool mount_lies_on(const struct blocks *blocks, const struct mount *mount,
		   const struct block *disk);
/* Does the disk hold /, /boot, /boot/efi, /usr, /var or the swap in use?  Negative: not known. */
int disk_is_boot(struct facts *facts, const struct block *disk, bool *ret, struct error *err);

#endif

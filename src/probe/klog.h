/* SPDX-License-Identifier: MIT */
/*
 * The storage lines of a kernel log, parsed and not judged.
 *
 * Reads every form that logs take: "[    1.53] ", "Apr  3 05:38:12 host
 * kernel: [28841.33] ", the same without brackets, "kern.info kernel: [..]",
 * journal export text; "ata1 : SATA" with a blank before the colon; AHCI
 * headers of kernels up to 6.1 (one line) and newer (two lines); platform
 * controllers without a PCI address; ata_piix' "ata1.01: SATA link".
 */
#ifndef COLDSWAP_PROBE_KLOG_H
#define COLDSWAP_PROBE_KLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attr.h"
#include "error.h"
#include "host.h"

enum klog_type {
	KLOG_CONTROLLER, /* AHCI header: ports, speed and, up to 6.1, the mask */
	KLOG_MASK,       /* "3/6 ports implemented (port mask 0x29)" */
	KLOG_FLAGS,      /* "flags: 64bit ncq ..." */
	KLOG_PORT,       /* "ataN: SATA max UDMA/133 abar ..." */
	KLOG_DUMMY,      /* "ataN: DUMMY" */
	KLOG_LINK_UP,
	KLOG_LINK_DOWN,
	KLOG_SLOWED,     /* "limiting SATA link speed to 1.5 Gbps" */
	KLOG_ERROR,      /* a link error: "SError: {", an exception with SErr, ICRC, ... */
	KLOG_RESET,      /* "hard resetting link", "COMRESET failed": no error by itself */
	KLOG_MULTIPLIER, /* "ataN.15: Port Multiplier" */
	KLOG_DRIVE,      /* "ataN.00: ATA-10: MODEL, ..." */
	KLOG_ATAPI,      /* "ataN.00: ATAPI: ..." */
};

/* 1.5, 3.0 and 6.0 Gb/s are generations 1, 2, 3; 0 = not told. */
struct klog_event {
	enum klog_type type;
	unsigned line;    /* of the log, from 1 */
	char *text;       /* the message without its prefix */
	char *controller; /* "0000:00:1f.2"; NULL on lines that name an ata port */
	unsigned ata;     /* 0 = none */
	int device;       /* N of "ataM.NN"; -1 = none */
	unsigned ports, generation;
	uint32_t mask;
	bool has_mask;
	uint32_t sstatus, scontrol; /* of link lines */
};

struct klog {
	struct klog_event *events; /* in the order of the log */
	size_t n;
	size_t n_lines;
	bool from_start; /* the kernel's first line ("Linux version") is in the log: what
	                    is absent did not happen.  Events of an earlier boot in
	                    the same text are dropped */
	char *source;    /* "coldswap/kernel.log", "kernel log" */
};

int klog_load(struct host *host, struct klog **ret, struct error *err);
/* The parser alone; `text` need not be terminated at `len`. */
int klog_parse(const char *text, size_t len, const char *source, struct klog **ret,
	       struct error *err);
void klog_free(struct klog *klog);
DEFINE_CLEANUP(klog, klog_free)

#endif

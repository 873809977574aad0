/* SPDX-License-Identifier: MIT */
/*
 * The boot entries of UEFI firmware, from efivarfs: Boot####, BootOrder,
 * BootCurrent, BootNext.
 *
 * Variables are read through the host root and taken apart as buffers by
 * libefiboot and libefivar, which never open anything themselves here.
 * Whatever they are given was measured first: the name ends, the path ends,
 * every node lies inside.  What a variable says is not judged.
 */
#ifndef COLDSWAP_PROBE_EFI_H
#define COLDSWAP_PROBE_EFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attr.h"
#include "error.h"
#include "host.h"

enum efi_form {
	EFI_UNREADABLE, /* `error` and `why` tell */
	EFI_PARTITION,  /* HD(...): the partition alone, wherever its disk is plugged in */
	EFI_FULL,       /* hardware path, then HD(...) */
	EFI_DEVICE,     /* hardware path without a partition */
	EFI_FILE,       /* a file name without a disk */
	EFI_BBS,        /* a legacy BIOS device */
	EFI_FIRMWARE,   /* a program inside the firmware */
	EFI_NETWORK,
	EFI_OTHER,
};

enum efi_bus { EFI_BUS_NONE, EFI_BUS_SATA, EFI_BUS_NVME, EFI_BUS_USB, EFI_BUS_OTHER };

#define EFI_PCI_MAX 8
#define EFI_SATA_DIRECT 0xffffu /* "port multiplier port" of a disk without one */

/* What a path says before its partition. */
struct efi_hardware {
	uint32_t root; /* UID of the PCI root bridge */
	struct {
		uint8_t device, function;
	} pci[EFI_PCI_MAX];
	size_t n_pci;
	bool opaque; /* holds a node that no device of sysfs can be found by */
	enum efi_bus bus;
	unsigned port, pmp, lun; /* EFI_BUS_SATA; the port counts from 0 */
};

struct efi_entry {
	unsigned number;
	char name[16]; /* "Boot0001" */
	char *source;  /* path of the variable */
	char *text;    /* one line as efibootmgr -v shows it */
	enum efi_form form;
	bool active;
	bool firmware_made; /* marked as made by the firmware itself */
	int error;          /* EFI_UNREADABLE: negative errno; -ENOENT no such variable */
	char *why;          /* likewise: one clause */
	char *description;
	char *path;           /* the device path as text */
	char *hardware_text;  /* its part before the partition; NULL where there is none */
	char *part_uuid;      /* of HD(...), as PARTUUID= has it; NULL no HD or no signature */
	unsigned partition;   /* number in HD(...); 0 = no HD */
	uint64_t start, size; /* sectors, by HD(...) */
	char *args;           /* a command line behind the path (EFI stub); NULL none */
	char *file;           /* "\EFI\debian\shimx64.efi" or NULL */
	struct efi_hardware hardware;
};

struct efi {
	struct efi_entry *entries; /* by number; those in BootOrder without a variable too */
	size_t n;
	unsigned *order; /* BootOrder */
	size_t n_order;
	int current, next;                   /* numbers; -1 = not told */
	char *why_no_current;                /* when current is -1 and the variable is there */
	char *why_no_order;                  /* when the order could not be read */
	char *order_source, *current_source; /* paths of these variables */
};

/*
 * -ENOENT: the host shows no EFI at all.  -ENODATA: it was started by EFI
 * and shows no variables (not mounted, or run-time services are off).
 */
int efi_load(struct host *host, struct efi **ret, struct error *err);
void efi_free(struct efi *efi);
DEFINE_CLEANUP(efi, efi_free)

/* NULL for -1 and for a number that is nowhere. */
const struct efi_entry *efi_entry(const struct efi *efi, int number);

/* One load option's bytes (without the variable's attributes); for tests too. */
int efi_option_parse(const void *bytes, size_t len, struct efi_entry *entry, struct error *err);
void efi_entry_done(struct efi_entry *entry);

#endif

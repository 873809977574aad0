/* SPDX-License-Identifier: MIT */
/* The parts of the kind names.boot. */
#ifndef COLDSWAP_STEP_NAMES_BOOT_H
#define COLDSWAP_STEP_NAMES_BOOT_H

#include "probe/efi.h"
#include "probe/facts.h"
#include "probe/loader.h"
#include "step.h"
#include "work/names.h"

/* When an entry has its turn, by BootOrder and by what started this boot. */
enum entry_turn {
	TURN_MAIN,   /* started this boot, or is asked for by BootNext */
	TURN_AHEAD,  /* active and before that one: tried first, and passed over */
	TURN_BEHIND, /* active, later, or not in the order */
	TURN_NONE,   /* not active */
};

struct boot_check {
	const struct step *step;
	struct result *ret;
	const struct blocks *blocks;
	const struct mounts *mounts; /* NULL: could not be read */
	const struct portmap *map;   /* likewise */
	struct efi *efi;             /* NULL: no variables */
	struct loaders *loaders;
	const struct efi_entry *main;  /* the entry that started this boot; NULL not known */
	const struct block *boot_disk; /* the disk of its partition; NULL not known */
	bool at_risk;                  /* it may not start after the work */
};

/* names_boot_place.c: the disk that a hardware path leads to */
struct entry_place {
	bool known;                      /* the path could be followed at all */
	char *port;                      /* "port 2 of 0000:00:17.0", or NULL */
	const struct block *now, *after; /* the disk there; NULL nothing */
};
int entry_place_find(struct boot_check *check, const struct efi_entry *entry,
		     struct entry_place *ret, struct error *err);
void entry_place_done(struct entry_place *place);
/* The entry's partition on this disk; without one in the path, an EFI system partition. */
const struct block *entry_partition_on(const struct boot_check *check,
				       const struct efi_entry *entry, const struct block *disk);
/* The disk after the work: is it there, and on the controller where it was? */
bool disk_is_taken_out(const struct boot_check *check, const struct block *disk);
bool disk_changes_place(const struct boot_check *check, const struct block *disk);

/* names_boot_efi.c: the firmware's entries, one by one */
int judge_firmware(struct boot_check *check, struct error *err);
void cite_entry(struct boot_check *check, struct finding *finding, const struct efi_entry *entry);

/* names_boot_entry.c: an entry by its form */
int judge_entry(struct boot_check *check, const struct efi_entry *entry, enum entry_turn turn,
		struct error *err);

/* names_boot_esp.c: what lies on the EFI system partition */
int judge_esp(struct boot_check *check, struct error *err);

/* names_boot_bios.c: firmware without EFI */
int judge_without_efi(struct boot_check *check, const struct error *why, struct error *err);

/* names_boot_loader.c: whose configuration it is that the firmware's entry starts */
bool loader_is_used(const struct boot_check *check, const char *path);
/* The command lines that entries hand to a kernel started by EFI itself. */
int add_entry_lines(struct boot_check *check, struct error *err);

/* names_boot_grub.c: by what GRUB finds its disk */
int judge_grub(struct boot_check *check, struct error *err);

/* names_boot_cmdline.c: command lines */
int judge_command_lines(struct boot_check *check, struct error *err);
/* The line that boots next; where no loader is told, the one that runs. */
bool line_boots_next(const struct boot_check *check, const struct kernel_line *line);

/* names_boot_compare.c: the running line beside the next */
int compare_command_lines(struct boot_check *check, struct error *err);

/* names_boot_tpm.c: keys bound to what the firmware measures */
int judge_tpm(struct boot_check *check, struct error *err);

/*
 * How reports call a disk; of NULL "another disk".  NULL when memory is short:
 * then the result has failed, and nothing of it is shown.
 */
char *boot_disk_name(struct boot_check *check, const struct block *disk);

extern const struct finding_row names_boot_findings[];

#endif

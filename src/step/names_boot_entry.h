/* SPDX-License-Identifier: MIT */
/* Shared by src/step/names_boot_entry.c and names_boot_report.c alone: one entry being judged. */
#ifndef COLDSWAP_STEP_NAMES_BOOT_ENTRY_H
#define COLDSWAP_STEP_NAMES_BOOT_ENTRY_H

#include "step/names_boot.h"

struct entry_view {
	struct boot_check *check;
	const struct efi_entry *entry;
	enum entry_turn turn;
	struct ref ref;             /* of its partition */
	struct entry_place place;   /* of its hardware path */
	const struct block *target; /* the disk that it starts today; NULL nothing */
};

/* Each adds one finding about the entry, or none where it does not matter. */
void report_stable(struct entry_view *view);
void report_arrives(struct entry_view *view);
void report_moves(struct entry_view *view);
void report_other_disk(struct entry_view *view, const struct block *other);
void report_taken_out(struct entry_view *view);
void report_other_controller(struct entry_view *view);
void report_missing(struct entry_view *view);
void report_doubled(struct entry_view *view);
void report_dead(struct entry_view *view);
void report_not_told(struct entry_view *view);

/* Start a finding about the entry; a failure puts the boot at risk. */
struct finding *report_start(struct entry_view *view, const char *id, enum verdict verdict);

#endif

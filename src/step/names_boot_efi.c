/* SPDX-License-Identifier: MIT */
/* The boot entries of UEFI firmware: whose turn it is, and what becomes of each. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"
#include "step/names_boot.h"

void cite_entry(struct boot_check *check, struct finding *finding, const struct efi_entry *entry)
{
	result_evidence(check->ret, finding, entry->source, entry->text, NULL, NULL);
}

char *boot_disk_name(struct boot_check *check, const struct block *disk)
{
	char *name = NULL;

	if (!disk)
		return strdup(_("another disk"));
	if (block_describe(disk, &name) < 0) {
		check->ret->failed = -ENOMEM;
		return NULL;
	}
	return name;
}

/* Position in BootOrder; the length when it is not in it. */
static size_t position(const struct efi *efi, const struct efi_entry *entry)
{
	size_t i = 0;

	while (i < efi->n_order && efi->order[i] != entry->number)
		i++;
	return i;
}

/* Can a boot come from this entry at all? */
static bool can_start(const struct efi_entry *entry)
{
	return entry->active && (entry->form == EFI_PARTITION || entry->form == EFI_FULL ||
				 entry->form == EFI_DEVICE || entry->form == EFI_BBS);
}

/* What started this boot; where nothing tells, the first in the order that can. */
static const struct efi_entry *find_main(const struct efi *efi)
{
	if (efi->current >= 0)
		return efi_entry(efi, efi->current);
	for (size_t i = 0; i < efi->n_order; i++) {
		const struct efi_entry *entry = efi_entry(efi, (int)efi->order[i]);

		if (entry && can_start(entry))
			return entry;
	}
	return NULL;
}

static enum entry_turn turn_of(const struct boot_check *check, const struct efi_entry *entry)
{
	const struct efi *efi = check->efi;

	if (entry == check->main || (efi->next >= 0 && entry->number == (unsigned)efi->next))
		return TURN_MAIN;
	if (entry->form != EFI_UNREADABLE && !entry->active)
		return TURN_NONE;
	if (position(efi, entry) == efi->n_order)
		return TURN_BEHIND;
	/* an entry that this boot came from without being in the order says nothing of it */
	if (check->main && position(efi, check->main) == efi->n_order)
		return position(efi, entry) == 0 ? TURN_AHEAD : TURN_BEHIND;
	return check->main && position(efi, entry) > position(efi, check->main) ? TURN_BEHIND
										: TURN_AHEAD;
}

/* What is not in the order and cannot be read is nobody's concern. */
static bool is_of_interest(const struct boot_check *check, const struct efi_entry *entry)
{
	return entry->form != EFI_UNREADABLE || entry == check->main ||
	       position(check->efi, entry) < check->efi->n_order;
}

static void report_order(struct boot_check *check)
{
	struct finding *finding;

	if (!check->efi->why_no_order)
		return;
	finding = result_find(check->ret, "order-unreadable", VERDICT_UNKNOWN, "BootOrder");
	result_say(check->ret, finding,
		   _("The order in which the firmware tries its entries cannot be read: %s."),
		   check->efi->why_no_order);
	result_remedy(check->ret, finding, "%s",
		      _("Run coldswap as root; look at the order by `efibootmgr`."));
	result_evidence(check->ret, finding, check->efi->order_source, check->efi->why_no_order,
			NULL, NULL);
}

static void report_current(struct boot_check *check)
{
	struct finding *finding;

	if (!check->efi->why_no_current)
		return;
	finding = result_find(check->ret, "entry-unknown", VERDICT_UNKNOWN, "BootCurrent");
	result_say(check->ret, finding, _("Which entry started this boot cannot be read: %s."),
		   check->efi->why_no_current);
	result_remedy(check->ret, finding, "%s",
		      _("Run coldswap as root; look at the entries by `efibootmgr`."));
	result_evidence(check->ret, finding, check->efi->current_source, check->efi->why_no_current,
			NULL, NULL);
}

/* Two disks that carry the partition's UUID leave it open which one booted. */
static void find_boot_disk(struct boot_check *check)
{
	const struct block *found = NULL;

	for (size_t i = 0; check->main && check->main->part_uuid && i < check->blocks->n; i++) {
		const struct block *block = check->blocks->items[i];

		if (!block->part_uuid || strcasecmp(block->part_uuid, check->main->part_uuid) != 0)
			continue;
		if (found)
			return;
		found = block;
	}
	check->boot_disk = found ? found->disk : NULL;
}

static int judge_entries(struct boot_check *check, struct error *err)
{
	int r = 0;

	check->main = find_main(check->efi);
	find_boot_disk(check);
	report_order(check);
	report_current(check);
	for (size_t i = 0; i < check->efi->n && r == 0; i++) {
		const struct efi_entry *entry = &check->efi->entries[i];

		if (is_of_interest(check, entry))
			r = judge_entry(check, entry, turn_of(check, entry), err);
	}
	return r;
}

int judge_firmware(struct boot_check *check, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r = efi_load(check->step->host, &check->efi, &why);

	if (r == -ENOMEM)
		return error_oom(err);
	if (r == -ENOENT)
		return judge_without_efi(check, &why, err);
	if (r < 0) {
		result_unknown(check->ret, "firmware-unreadable", PATH_EFIVARS, PATH_EFIVARS, &why);
		return 0;
	}
	r = judge_entries(check, err);
	return r < 0 ? r : judge_esp(check, err);
}

/* SPDX-License-Identifier: MIT */
/* What to choose in the boot menu, what to do when it does not start, and what comes after. */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "probe/efi.h"
#include "report/card_parts.h"

#define DESCRIPTION_COLUMNS 40

/* The entry that started this boot, else the first that the firmware would take. */
static const struct efi_entry *entry_to_choose(const struct efi *efi, bool *ret_started)
{
	const struct efi_entry *entry = efi_entry(efi, efi->current);

	*ret_started = entry && entry->form != EFI_UNREADABLE;
	if (*ret_started)
		return entry;
	for (size_t i = 0; i < efi->n_order; i++) {
		entry = efi_entry(efi, (int)efi->order[i]);
		if (entry && entry->active && entry->form != EFI_UNREADABLE)
			return entry;
	}
	return NULL;
}

static int say_entry(struct card *card, const struct efi *efi, const struct efi_entry *entry,
		     bool started)
{
	AUTO_FREE char *name = card_cut(entry->description ? entry->description : "",
					DESCRIPTION_COLUMNS, CUT_END);
	const struct efi_entry *next = efi_entry(efi, efi->next);

	if (!name)
		return error_oom(card->err);
	card_linef(card, "",
		   started ? _("BOOT MENU: choose \"%s\" (%s): this boot came from it.")
			   : _("BOOT MENU: choose \"%s\" (%s): it is the first in the "
			       "firmware's order."),
		   name, entry->name);
	if (next && next != entry)
		card_linef(card, "",
			   _("(The firmware is set to start %s once, by itself: BootNext.)"),
			   next->name);
	return 0;
}

static void add_boot_disks(const struct card *card, struct buf *ret)
{
	for (size_t i = 0; i < card->n; i++)
		if (card->disks[i].boot)
			buf_addf(ret, "%s%s", ret->len ? ", " : "", card->disks[i].name);
}

/* Without an entry's name the drive itself is what the menu shows. */
static int say_drive(struct card *card, int why)
{
	AUTO_BUF disks = BUF_INIT;
	const char *reason = why == -ENOENT ? _("no UEFI, but a legacy BIOS or none")
					    : _("the entries of the firmware could not be read");

	add_boot_disks(card, &disks);
	if (disks.len)
		card_linef(card, "", _("BOOT MENU (%s): choose the drive %s."), reason,
			   buf_text(&disks));
	else
		card_linef(card, "",
			   _("BOOT MENU (%s): choose the drive that it always starts from."),
			   reason);
	return buf_error(&disks) < 0 ? error_oom(card->err) : 0;
}

int card_write_boot(struct card *card)
{
	CLEANUP(cleanup_efi) struct efi *efi = NULL;
	const struct efi_entry *entry;
	bool started;
	int r = efi_load(facts_host(card->facts), &efi, NULL);

	if (r == -ENOMEM)
		return error_oom(card->err);
	card_blank(card);
	entry = r < 0 ? NULL : entry_to_choose(efi, &started);
	return entry ? say_entry(card, efi, entry, started) : say_drive(card, r < 0 ? r : -ENODATA);
}

/* ---- the end of the page ------------------------------------------------------------- */

static void write_next(struct card *card)
{
	const struct card_session *session = card->session;

	card_linef(card, "", _("IF IT DOES NOT START: %s"), card_way_back(card));
	if (session->resume) {
		card_line(card, "", _("AFTER THE BOOT, as root:"));
		card_command(card, session->resume);
	} else {
		card_line(card, "",
			  _("AFTER THE BOOT, as root (a dry run has nothing to resume):"));
		card_command(card, "coldswap verify");
	}
}

static void write_lifts(struct card *card)
{
	if (!card->session->lifts || !card->session->lifts[0])
		return;
	card_blank(card);
	card_line(card, "", _("HELD DOWN until then. To lift a hold without coldswap, as root:"));
	for (char *const *lift = card->session->lifts; *lift; lift++)
		card_command(card, *lift);
}

static void write_acceptance(struct card *card, const struct acceptance *accepted)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_FREE char *cut = NULL;

	buf_addf(&text, "%s (%s): %s", accepted->finding ? accepted->finding : "?",
		 accepted->subject ? accepted->subject : "?",
		 accepted->because ? accepted->because : "?");
	if (card->level.cut_accepted)
		cut = card_cut(buf_text(&text), CARD_COLUMNS - 2, CUT_END);
	if (buf_error(&text) < 0 || (card->level.cut_accepted && !cut))
		card->out->failed = -ENOMEM;
	card_line(card, "- ", cut ? cut : buf_text(&text));
}

static void write_accepted(struct card *card)
{
	const struct card_session *session = card->session;

	card_blank(card);
	if (!session->n_accepted) {
		card_line(card, "", _("ACCEPTED: nothing."));
		return;
	}
	card_line(card, "",
		  card->level.cut_accepted ? _("ACCEPTED, and why (in full: coldswap report):")
					   : _("ACCEPTED, and why:"));
	for (size_t i = 0; i < session->n_accepted; i++)
		write_acceptance(card, &session->accepted[i]);
}

int card_write_end(struct card *card)
{
	write_next(card);
	write_lifts(card);
	write_accepted(card);
	if (card->session->head)
		card_linef(card, "", _("JOURNAL: %s"), card->session->head);
	else
		card_line(card, "", _("JOURNAL: none, this is a dry run."));
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* What is said of one boot entry of the firmware. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "step/names_boot_entry.h"

/* An entry that is never tried, or only after the one that boots, stops no boot. */
static enum verdict verdict_of(const struct entry_view *view)
{
	static const enum verdict verdicts[] = { [TURN_MAIN] = VERDICT_FAIL,
						 [TURN_AHEAD] = VERDICT_WARN,
						 [TURN_BEHIND] = VERDICT_PASS,
						 [TURN_NONE] = VERDICT_PASS };

	/* the firmware drops and makes its own anew at each start */
	if (view->entry->firmware_made && view->turn != TURN_MAIN)
		return VERDICT_PASS;
	return verdicts[view->turn];
}

struct finding *report_start(struct entry_view *view, const char *id, enum verdict verdict)
{
	struct boot_check *check = view->check;
	struct finding *finding = result_find(check->ret, id, verdict, "%s", view->entry->name);

	if (verdict == VERDICT_FAIL)
		check->at_risk = true;
	return finding;
}

static void advise_short(struct entry_view *view, struct finding *finding)
{
	result_remedy(view->check->ret, finding, "%s",
		      _("Before the work make an entry by the partition alone (efibootmgr --create "
			"--disk DISK --part N --loader FILE writes one), or copy the loader to "
			"EFI/BOOT/BOOTX64.EFI of the EFI system partition."));
}

void report_stable(struct entry_view *view)
{
	const struct efi_entry *entry = view->entry;
	struct result *ret = view->check->ret;
	AUTO_FREE char *disk = boot_disk_name(view->check, view->target);
	struct finding *finding = report_start(view, "boot-entry-stable", VERDICT_PASS);

	if (entry->form == EFI_PARTITION)
		result_say(ret, finding,
			   _("%s names partition %u of %s by its UUID, so the firmware finds it on "
			     "any port."),
			   entry->name, entry->partition, disk);
	else
		result_say(ret, finding,
			   _("%s goes by the port of %s, and the work leaves that as it is."),
			   entry->name, disk);
	cite_entry(view->check, finding, entry);
}

/* By port, and what comes to that port is the disk that is meant to boot. */
void report_arrives(struct entry_view *view)
{
	struct boot_check *check = view->check;
	AUTO_FREE char *disk = boot_disk_name(check, check->boot_disk);
	struct finding *finding = report_start(view, "boot-entry-stable", VERDICT_PASS);

	result_say(check->ret, finding,
		   _("After the work %s leads to %s, the disk that started this boot."),
		   view->entry->name, disk);
	cite_entry(check, finding, view->entry);
}

void report_moves(struct entry_view *view)
{
	struct result *ret = view->check->ret;
	enum verdict verdict = verdict_of(view);
	AUTO_FREE char *disk = boot_disk_name(view->check, view->target);
	AUTO_FREE char *formula = NULL;
	struct finding *finding = report_start(view, "entry-full-path-moves", verdict);

	result_say(ret, finding,
		   _("%s goes by the port of %s, and the work gives the disk another: the path "
		     "leads to nothing after it."),
		   view->entry->name, disk);
	if (verdict > VERDICT_PASS)
		advise_short(view, finding);
	cite_entry(view->check, finding, view->entry);
	if (!view->place.port)
		return;
	if (asprintf(&formula, "%s = %s", view->entry->hardware_text, view->place.port) < 0) {
		formula = NULL;
		ret->failed = -ENOMEM;
	}
	result_evidence(ret, finding, view->entry->source, NULL, formula,
			view->place.after ? _("another disk after the work, without that partition")
					  : _("no disk after the work"));
}

/* The loudest: nothing fails, and another system starts. */
void report_other_disk(struct entry_view *view, const struct block *other)
{
	struct result *ret = view->check->ret;
	enum verdict verdict = view->turn <= TURN_AHEAD ? VERDICT_FAIL : VERDICT_PASS;
	AUTO_FREE char *disk = boot_disk_name(view->check, other);
	struct finding *finding = report_start(view, "entry-other-disk", verdict);

	result_say(ret, finding,
		   _("After the work %s leads to %s: nothing fails, and what is on that disk is "
		     "started."),
		   view->entry->name, disk);
	if (verdict > VERDICT_PASS)
		advise_short(view, finding);
	cite_entry(view->check, finding, view->entry);
	if (view->place.port)
		result_evidence(ret, finding, view->entry->source, NULL, view->place.port, disk);
}

/* The line of the entry itself is in order: the order of the steps is at fault. */
void report_taken_out(struct entry_view *view)
{
	struct boot_check *check = view->check;
	enum verdict verdict = view->turn == TURN_BEHIND ? VERDICT_WARN : verdict_of(view);
	AUTO_FREE char *disk = boot_disk_name(check, view->target);
	AUTO_BUF work = BUF_INIT;
	struct finding *finding = result_find(check->ret, "boot-disk-absent", verdict,
					      _("power-on without %s"), disk);

	check->at_risk |= verdict == VERDICT_FAIL;
	result_say(check->ret, finding,
		   _("The work takes out the disk that %s starts: a power-on without it can make "
		     "the firmware delete the entry, and the disk does not boot when it is back."),
		   view->entry->name);
	if (verdict > VERDICT_PASS)
		result_remedy(check->ret, finding, "%s",
			      _("Never power on without the boot disk; or first copy the loader to "
				"EFI/BOOT/BOOTX64.EFI of its EFI system partition, and keep the "
				"output of `efibootmgr -v` to make the entry again."));
	if (work_describe(check->step->work, &work) < 0)
		check->ret->failed = -ENOMEM;
	result_evidence(check->ret, finding, view->entry->source, buf_text(&work), NULL, NULL);
}

/* A disk of another controller: does the firmware start from that at all? */
void report_other_controller(struct entry_view *view)
{
	struct boot_check *check = view->check;
	struct finding *finding;
	struct place_after after;
	AUTO_FREE char *disk = NULL;

	if (!view->target || view->turn != TURN_MAIN)
		return;
	work_place_after(check->step->work, view->target, &after);
	if (!after.moved || !after.present ||
	    (after.controller && view->target->place.controller &&
	     strcmp(after.controller, view->target->place.controller) == 0))
		return;
	disk = boot_disk_name(check, view->target);
	finding = report_start(view, "boot-disk-other-controller", VERDICT_WARN);
	result_say(check->ret, finding,
		   _("The work brings the boot disk %s to another controller, and firmware starts "
		     "from an added card only where it has a driver for it."),
		   disk);
	result_remedy(check->ret, finding, "%s",
		      _("Keep the boot disk on a port of the mainboard, or have a rescue medium at "
			"hand."));
	result_evidence(check->ret, finding, view->entry->source,
			after.controller ? after.controller : "-", NULL, NULL);
}

void report_missing(struct entry_view *view)
{
	struct result *ret = view->check->ret;
	enum verdict verdict = verdict_of(view);
	struct finding *finding = report_start(view, "entry-missing-partition", verdict);

	result_say(ret, finding, _("%s names a partition that no disk of this host has (%s)."),
		   view->entry->name,
		   view->entry->part_uuid ? view->entry->part_uuid : view->entry->path);
	if (verdict > VERDICT_PASS)
		result_remedy(ret, finding, _("Delete it: efibootmgr -b %04X -B."),
			      view->entry->number);
	cite_entry(view->check, finding, view->entry);
}

void report_doubled(struct entry_view *view)
{
	struct result *ret = view->check->ret;
	enum verdict verdict = verdict_of(view);
	struct finding *finding;

	if (verdict == VERDICT_FAIL && !view->ref.touched)
		verdict = VERDICT_WARN;
	finding = report_start(view, "entry-partition-doubled", verdict);
	result_say(ret, finding,
		   _("The partition UUID of %s is on %zu devices, so which of them the firmware "
		     "starts depends on the order in which it finds them."),
		   view->entry->name, view->ref.n_before);
	if (verdict > VERDICT_PASS)
		result_remedy(ret, finding, "%s",
			      _("Give the copy UUIDs of its own (sgdisk -G DISK), or leave it out "
				"until this machine has booted."));
	cite_entry(view->check, finding, view->entry);
	if (view->ref.why)
		result_evidence(ret, finding, view->entry->source, view->ref.why, NULL, NULL);
}

void report_dead(struct entry_view *view)
{
	struct result *ret = view->check->ret;
	enum verdict verdict = verdict_of(view);
	struct finding *finding = report_start(view, "entry-full-path-dead", verdict);

	result_say(
		ret, finding,
		view->turn == TURN_AHEAD
			? _("%s comes before the entry that started this boot, and its path leads "
			    "to no such partition: the machine relies on the firmware to pass it "
			    "over.")
			: _("The path of %s leads to no such partition; the firmware passes it "
			    "over."),
		view->entry->name);
	if (verdict > VERDICT_PASS)
		result_remedy(ret, finding, _("Delete it: efibootmgr -b %04X -B."),
			      view->entry->number);
	cite_entry(view->check, finding, view->entry);
	if (view->place.port)
		result_evidence(ret, finding, view->entry->source, NULL, view->place.port,
				view->place.now ? _("a disk without that partition")
						: _("no disk"));
}

void report_not_told(struct entry_view *view)
{
	struct result *ret = view->check->ret;
	struct finding *finding;

	if (view->turn != TURN_MAIN)
		return;
	finding = report_start(view, "entry-unknown", VERDICT_UNKNOWN);
	result_say(ret, finding,
		   _("%s started this boot, and from which disk its path does not tell."),
		   view->entry->name);
	result_remedy(ret, finding, "%s",
		      _("Make an entry by the partition (efibootmgr --create), or look up in the "
			"firmware's setup what it starts."));
	cite_entry(view->check, finding, view->entry);
}

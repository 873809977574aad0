/* SPDX-License-Identifier: MIT */
/* One boot entry of the firmware, by the form of its path. */
#include <errno.h>
#include <stdio.h>

#include "base/intl.h"
#include "step/names_boot_entry.h"

/* HD(...) alone: the firmware looks for the partition on every disk. */
static int judge_partition(struct entry_view *view, struct error *err)
{
	(void)err;
	if (!view->entry->part_uuid) {
		report_not_told(view);
		return 0;
	}
	switch (view->ref.fate) {
	case FATE_SAME:
		report_stable(view);
		report_other_controller(view);
		break;
	case FATE_REMOVED:
		report_taken_out(view);
		break;
	case FATE_AMBIGUOUS:
		report_doubled(view);
		break;
	case FATE_OTHER_DISK:
		report_other_disk(view, view->ref.after ? view->ref.after->disk : NULL);
		break;
	case FATE_ABSENT:
	case FATE_NOTHING:
		report_missing(view);
		break;
	default:
		report_not_told(view);
	}
	return 0;
}

/* By port: what is there today, and what will be. */
static int judge_hardware(struct entry_view *view, struct error *err)
{
	struct boot_check *check = view->check;
	const struct block *now = view->place.now, *after = view->place.after;

	(void)err;
	if (now && !entry_partition_on(check, view->entry, now))
		now = NULL;
	if (after && !entry_partition_on(check, view->entry, after))
		after = NULL;
	/* what has just booted leads somewhere, even where this program cannot follow */
	if (!now && (view->turn == TURN_MAIN || !view->place.known) && view->ref.n_before == 1)
		now = view->ref.before[0]->disk;
	view->target = now;
	if (after && after != now && (view->turn == TURN_MAIN || after != check->boot_disk))
		report_other_disk(view, after);
	else if (after && after != now)
		report_arrives(view);
	else if (!now && view->entry->form == EFI_DEVICE)
		report_not_told(view);
	else if (!now && (view->ref.n_before || view->place.known))
		report_dead(view);
	else if (!now)
		report_missing(view);
	else if (disk_is_taken_out(check, now))
		report_taken_out(view);
	else if (disk_changes_place(check, now))
		report_moves(view);
	else
		report_stable(view);
	return 0;
}

static int judge_file(struct entry_view *view, struct error *err)
{
	struct result *ret = view->check->ret;
	bool matters = view->turn <= TURN_AHEAD;
	struct finding *finding =
		report_start(view, "entry-file-only", matters ? VERDICT_WARN : VERDICT_PASS);

	(void)err;
	view->check->at_risk |= view->turn == TURN_MAIN;
	result_say(
		ret, finding,
		view->turn == TURN_MAIN
			? _("%s started this boot and names a file without a disk: which disk the "
			    "firmware takes it from is its own affair.")
			: _("%s names a file without a disk, so it can start nothing."),
		view->entry->name);
	if (matters)
		result_remedy(ret, finding,
			      _("Make an entry by the partition (efibootmgr --create) and delete "
				"this one: efibootmgr -b %04X -B."),
			      view->entry->number);
	cite_entry(view->check, finding, view->entry);
	return 0;
}

/* Legacy: "the hard drive", which is the first of the firmware's list. */
static int judge_bbs(struct entry_view *view, struct error *err)
{
	struct result *ret = view->check->ret;
	bool matters = view->turn <= TURN_AHEAD;
	enum verdict verdict = !matters                         ? VERDICT_PASS
			       : view->turn == TURN_AHEAD       ? VERDICT_WARN
			       : view->check->step->work->n > 0 ? VERDICT_FAIL
								: VERDICT_WARN;
	struct finding *finding = report_start(view, "entry-bbs", verdict);

	(void)err;
	result_say(
		ret, finding,
		matters ? _("%s is a legacy entry: it starts the first disk of the firmware's own "
			    "list, and that follows the ports.")
			: _("%s is a legacy entry that is not used."),
		view->entry->name);
	if (matters)
		result_remedy(ret, finding, "%s",
			      _("Make an entry by the partition (efibootmgr --create), or look up "
				"the order of hard disks in the firmware's setup and again after "
				"the work."));
	cite_entry(view->check, finding, view->entry);
	return 0;
}

static int judge_unreadable(struct entry_view *view, struct error *err)
{
	struct result *ret = view->check->ret;
	bool main = view->turn == TURN_MAIN;
	struct finding *finding =
		report_start(view, "entry-unreadable", main ? VERDICT_UNKNOWN : VERDICT_WARN);

	(void)err;
	result_say(ret, finding,
		   main ? _("%s started this boot and cannot be read, so what it starts is not "
			    "known.")
			: _("%s is in BootOrder and cannot be read, so what it would start is not "
			    "known."),
		   view->entry->name);
	result_remedy(ret, finding,
		      _("Look at it in the firmware's setup, or delete it: efibootmgr -b %04X -B."),
		      view->entry->number);
	result_evidence(ret, finding, view->entry->source, view->entry->text, NULL, NULL);
	return 0;
}

/* Network, the firmware's own programs: no disk of this host is asked for. */
static int judge_other(struct entry_view *view, struct error *err)
{
	struct finding *finding;

	(void)err;
	if (view->entry->form == EFI_OTHER) {
		report_not_told(view);
		return 0;
	}
	if (view->turn != TURN_MAIN)
		return 0;
	finding = report_start(view, "entry-no-disk", VERDICT_PASS);
	result_say(view->check->ret, finding,
		   view->entry->form == EFI_NETWORK
			   ? _("%s started this boot from the network, not from a disk.")
			   : _("%s started this boot from inside the firmware, not from a disk."),
		   view->entry->name);
	cite_entry(view->check, finding, view->entry);
	return 0;
}

static int (*const judges[])(struct entry_view *view, struct error *err) = {
	[EFI_UNREADABLE] = judge_unreadable,
	[EFI_PARTITION] = judge_partition,
	[EFI_FULL] = judge_hardware,
	[EFI_DEVICE] = judge_hardware,
	[EFI_FILE] = judge_file,
	[EFI_BBS] = judge_bbs,
	[EFI_FIRMWARE] = judge_other,
	[EFI_NETWORK] = judge_other,
	[EFI_OTHER] = judge_other,
};

static int resolve(struct entry_view *view, struct error *err)
{
	AUTO_FREE char *spec = NULL;
	int r = 0;

	if (view->entry->part_uuid) {
		if (asprintf(&spec, "PARTUUID=%s", view->entry->part_uuid) < 0) {
			spec = NULL;
			return error_oom(err);
		}
		r = ref_resolve(view->check->step->facts, view->check->step->work, spec, &view->ref,
				err);
	}
	if (r == 0 && view->ref.n_before)
		view->target = view->ref.before[0]->disk;
	return r < 0 ? r : entry_place_find(view->check, view->entry, &view->place, err);
}

int judge_entry(struct boot_check *check, const struct efi_entry *entry, enum entry_turn turn,
		struct error *err)
{
	struct entry_view view = { .check = check, .entry = entry, .turn = turn };
	int r = resolve(&view, err);

	if (r == 0)
		r = judges[entry->form](&view, err);
	ref_done(&view.ref);
	entry_place_done(&view.place);
	return r;
}

/* SPDX-License-Identifier: MIT */
/* Drives that told nothing of their health. */
#include <string.h>

#include "base/intl.h"
#include "step/disk_smart.h"
#include "work/advice.h"

/* Disks that a hypervisor makes up answer as SCSI or ATA drives, and have no health. */
static const char *const virtual_models[] = {
	"QEMU",        "VMware", "VBOX",         "Virtual disk",         "Virtual Disk",
	"Virtual HD",  "Xen",    "VIRTUAL-DISK", "Amazon Elastic Block", "PersistentDisk",
	"BlockVolume",
};

bool disk_has_no_smart(const struct block *disk)
{
	if (disk->bus == BUS_VIRTIO || disk->bus == BUS_MMC)
		return true;
	for (size_t i = 0; disk->model && i < ELEMENTS(virtual_models); i++)
		if (strstr(disk->model, virtual_models[i]))
			return true;
	return false;
}

/* Is something of the disk mounted, or swapped to? */
static bool is_used(const struct drive_check *check)
{
	const struct mounts *mounts;
	const struct blocks *blocks;
	const struct swaps *swaps = NULL;
	const struct block *device[1];

	if (work_touches(check->step->work, check->disk) ||
	    facts_blocks(check->step->facts, &blocks, NULL) < 0 ||
	    facts_mounts(check->step->facts, &mounts, NULL) < 0 ||
	    facts_swaps(check->step->facts, &swaps, NULL) < 0)
		return true;
	for (size_t i = 0; i < mounts->n; i++)
		if (mount_lies_on(blocks, &mounts->items[i], check->disk))
			return true;
	for (size_t i = 0; i < swaps->n; i++)
		if (!swaps->items[i].file &&
		    blocks_by_path(blocks, swaps->items[i].source, device, 1) == 1)
			for (size_t k = 0; k < device[0]->n_disks; k++)
				if (device[0]->disks[k] == check->disk)
					return true;
	return false;
}

static bool said_already(const struct result *ret, const char *id)
{
	for (size_t i = 0; i < ret->n_findings; i++)
		if (strcmp(strchr(ret->findings[i].id, '/') + 1, id) == 0)
			return true;
	return false;
}

/* Of the host, not of the drive: said once. */
static void say_once(struct drive_check *check, const char *id, const char *summary)
{
	struct finding *finding;

	check->flagged = true;
	if (said_already(check->ret, id))
		return;
	finding = result_find(check->ret, id, VERDICT_UNKNOWN, "smartctl");
	result_say(check->ret, finding, "%s", summary);
	result_remedy(check->ret, finding, "%s", check->smart->remedy);
	result_evidence(check->ret, finding, "smartctl", check->smart->why_not, NULL, NULL);
}

static void say_unknown(struct drive_check *check, const char *id, const char *summary_fmt,
			const char *remedy)
{
	const struct smart *smart = check->smart;
	struct finding *finding = drive_find(check, id, VERDICT_UNKNOWN);

/* The formats are the calls' own, below. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	result_say(check->ret, finding, summary_fmt, check->name);
#pragma GCC diagnostic pop
	result_remedy(check->ret, finding, "%s", remedy);
	if (smart->source)
		drive_cite(check, finding, smart->exit_line, "%s", smart->why_not);
	else
		result_evidence(check->ret, finding, "smartctl", smart->why_not, NULL, NULL);
}

static void say_no_answer(struct drive_check *check)
{
	const char *remedy = check->smart->remedy;

	if (check->disk->bus == BUS_USB)
		remedy = _("Name its bridge: `smartctl -d sat -a DEVICE` (or usbjmicron, "
			   "usbsunplus, sntjmicron); or accept it, with a fresh copy at hand.");
	else if (check->disk->bus == BUS_SCSI)
		remedy = _("Name the drives behind the controller: `smartctl -d megaraid,N -a "
			   "DEVICE` (or cciss,N; aacraid,H,L,ID), or ask its own tool; or accept "
			   "it, with a fresh copy at hand.");
	say_unknown(check, "no-answer", _("%s tells nothing of its health."), remedy);
}

void judge_gap(struct drive_check *check)
{
	const struct smart *smart = check->smart;

	if (check->disk->bus == BUS_USB && !is_used(check)) {
		struct finding *finding =
			result_find(check->ret, "not-used", VERDICT_SKIP, "%s", check->name);

		result_say(check->ret, finding,
			   _("%s tells nothing of its health, and nothing of it is in use."),
			   check->name);
		result_evidence(check->ret, finding, "smartctl", smart->why_not, NULL, NULL);
		return;
	}
	switch (smart->gap) {
	case SMART_TOLD:
		break;
	case SMART_NOT_INSTALLED:
		say_once(check, "not-installed", _("The drives cannot be asked without smartctl."));
		break;
	case SMART_NEEDS_ROOT:
		say_once(check, "needs-root", _("Only root may ask the drives."));
		break;
	case SMART_ASLEEP:
		say_unknown(check, "not-asked", _("%s sleeps, and was left asleep."),
			    _("Read something from it, and run coldswap again while it is awake."));
		break;
	case SMART_NOT_CAPTURED:
	case SMART_BROKEN:
		say_unknown(check, "not-asked", _("There is no sound answer of %s."),
			    smart->remedy);
		break;
	case SMART_SWITCHED_OFF:
		say_unknown(check, "switched-off", _("The SMART of %s is switched off."),
			    _("Switch it on: `smartctl -s on DEVICE`."));
		break;
	case SMART_NO_ANSWER:
		say_no_answer(check);
		break;
	}
}

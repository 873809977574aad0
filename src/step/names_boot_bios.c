/* SPDX-License-Identifier: MIT */
/*
 * Firmware without EFI.  A BIOS starts the first disk of its own list, which
 * nothing on the host can read; the work may change it.  That it is a BIOS
 * must be proved: the kernel shows firmware tables, and none of EFI.  A
 * board's boot ROM (devicetree), a container and a Xen guest have none.
 */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "probe/paths.h"
#include "step/names_boot.h"
#include "work/advice.h"

enum firmware { FIRMWARE_BIOS, FIRMWARE_BOARD, FIRMWARE_NOT_TOLD };

static enum firmware firmware_of(char *const *names)
{
	static const char *const tables[] = { "acpi", "dmi", "memmap", "edd" };

	if (strv_has(names, "devicetree"))
		return FIRMWARE_BOARD;
	for (size_t i = 0; i < ELEMENTS(tables); i++)
		if (strv_has(names, tables[i]))
			return FIRMWARE_BIOS;
	return FIRMWARE_NOT_TOLD;
}

static int look(struct boot_check *check, enum firmware *ret, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_STRV char **names = NULL;
	int r = host_exists(check->step->host, PATH_HYPERVISOR_TYPE, NULL);

	*ret = FIRMWARE_NOT_TOLD;
	if (r > 0)
		return 0;
	r = host_list(check->step->host, PATH_FIRMWARE, &names, &why);
	if (r == -ENOMEM)
		return error_oom(err);
	if (r == 0)
		*ret = firmware_of(names);
	return 0;
}

static bool changes_ports(const struct work *work)
{
	for (size_t i = 0; i < work->n; i++)
		if (work->ops[i].type != WORK_RECABLE)
			return true;
	return false;
}

/* The first disk of the work that the system needs to come up, or NULL. */
static const struct block *system_disk(struct boot_check *check)
{
	for (size_t i = 0; i < check->blocks->n; i++) {
		const struct block *disk = check->blocks->items[i];
		bool boot = false;

		if (block_is_disk(disk) && work_touches(check->step->work, disk) &&
		    disk_is_boot(check->step->facts, disk, &boot, NULL) == 0 && boot)
			return disk;
	}
	return NULL;
}

static void report_bios(struct boot_check *check)
{
	const struct block *disk = system_disk(check);
	AUTO_FREE char *name = disk ? boot_disk_name(check, disk) : NULL;
	AUTO_BUF work = BUF_INIT;
	struct finding *finding =
		result_find(check->ret, "bios-order", VERDICT_UNKNOWN, "%s", PATH_FIRMWARE);

	if (disk)
		result_say(
			check->ret, finding,
			_("This machine boots by BIOS, which starts the first disk of its own "
			  "list, and the work touches the system disk %s: whether it stays first "
			  "nothing on the host tells."),
			name);
	else
		result_say(check->ret, finding, "%s",
			   _("This machine boots by BIOS, which starts the first disk of its own "
			     "list; when disks change ports the list may be made anew, and nothing "
			     "on the host tells."));
	result_remedy(check->ret, finding, "%s",
		      _("Before the work look up in the firmware's setup which disk is first in "
			"the list of hard disks (by model and serial), and put it first again "
			"after it."));
	if (work_describe(check->step->work, &work) < 0)
		check->ret->failed = -ENOMEM;
	result_evidence(check->ret, finding, PATH_FIRMWARE, _("no efi among its names"), NULL,
			NULL);
	result_evidence(check->ret, finding, PATH_FIRMWARE, buf_text(&work), NULL, NULL);
}

int judge_without_efi(struct boot_check *check, const struct error *why, struct error *err)
{
	enum firmware firmware;
	struct finding *finding;
	int r = look(check, &firmware, err);

	if (r < 0)
		return r;
	if (firmware == FIRMWARE_BIOS && changes_ports(check->step->work)) {
		report_bios(check);
		return 0;
	}
	if (firmware == FIRMWARE_NOT_TOLD) {
		finding = result_find(check->ret, "firmware-not-told", VERDICT_SKIP, "%s",
				      PATH_FIRMWARE);
		result_say(check->ret, finding, "%s",
			   _("How this machine is started is not told here, so the firmware's "
			     "entries are not judged."));
		result_evidence(check->ret, finding, PATH_FIRMWARE, error_text(why), NULL, NULL);
		return 0;
	}
	finding = result_find(check->ret, "firmware-order-kept", VERDICT_PASS, "%s", PATH_FIRMWARE);
	result_say(check->ret, finding, "%s",
		   firmware == FIRMWARE_BIOS
			   ? _("This machine boots by BIOS, and no disk changes its port.")
			   : _("This board starts from where its boot ROM looks; there is no list "
			       "of disks to keep."));
	result_evidence(check->ret, finding, PATH_FIRMWARE, error_text(why), NULL, NULL);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * names.boot: does this machine start again after the work?
 *
 * Three things stand before the first filesystem is mounted, and each can
 * name a disk by its port or by an order that the work changes: the
 * firmware's entries, the boot loader's configuration, the kernel's command
 * line.  What runs now proves nothing: the *next* boot is judged.
 */
#include "step/names_boot.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"

static const struct param_row params[] = { { 0 } };

static const struct output_row outputs[] = {
	{ "efi", OUTPUT_BOOL, N_("The firmware's boot entries could be read.") },
	{ "entry", OUTPUT_STRING, N_("The entry that started this boot, such as Boot0001.") },
	{ 0 },
};

static int describe(const void *data, struct buf *ret)
{
	(void)data;
	return buf_adds(ret, _("see that firmware, boot loader and kernel find the system disk "
			       "after the work"));
}

static void summarise(struct boot_check *check)
{
	struct result *ret = check->ret;

	result_output_bool(ret, "efi", check->efi != NULL);
	result_output_string(ret, "entry", check->main ? check->main->name : "");
	if (ret->verdict > VERDICT_PASS)
		result_summary(
			ret, "%s",
			_("Something that this machine boots by goes with a port or with the "
			  "order of the disks, or is not known."));
	else if (check->efi)
		result_summary(ret, "%s",
			       _("Firmware, boot loader and kernel find the same disk after the "
				 "work."));
	else
		result_summary(ret, "%s",
			       _("Boot loader and kernel find the same disk after the "
				 "work."));
}

static int judge(struct boot_check *check, struct error *err)
{
	int r = loaders_load(check->step->host, &check->loaders, err);

	if (r == 0)
		r = judge_firmware(check, err);
	if (r == 0)
		r = add_entry_lines(check, err);
	if (r == 0)
		r = judge_grub(check, err);
	if (r == 0)
		r = judge_command_lines(check, err);
	if (r == 0)
		r = judge_tpm(check, err);
	if (r == 0)
		summarise(check);
	return r;
}

static int run(const struct step *step, const void *data, struct result *ret, struct error *err)
{
	struct boot_check check = { .step = step, .ret = ret };
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r = facts_blocks(step->facts, &check.blocks, &why);

	(void)data;
	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0) {
		result_unknown(ret, "devices-unreadable", PATH_CLASS_BLOCK, PATH_CLASS_BLOCK, &why);
		result_summary(ret, "%s", _("How this machine boots could not be judged."));
		return 0;
	}
	if (!blocks_have_disk(check.blocks)) {
		result_skip(ret, "%s", _("this host has no disk of its own to boot from"));
		return 0;
	}
	if (facts_mounts(step->facts, &check.mounts, NULL) < 0)
		check.mounts = NULL;
	if (facts_portmap(step->facts, &check.map, NULL) < 0)
		check.map = NULL;
	r = judge(&check, err);
	efi_free(check.efi);
	loaders_free(check.loaders);
	return r;
}

const struct kind kind_names_boot = {
	.name = "names.boot",
	.class = KIND_CHECK,
	.title = N_("what the machine boots by"),
	.help = N_("Reads the firmware's boot entries, the configuration of the boot loader and "
		   "the kernel's command line, the running one and the next, and follows each "
		   "name of a disk through the simulated work: entries by partition UUID, by "
		   "hardware path, by file alone; GRUB's root by a disk's number; root=, "
		   "resume= and the devices of encrypted disks. Says what to look up where the "
		   "firmware is a BIOS, and that a power-on without the boot disk can cost its "
		   "entry."),
	.deadline_s = 30,
	.params = params,
	.outputs = outputs,
	.findings = names_boot_findings,
	.describe = describe,
	.run = run,
};

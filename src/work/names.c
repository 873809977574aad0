/* SPDX-License-Identifier: MIT */
#include "work/names.h"

#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"
#include "work/names_fate.h"

static const char *const form_names[] = {
	[REF_NOT_A_DEVICE] = "not-a-device",
	[REF_TAG] = "tag",
	[REF_KERNEL_NAME] = "kernel-name",
	[REF_BY_PATH] = "by-path",
	[REF_BY_ID] = "by-id",
	[REF_MAPPER] = "mapper",
	[REF_DM_NUMBER] = "dm-number",
	[REF_MD_NAME] = "md-name",
	[REF_MD_NUMBER] = "md-number",
	[REF_OTHER] = "other",
};

static const char *const fate_names[] = {
	[FATE_SAME] = "same",
	[FATE_NO_DEVICE] = "no-device",
	[FATE_KERNEL_NAME] = "kernel-name",
	[FATE_OTHER_DISK] = "other-disk",
	[FATE_NOTHING] = "nothing",
	[FATE_SHARED_PORT] = "shared-port",
	[FATE_AMBIGUOUS] = "ambiguous",
	[FATE_BUS_CHANGE] = "bus-change",
	[FATE_REMOVED] = "removed",
	[FATE_MD_UNLISTED] = "md-unlisted",
	[FATE_ABSENT] = "absent",
	[FATE_UNKNOWN] = "unknown",
};

const char *ref_form_name(enum ref_form form)
{
	return form_names[form];
}

const char *ref_fate_name(enum ref_fate fate)
{
	return fate_names[fate];
}

static int fate_of_nothing(struct simulation *sim, struct error *err)
{
	return fate_set(sim, FATE_NO_DEVICE, err, "%s",
			sim->name->reason ? _(sim->name->reason)
					  : _("it is no name of a disk of this host"));
}

/* Names by order of discovery: what they mean today says nothing about tomorrow. */
static int fate_of_kernel_name(struct simulation *sim, struct error *err)
{
	AUTO_FREE char *device = NULL;
	int r;

	fate_look_up(sim);
	if (!sim->ret->n_before)
		return fate_set(sim, FATE_KERNEL_NAME, err,
				_("it means no device today and may be any after the work"));
	r = fate_of_presence(sim, err);
	if (r < 0 || sim->ret->fate != FATE_SAME)
		return r;
	sim->ret->after = NULL;
	device = fate_device(sim->ret->before[0]);
	return fate_set(sim, FATE_KERNEL_NAME, err,
			_("it is %s today and may be any other after the work"), device);
}

/*
 * A link that is none of udev's own: a volume is found by its metadata, a
 * link to a disk by a rule of this host, which may go by disk or by port.
 */
static int fate_of_other(struct simulation *sim, struct error *err)
{
	const struct block *device;
	int r;

	fate_look_up(sim);
	if (!sim->ret->n_before) {
		if (sim->name->own)
			sim->ret->form = REF_MAPPER;
		else
			return fate_of_nothing(sim, err);
		return fate_of_presence(sim, err);
	}
	device = sim->ret->before[0];
	if (device->dm_name)
		sim->ret->form = REF_MAPPER;
	r = fate_of_presence(sim, err);
	if (r < 0 || sim->ret->fate != FATE_SAME || !device->disk || !block_is_disk(device->disk) ||
	    !work_touches_device(sim->work, device))
		return r;
	return fate_set(sim, FATE_UNKNOWN, err,
			_("%s is made by a rule of this host; whether it follows the disk or its "
			  "port is not known"),
			sim->name->path);
}

static int fate_of_link(struct simulation *sim, struct error *err)
{
	fate_look_up(sim);
	return fate_of_presence(sim, err);
}

/* "/dev/md/127" is the number again. */
static int fate_of_md_name(struct simulation *sim, struct error *err)
{
	const char *name = sim->name->path + strlen(PATH_DEV_MD "/");

	if (name[strspn(name, "0123456789")] != '\0')
		return fate_of_link(sim, err);
	sim->ret->form = REF_MD_NUMBER;
	return fate_of_md_number(sim, err);
}

static const struct {
	enum ref_form form;
	int (*judge)(struct simulation *sim, struct error *err);
} judges[] = {
	{ REF_NOT_A_DEVICE, fate_of_nothing },
	{ REF_TAG, fate_of_tag },
	{ REF_KERNEL_NAME, fate_of_kernel_name },
	{ REF_BY_PATH, fate_of_by_path },
	{ REF_BY_ID, fate_of_by_id },
	{ REF_MAPPER, fate_of_link },
	{ REF_DM_NUMBER, fate_of_kernel_name },
	{ REF_MD_NAME, fate_of_md_name },
	{ REF_MD_NUMBER, fate_of_md_number },
	{ REF_OTHER, fate_of_other },
};

static void note_touched(struct simulation *sim)
{
	struct ref *ref = sim->ret;

	for (size_t i = 0; i < ref->n_before && i < ELEMENTS(ref->before); i++)
		if (work_touches_device(sim->work, ref->before[i]))
			ref->touched = true;
}

int ref_resolve(struct facts *facts, const struct work *work, const char *spec, struct ref *ret,
		struct error *err)
{
	struct ref_name name;
	struct simulation sim = { .facts = facts, .work = work, .name = &name, .ret = ret };
	int r;

	*ret = (struct ref){ 0 };
	r = facts_blocks(facts, &sim.blocks, err);
	if (r < 0)
		return r;
	r = ref_name_parse(spec, &name, err);
	if (r < 0)
		return r;
	ret->form = name.form;
	for (size_t i = 0; i < ELEMENTS(judges); i++)
		if (judges[i].form == name.form)
			r = judges[i].judge(&sim, err);
	note_touched(&sim);
	ref_name_done(&name);
	if (r < 0)
		ref_done(ret);
	return r;
}

bool ref_at_stake(const struct work *work, const struct ref *ref)
{
	const struct block *disks[64], *device = ref->before[0];
	size_t n;

	if (!ref->touched || !ref->n_before)
		return false;
	if (!device->disk || strncmp(device->disk->name, "md", 2) != 0)
		return true;
	n = blocks_disks_of(work->blocks, device, disks, ELEMENTS(disks));
	for (size_t i = 0; i < n && i < ELEMENTS(disks); i++)
		if (!work_touches(work, disks[i]))
			return false;
	return true;
}

void ref_done(struct ref *ref)
{
	free(ref->why);
	*ref = (struct ref){ 0 };
}

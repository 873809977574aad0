/* SPDX-License-Identifier: MIT */
/* What a runbook's `when:` may ask about a host. */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "probe/facts.h"
#include "probe/paths.h"
#include "probe/unit.h"

static int there(struct facts *facts, const char *path, bool *ret, struct error *err)
{
	int r = host_exists(facts_host(facts), path, err);

	if (r < 0)
		return r;
	*ret = r == 1;
	return 0;
}

/* A capture without any sysfs tells nothing of the firmware. */
static int has_efi(struct facts *facts, bool *ret, struct error *err)
{
	bool sysfs = false;
	int r = there(facts, PATH_EFI, ret, err);

	if (r == 0 && !*ret)
		r = there(facts, PATH_SYS, &sysfs, err);
	if (r < 0 || *ret || sysfs)
		return r;
	return error_set(err, -ENODATA, "there is no " PATH_SYS " to tell how the host boots");
}

static int has_systemd(struct facts *facts, bool *ret, struct error *err)
{
	int r = there(facts, PATH_SYSTEMD_RUN, ret, err);

	if (r < 0 || *ret || host_is_live(facts_host(facts)))
		return r;
	r = there(facts, PATH_SYSTEMD_ETC, ret, err);
	if (r < 0 || *ret)
		return r;
	r = error_set(err, -ENODATA, "the capture does not tell whether systemd runs");
	error_hint(err, "add the directory " PATH_SYSTEMD_RUN " to the capture if it does");
	return r;
}

static int has_bus(struct facts *facts, enum bus bus, bool *ret, struct error *err)
{
	const struct blocks *blocks;
	int r = facts_blocks(facts, &blocks, err);

	*ret = false;
	for (size_t i = 0; r == 0 && i < blocks->n; i++)
		*ret |= blocks->items[i]->bus == bus && block_is_disk(blocks->items[i]);
	return r;
}

static int has_nvme(struct facts *facts, bool *ret, struct error *err)
{
	return has_bus(facts, BUS_NVME, ret, err);
}

static int has_usb_disk(struct facts *facts, bool *ret, struct error *err)
{
	return has_bus(facts, BUS_USB, ret, err);
}

/* A controller without a disk counts: a disk may be moved to it. */
static int has_sata(struct facts *facts, bool *ret, struct error *err)
{
	AUTO_STRV char **ports = NULL;
	int r = has_bus(facts, BUS_ATA, ret, err);

	if (r < 0 || *ret)
		return r;
	r = host_list(facts_host(facts), PATH_CLASS_ATA_PORT, &ports, err);
	if (r == -ENOENT) {
		error_done(err);
		return 0;
	}
	*ret = r == 0 && ports && *ports;
	return r;
}

static int has_name(struct facts *facts, const char *prefix, bool *ret, struct error *err)
{
	const struct blocks *blocks;
	int r = facts_blocks(facts, &blocks, err);

	*ret = false;
	for (size_t i = 0; r == 0 && i < blocks->n; i++)
		*ret |= strncmp(blocks->items[i]->name, prefix, strlen(prefix)) == 0;
	return r;
}

static int has_md(struct facts *facts, bool *ret, struct error *err)
{
	return has_name(facts, "md", ret, err);
}

static int has_dm(struct facts *facts, bool *ret, struct error *err)
{
	return has_name(facts, "dm-", ret, err);
}

static int has_swap(struct facts *facts, bool *ret, struct error *err)
{
	const struct swaps *swaps;
	int r = facts_swaps(facts, &swaps, err);

	*ret = r == 0 && swaps->n > 0;
	return r;
}

/* k3s is there when its unit is known or its data lies where it belongs. */
static int has_k3s(struct facts *facts, bool *ret, struct error *err)
{
	struct unit unit = UNIT_INIT;
	int r = unit_load(facts_host(facts), "k3s.service", &unit, NULL);

	*ret = r == 0 && unit.found;
	unit_done(&unit);
	return *ret ? 0 : there(facts, PATH_K3S_DATA, ret, err);
}

static int is_live(struct facts *facts, bool *ret, struct error *err)
{
	(void)err;
	*ret = host_is_live(facts_host(facts));
	return 0;
}

static const struct fact_row rows[] = {
	{ "efi", N_("the host was booted by UEFI"), has_efi },
	{ "systemd", N_("systemd runs the host"), has_systemd },
	{ "sata", N_("the host has a SATA or PATA controller"), has_sata },
	{ "nvme", N_("the host has an NVMe disk"), has_nvme },
	{ "usb-disk", N_("a disk hangs on USB"), has_usb_disk },
	{ "md", N_("the host has an md RAID array"), has_md },
	{ "dm", N_("the host uses device mapper: LVM, LUKS, multipath"), has_dm },
	{ "swap", N_("swap is in use"), has_swap },
	{ "k3s", N_("k3s is installed, or its data directory is there"), has_k3s },
	{ "live", N_("the running system is looked at, not a capture"), is_live },
};

const struct fact_row *fact_at(size_t index)
{
	return index < ELEMENTS(rows) ? &rows[index] : NULL;
}

const struct fact_row *fact_find(const char *name)
{
	for (size_t i = 0; i < ELEMENTS(rows); i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

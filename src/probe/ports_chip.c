/* SPDX-License-Identifier: MIT */
/*
 * Chips that announce more ports than have a socket, and what drivers imply.
 *
 * A port without a socket answers like an empty one ("link down, SStatus 0"),
 * so only the mask or the chip's own id tells.  No AHCI function of a chipset
 * implements more than eight ports; a mask with more is that of an add-on
 * chip whose further ports lead nowhere, and its sockets are the run of ones
 * from bit 0 (ASM1064 0xffff0f: 4, ASM1166 0xffffff3f: 6).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "probe/ports_load.h"

#define SOCKETS_MAX 8

static const struct {
	unsigned vendor, device, sockets;
} known_chips[] = {
	{ 0x1b21, 0x0611, 2 }, /* ASMedia ASM1061 */
	{ 0x1b21, 0x0612, 2 }, /* ASM1062 */
	{ 0x1b21, 0x1064, 4 }, /* ASM1064 */
	{ 0x1b21, 0x1164, 4 }, /* ASM1164 */
	{ 0x1b21, 0x1165, 5 }, /* ASM1165 */
	{ 0x1b21, 0x1166, 6 }, /* ASM1166 */
	{ 0x1b4b, 0x9172, 2 }, /* Marvell 88SE9172: port 7 is its console */
	{ 0x1b4b, 0x9215, 4 }, /* 88SE9215 */
	{ 0x1b4b, 0x9230, 4 }, /* 88SE9230 */
	{ 0x1b4b, 0x9235, 4 }, /* 88SE9235 */
};

/* Virtual machines have ports without sockets, and nobody swaps their cables. */
#define VENDOR_VMWARE 0x15ad

/* The most that any chip of a driver can do, for those that do not announce it. */
static const struct {
	const char *driver;
	unsigned generation;
} driver_limits[] = {
	{ "ata_piix", 2 },     { "sata_inic162x", 2 }, { "sata_mv", 2 },  { "sata_nv", 2 },
	{ "sata_promise", 2 }, { "sata_qstor", 1 },    { "sata_sil", 1 }, { "sata_sil24", 2 },
	{ "sata_sis", 1 },     { "sata_svw", 1 },      { "sata_sx4", 1 }, { "sata_uli", 1 },
	{ "sata_via", 2 },     { "sata_vsc", 1 },
};

unsigned ports_driver_generation(const char *driver)
{
	for (size_t i = 0; driver != NULL && i < ELEMENTS(driver_limits); i++)
		if (strcmp(driver_limits[i].driver, driver) == 0)
			return driver_limits[i].generation;
	return 0;
}

/* 0 when the host does not tell, as for a platform device. */
static unsigned read_id(struct host *host, const char *devpath, const char *name)
{
	AUTO_FREE char *path = NULL, *text = NULL;
	uint64_t value;

	if (devpath == NULL || asprintf(&path, "%s/%s", devpath, name) < 0) {
		path = NULL;
		return 0;
	}
	if (host_read_line(host, path, &text, NULL) < 0 || parse_hex_u64(text, &value) < 0)
		return 0;
	return value <= 0xffff ? (unsigned)value : 0;
}

static unsigned count_ones(uint32_t mask)
{
	return (unsigned)__builtin_popcount(mask);
}

static unsigned ones_from_bit_0(uint32_t mask)
{
	return mask == UINT32_MAX ? 32 : (unsigned)__builtin_ctz(~mask);
}

void ports_judge_sockets(struct controller *controller, struct host *host)
{
	unsigned vendor = read_id(host, controller->devpath, "vendor");
	unsigned device = read_id(host, controller->devpath, "device");
	unsigned implemented = count_ones(controller->mask);

	if (!controller->mask_known || vendor == VENDOR_VMWARE)
		return;
	for (size_t i = 0; i < ELEMENTS(known_chips); i++)
		if (known_chips[i].vendor == vendor && known_chips[i].device == device) {
			controller->sockets = known_chips[i].sockets;
			controller->sockets_by_id = true;
		}
	if (!controller->sockets_by_id && implemented > SOCKETS_MAX)
		controller->sockets = ones_from_bit_0(controller->mask);
	controller->mask_phantom = controller->sockets > 0 && implemented > controller->sockets;
}

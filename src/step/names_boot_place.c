/* SPDX-License-Identifier: MIT */
/* Where a hardware path of the firmware leads: today, and after the work. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/intl.h"
#include "step/names_boot.h"

#define ESP_TYPE_GPT "c12a7328-f81f-11d2-ba4b-00a0c93ec93b"
#define ESP_TYPE_MBR "0xef"

/* "0000:00:17.0" as device and function; false for any other component. */
static bool pci_component(const char *at, size_t len, unsigned *ret_device, unsigned *ret_function)
{
	unsigned domain, bus;
	char text[32];
	int used = 0;

	if (len >= sizeof(text))
		return false;
	memcpy(text, at, len);
	text[len] = '\0';
	return sscanf(text, "%x:%x:%x.%x%n", &domain, &bus, ret_device, ret_function, &used) == 4 &&
	       (size_t)used == len;
}

/* The root bridge of UID 0 is bus 0; which bus another one is the path does not tell. */
static bool root_matches(const struct efi_hardware *hardware, const char *component)
{
	unsigned domain, bus;

	if (sscanf(component, "pci%x:%x", &domain, &bus) != 2)
		return false;
	return (hardware->root == 0) == (domain == 0 && bus == 0);
}

/* Is it this chain of bridges, and does the device end it? */
static bool path_matches(const struct efi_hardware *hardware, const char *devpath)
{
	const char *at = strstr(devpath, "/pci");
	size_t n = 0;

	if (!at || !root_matches(hardware, at + 1))
		return false;
	for (at = strchr(at + 1, '/'); at; at = strchr(at, '/')) {
		unsigned device, function;

		at++;
		if (!pci_component(at, strcspn(at, "/"), &device, &function))
			break;
		if (n == hardware->n_pci || hardware->pci[n].device != device ||
		    hardware->pci[n].function != function)
			return false;
		n++;
	}
	return n == hardware->n_pci;
}

static const char *controller_address(const struct boot_check *check,
				      const struct efi_hardware *hardware)
{
	for (size_t i = 0; check->map && i < check->map->n; i++) {
		const struct controller *controller = &check->map->controllers[i];

		if (controller->devpath && path_matches(hardware, controller->devpath))
			return controller->address;
	}
	for (size_t i = 0; i < check->blocks->n; i++) {
		const struct block *block = check->blocks->items[i];

		if (block->bus == BUS_ATA && block->place.controller && block->devpath &&
		    path_matches(hardware, block->devpath))
			return block->place.controller;
	}
	return NULL;
}

/*
 * Firmware writes 0xffff, or 0, for a disk without a port multiplier.  0x8000
 * is a mistake of an old tool: the firmware compares bytes.
 */
static bool multiplier_matches(unsigned pmp, int place)
{
	if (place < 0)
		return pmp == EFI_SATA_DIRECT || pmp == 0;
	return pmp == (unsigned)place;
}

static bool sits_at(const struct efi_hardware *hardware, const char *address,
		    const struct place_after *place)
{
	return place->present && place->bus == BUS_ATA && place->controller &&
	       strcmp(place->controller, address) == 0 && place->port == (int)hardware->port &&
	       multiplier_matches(hardware->pmp, place->pmp);
}

static struct place_after place_now(const struct block *disk)
{
	return (struct place_after){ .present = true,
				     .bus = disk->bus,
				     .controller = disk->place.controller,
				     .port = disk->place.port,
				     .pmp = disk->place.pmp,
				     .device = disk->place.device };
}

static int find_sata(struct boot_check *check, const struct efi_hardware *hardware,
		     struct entry_place *ret, struct error *err)
{
	const char *address = controller_address(check, hardware);

	if (!address)
		return 0;
	ret->known = true;
	if (asprintf(&ret->port, _("port %u of %s"), hardware->port, address) < 0) {
		ret->port = NULL;
		return error_oom(err);
	}
	for (size_t i = 0; i < check->blocks->n; i++) {
		const struct block *disk = check->blocks->items[i];
		struct place_after now, after;

		if (!block_is_disk(disk))
			continue;
		now = place_now(disk);
		work_place_after(check->step->work, disk, &after);
		if (sits_at(hardware, address, &now))
			ret->now = disk;
		if (sits_at(hardware, address, &after))
			ret->after = disk;
	}
	return 0;
}

/* NVMe, virtio: the function of the bus is the disk. */
static void find_function(struct boot_check *check, const struct efi_hardware *hardware,
			  struct entry_place *ret)
{
	for (size_t i = 0; i < check->blocks->n; i++) {
		const struct block *disk = check->blocks->items[i];

		if (!block_is_disk(disk) || disk->bus == BUS_ATA || !disk->devpath ||
		    !path_matches(hardware, disk->devpath))
			continue;
		ret->known = true;
		ret->now = disk;
		ret->after = disk_changes_place(check, disk) ? NULL : disk;
		return;
	}
}

int entry_place_find(struct boot_check *check, const struct efi_entry *entry,
		     struct entry_place *ret, struct error *err)
{
	const struct efi_hardware *hardware = &entry->hardware;

	*ret = (struct entry_place){ 0 };
	if (hardware->opaque || !hardware->n_pci)
		return 0;
	if (hardware->bus == EFI_BUS_SATA)
		return find_sata(check, hardware, ret, err);
	if (hardware->bus == EFI_BUS_NVME || hardware->bus == EFI_BUS_NONE)
		find_function(check, hardware, ret);
	return 0;
}

void entry_place_done(struct entry_place *place)
{
	free(place->port);
	place->port = NULL;
}

static bool is_esp(const struct block *block)
{
	return block->part_type && (strcasecmp(block->part_type, ESP_TYPE_GPT) == 0 ||
				    strcasecmp(block->part_type, ESP_TYPE_MBR) == 0);
}

const struct block *entry_partition_on(const struct boot_check *check,
				       const struct efi_entry *entry, const struct block *disk)
{
	for (size_t i = 0; disk && i < check->blocks->n; i++) {
		const struct block *block = check->blocks->items[i];

		if (block->disk != disk || !block->partition)
			continue;
		if (entry->part_uuid ? block->part_uuid &&
					       strcasecmp(block->part_uuid, entry->part_uuid) == 0
				     : is_esp(block))
			return block;
	}
	return NULL;
}

bool disk_is_taken_out(const struct boot_check *check, const struct block *disk)
{
	struct place_after after;

	work_place_after(check->step->work, disk, &after);
	return !after.present;
}

bool disk_changes_place(const struct boot_check *check, const struct block *disk)
{
	struct place_after after;

	work_place_after(check->step->work, disk, &after);
	return after.moved || !after.present;
}

/* SPDX-License-Identifier: MIT */
/* Bus and place of a device, from its path in sysfs. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "probe/block_load.h"

static const struct {
	enum bus bus;
	const char *name;
	const char *words;
} bus_table[] = {
	{ BUS_UNKNOWN, "unknown", "an unknown place" },
	{ BUS_ATA, "ata", "SATA" },
	{ BUS_NVME, "nvme", "NVMe" },
	{ BUS_USB, "usb", "USB" },
	{ BUS_SCSI, "scsi", "SAS or SCSI" },
	{ BUS_VIRTIO, "virtio", "virtio" },
	{ BUS_MMC, "mmc", "MMC" },
	{ BUS_VIRTUAL, "virtual", "other devices" },
};

const char *bus_name(enum bus bus)
{
	return (size_t)bus < ELEMENTS(bus_table) ? bus_table[bus].name : "unknown";
}

/* "0000:00:1f.2"; behind Intel VMD the domain has five digits. */
static bool is_pci_address(const char *text)
{
	unsigned domain, bus, slot, function;
	int end = 0;

	if (!isxdigit((unsigned char)*text))
		return false;
	return sscanf(text, "%8x:%2x:%2x.%1x%n", &domain, &bus, &slot, &function, &end) == 4 &&
	       text[end] == '\0' && strlen(text) >= 12;
}

/* The number of "PREFIXn", or -1. */
static int numbered(const char *text, const char *prefix)
{
	size_t len = strlen(prefix);
	unsigned n;

	if (strncmp(text, prefix, len) != 0 || parse_unsigned(text + len, &n) < 0 || n > 1u << 24)
		return -1;
	return (int)n;
}

static int split(const char *path, char ***ret)
{
	AUTO_STRV char **parts = NULL;
	AUTO_FREE char *copy = strdup(path);
	char *rest = copy, *part;

	if (!copy)
		return -ENOMEM;
	while ((part = strsep(&rest, "/")))
		if (*part && strv_add(&parts, part) < 0)
			return -ENOMEM;
	*ret = TAKE(parts);
	return 0;
}

static int set_controller(struct block *block, const char *name)
{
	free(block->place.controller);
	block->place.controller = strdup(name);
	return block->place.controller ? 0 : -ENOMEM;
}

/* port_no counts from 1, ports of a controller from 0. */
static int ata_port_index(struct host *host, unsigned ata)
{
	char path[sizeof(PATH_CLASS_ATA_PORT) + 32];
	AUTO_FREE char *line = NULL;
	unsigned number;

	snprintf(path, sizeof(path), PATH_CLASS_ATA_PORT "/ata%u/port_no", ata);
	if (host_read_line(host, path, &line, NULL) < 0 || parse_unsigned(line, &number) < 0 ||
	    number < 1 || number > 1024)
		return -1;
	return (int)number - 1;
}

static bool has_fan_out_link(struct host *host, unsigned ata, unsigned channel)
{
	char path[sizeof(PATH_CLASS_ATA_LINK) + 48];

	snprintf(path, sizeof(path), PATH_CLASS_ATA_LINK "/link%u.%u", ata, channel);
	return host_exists(host, path, NULL) == 1;
}

/*
 * libata gives a disk behind a port multiplier the SCSI address H:PORT:0:0,
 * the second device of a direct link H:0:1:0 (PATA, ata_piix).
 */
static void ata_target(struct host *host, struct place *place, const char *address)
{
	unsigned scsi_host, channel, id, lun;

	if (sscanf(address, "%u:%u:%u:%u", &scsi_host, &channel, &id, &lun) != 4 || channel > 15)
		return;
	if (has_fan_out_link(host, place->ata, channel))
		place->pmp = (int)channel;
	else
		place->device = id == 1;
}

static int ata_place(struct host *host, struct block *block, char **parts, size_t at)
{
	struct place *place = &block->place;

	block->bus = BUS_ATA;
	place->ata = (unsigned)numbered(parts[at], "ata");
	place->port = ata_port_index(host, place->ata);
	for (size_t i = at + 1; parts[i]; i++)
		ata_target(host, place, parts[i]);
	return at > 0 ? set_controller(block, parts[at - 1]) : 0;
}

static enum bus bus_of_part(const char *part)
{
	if (numbered(part, "usb") >= 0)
		return BUS_USB;
	if (numbered(part, "virtio") >= 0 || strncmp(part, "vbd-", 4) == 0)
		return BUS_VIRTIO;
	if (strcmp(part, "mmc_host") == 0)
		return BUS_MMC;
	if (strcmp(part, "nvme") == 0 || strcmp(part, "nvme-subsystem") == 0)
		return BUS_NVME;
	return BUS_UNKNOWN;
}

/* A namespace with several controllers is not below one of them; take the first. */
static int nvme_multipath(struct host *host, struct block *block)
{
	AUTO_STRV char **names = NULL;
	AUTO_FREE char *directory = strdup(block->devpath);
	char *slash = directory ? strrchr(directory, '/') : NULL;

	if (!slash)
		return directory ? 0 : -ENOMEM;
	*slash = '\0';
	if (host_list(host, directory, &names, NULL) < 0)
		return 0;
	for (char **name = names; name && *name; name++) {
		AUTO_BUF path = BUF_INIT;
		AUTO_FREE char *real = NULL;
		AUTO_STRV char **parts = NULL;

		if (numbered(*name, "nvme") < 0)
			continue;
		if (buf_addf(&path, "%s/%s", directory, *name) < 0)
			return -ENOMEM;
		if (host_realpath(host, buf_text(&path), &real, NULL) < 0)
			continue;
		if (split(real, &parts) < 0)
			return -ENOMEM;
		for (size_t i = 0; parts && parts[i]; i++)
			if (is_pci_address(parts[i]) && set_controller(block, parts[i]) < 0)
				return -ENOMEM;
		return 0;
	}
	return 0;
}

static int place_by_parts(struct host *host, struct block *block, char **parts)
{
	for (size_t i = 0; parts[i]; i++) {
		enum bus bus = bus_of_part(parts[i]);

		/* A host adapter of SAS shows an ataN of its own below an end device. */
		if (numbered(parts[i], "ata") > 0 && parts[i + 1] &&
		    numbered(parts[i + 1], "host") >= 0 && block->bus == BUS_UNKNOWN)
			return ata_place(host, block, parts, i);
		if (bus != BUS_UNKNOWN && block->bus == BUS_UNKNOWN)
			block->bus = bus;
		if (is_pci_address(parts[i]) && set_controller(block, parts[i]) < 0)
			return -ENOMEM;
		/* virtio-scsi is SCSI to everything that names a disk. */
		if ((block->bus == BUS_UNKNOWN || block->bus == BUS_VIRTIO) &&
		    strncmp(parts[i], "target", 6) == 0)
			block->bus = BUS_SCSI;
	}
	if (block->bus == BUS_NVME && !block->place.controller)
		return nvme_multipath(host, block);
	return 0;
}

int block_place(struct host *host, struct block *block, struct error *err)
{
	AUTO_STRV char **parts = NULL;

	block->place = (struct place){ .port = -1, .pmp = -1 };
	if (block->disk != block)
		return 0; /* is where its disk is */
	if (split(block->devpath, &parts) < 0)
		return error_oom(err);
	if (parts && place_by_parts(host, block, parts) < 0)
		return error_oom(err);
	if (block->bus == BUS_UNKNOWN && strstr(block->devpath, "/virtual/"))
		block->bus = BUS_VIRTUAL;
	return 0;
}

int place_describe(const struct block *disk, char **ret)
{
	const struct place *place = &disk->place;
	const char *controller = place->controller ? place->controller : "an unknown controller";
	AUTO_BUF text = BUF_INIT;

	if (disk->bus != BUS_ATA)
		buf_adds(&text,
			 bus_table[(size_t)disk->bus < ELEMENTS(bus_table) ? disk->bus : 0].words);
	else if (place->port >= 0)
		buf_addf(&text, "port %d of %s", place->port, controller);
	else
		buf_addf(&text, "ata%u of %s", place->ata, controller);
	if (place->pmp >= 0)
		buf_addf(&text, ", multiplier port %d", place->pmp);
	if (place->device > 0)
		buf_addf(&text, ", device %d", place->device);
	*ret = buf_take(&text);
	return *ret ? 0 : -ENOMEM;
}

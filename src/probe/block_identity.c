/* SPDX-License-Identifier: MIT */
/* Who a disk is: model, serial, WWN, and the key that outlives a change of ports. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "probe/block_load.h"

#define VPD_MAX 512

/* Blanks, zeros and separators alone name nothing: bridges and virtual disks report such. */
static bool is_blank_identity(const char *text)
{
	return text[strspn(text, "0 \t.-_:xX")] == '\0';
}

static int take_identity(char **to, char **from)
{
	if (!*to && *from && !is_blank_identity(*from))
		*to = TAKE(*from);
	return 0;
}

static int from_udev(char **to, const struct udev_entry *udev, const char *name)
{
	AUTO_FREE char *value = NULL;

	if (*to)
		return 0;
	if (udev_decode(udev_get(udev, name), &value) < 0)
		return -ENOMEM;
	return take_identity(to, &value);
}

static int from_sysfs(char **to, struct host *host, const struct block *block, const char *name)
{
	AUTO_FREE char *value = NULL;

	if (*to)
		return 0;
	if (block_attribute(host, block, name, &value) < 0)
		return -ENOMEM;
	return take_identity(to, &value);
}

/* Unit Serial Number page of SCSI: four bytes of header, then the text. */
static int from_vpd(char **to, struct host *host, const struct block *block)
{
	AUTO_BUF path = BUF_INIT, page = BUF_INIT;
	AUTO_FREE char *raw = NULL, *value = NULL;
	int r;

	if (*to)
		return 0;
	if (buf_addf(&path, "%s/device/vpd_pg80", block->devpath) < 0)
		return -ENOMEM;
	r = host_read(host, buf_text(&path), VPD_MAX, &page, NULL);
	if (r == -ENOMEM)
		return r;
	if (r < 0 || page.len <= 4)
		return 0;
	raw = strndup(page.data + 4, page.len - 4);
	if (!raw || udev_decode(raw, &value) < 0)
		return -ENOMEM;
	return take_identity(to, &value);
}

/*
 * wwid: "naa.5000c5..." and "eui.0025..." are world-wide names; "t10...." is
 * vendor, model and serial in one.  udev writes NAA and SCSI's EUI as "0x...".
 */
static int wwn_from_wwid(struct host *host, struct block *block)
{
	AUTO_FREE char *wwid = NULL;
	int r = 0;

	if (block->wwn)
		return 0;
	r = block_attribute(host, block, block->bus == BUS_NVME ? "wwid" : "device/wwid", &wwid);
	if (r < 0 || !wwid)
		return r;
	if (block->bus == BUS_NVME) {
		if (strncmp(wwid, "eui.", 4) == 0 || strncmp(wwid, "uuid.", 5) == 0)
			return take_identity(&block->wwn, &wwid);
		return 0;
	}
	if (strncmp(wwid, "naa.", 4) != 0 && strncmp(wwid, "eui.", 4) != 0)
		return 0;
	if (is_blank_identity(wwid + 4))
		return 0;
	return asprintf(&block->wwn, "0x%s", wwid + 4) < 0 ? -ENOMEM : 0;
}

static int find_serial(struct host *host, struct block *block, const struct udev_entry *udev)
{
	int r;

	/* A SCSI disk's ID_SERIAL_SHORT is its WWN. */
	r = from_udev(&block->serial, udev, "ID_SCSI_SERIAL");
	if (r == 0)
		r = from_udev(&block->serial, udev, "ID_SERIAL_SHORT");
	if (r == 0 && block->bus != BUS_ATA)
		r = from_udev(&block->serial, udev, "ID_SERIAL");
	if (r == 0)
		r = from_sysfs(&block->serial, host, block, "device/serial"); /* NVMe, MMC */
	if (r == 0)
		r = from_sysfs(&block->serial, host, block, "serial"); /* virtio */
	return r == 0 ? from_vpd(&block->serial, host, block) : r;
}

static int find_model(struct host *host, struct block *block, const struct udev_entry *udev)
{
	int r = from_udev(&block->model, udev, "ID_MODEL_ENC");

	if (r == 0)
		r = from_udev(&block->model, udev, "ID_MODEL");
	if (r == 0)
		r = from_sysfs(&block->model, host, block, "device/model");
	return r == 0 && block->bus == BUS_MMC
		       ? from_sysfs(&block->model, host, block, "device/name")
		       : r;
}

/* "MODEL_SERIAL" as udev writes ID_SERIAL: what by-id names carry after the bus. */
static int make_key(struct block *block)
{
	AUTO_BUF key = BUF_INIT;

	if (block->wwn) {
		block->key = strdup(block->wwn);
		return block->key ? 0 : -ENOMEM;
	}
	if (!block->serial)
		return 0;
	for (const char *p = block->model; p && *p; p++)
		if (!isspace((unsigned char)*p))
			buf_addc(&key, *p);
		else if (!isspace((unsigned char)p[1]))
			buf_addc(&key, '_');
	if (key.len > 0)
		buf_addc(&key, '_');
	buf_adds(&key, block->serial);
	block->key = buf_take(&key);
	return block->key ? 0 : -ENOMEM;
}

static bool is_optical(struct host *host, const struct block *block, const struct udev_entry *udev)
{
	unsigned number;

	if (same_text(udev_get(udev, "ID_TYPE"), "cd") || udev_get(udev, "ID_CDROM"))
		return true;
	if (strncmp(block->name, "sr", 2) == 0 && parse_unsigned(block->name + 2, &number) == 0)
		return true;
	return block_number(host, block, "device/type", 0) == 5; /* SCSI's CD-ROM device */
}

/* Word 76 of IDENTIFY DEVICE: bits 1, 2, 3 = 1.5, 3.0, 6.0 Gb/s; 0 and ffff = not told. */
static unsigned generation_of_word(unsigned word)
{
	if (word == 0 || word == 0xffff)
		return 0;
	return word & 8 ? 3 : word & 4 ? 2 : word & 2 ? 1 : 0;
}

/*
 * udev tells only generations 1 and 2, so that a drive of 6.0 Gb/s and one
 * of 3.0 look alike there; the drive's own IDENTIFY data tells them apart.
 */
static unsigned max_generation(struct host *host, const struct block *block)
{
	char path[sizeof(PATH_CLASS_ATA_DEVICE) + 64];
	AUTO_BUF text = BUF_INIT;
	unsigned word = 0;
	const char *p;

	if (block->bus != BUS_ATA)
		return 0;
	if (block->place.pmp >= 0)
		snprintf(path, sizeof(path), PATH_CLASS_ATA_DEVICE "/dev%u.%d.0/id",
			 block->place.ata, block->place.pmp);
	else
		snprintf(path, sizeof(path), PATH_CLASS_ATA_DEVICE "/dev%u.%d/id", block->place.ata,
			 block->place.device);
	if (host_read(host, path, 4096, &text, NULL) < 0)
		return 0;
	p = buf_text(&text);
	for (unsigned i = 0; i <= 76; i++) {
		int used = 0;

		if (sscanf(p, "%4x%n", &word, &used) != 1)
			return 0;
		p += used;
	}
	return generation_of_word(word);
}

int block_identity(struct host *host, struct block *block, const struct udev_entry *udev,
		   struct error *err)
{
	int r;

	block->optical = is_optical(host, block, udev);
	r = find_model(host, block, udev);
	if (r == 0)
		r = find_serial(host, block, udev);
	if (r == 0)
		r = from_udev(&block->wwn, udev, "ID_WWN_WITH_EXTENSION");
	if (r == 0)
		r = from_udev(&block->wwn, udev, "ID_WWN");
	if (r == 0)
		r = wwn_from_wwid(host, block);
	/* What is made of other devices is known by what it is made of. */
	if (r == 0 && block->bus != BUS_VIRTUAL)
		r = make_key(block);
	if (r < 0)
		return error_oom(err);
	block->max_generation = max_generation(host, block);
	return 0;
}

void blocks_mark_shared_keys(struct blocks *blocks)
{
	for (size_t i = 0; i < blocks->n; i++)
		for (size_t k = i + 1; k < blocks->n; k++)
			if (same_text(blocks->items[i]->key, blocks->items[k]->key)) {
				blocks->items[i]->key_shared = true;
				blocks->items[k]->key_shared = true;
			}
}

size_t blocks_alike(const struct blocks *blocks, const struct block *disk, const struct block **ret,
		    size_t max)
{
	size_t n = 0;

	if (disk->key && !disk->key_shared)
		return 0;
	for (size_t i = 0; i < blocks->n; i++) {
		const struct block *other = blocks->items[i];
		bool alike = disk->key ? same_text(other->key, disk->key)
				       : !other->key && other->bus == disk->bus;

		if (other == disk || !block_is_disk(other) || !alike)
			continue;
		if (n < max)
			ret[n] = other;
		n++;
	}
	return n;
}

/* "MODEL (SERIAL)", with as much as the host tells. */
int block_describe(const struct block *disk, char **ret)
{
	const char *mark = disk->serial ? disk->serial : disk->wwn;
	AUTO_BUF text = BUF_INIT;

	if (disk->model && mark && !disk->key_shared)
		buf_addf(&text, "%s (%s)", disk->model, mark);
	else if (disk->model)
		buf_addf(&text, "%s (%s%s%s)", disk->model, mark ? mark : "", mark ? ", " : "",
			 disk->name);
	else if (mark)
		buf_addf(&text, "%s (%s)", disk->name, mark);
	else
		buf_adds(&text, disk->name);
	*ret = buf_take(&text);
	return *ret ? 0 : -ENOMEM;
}

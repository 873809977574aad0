/* SPDX-License-Identifier: MIT */
#include "probe/efi_path.h"

#include <stdio.h>
#include <string.h>

#define NODE_HEADER 4
#define PNP_PCI_ROOT 0x0a0341d0u
#define PNP_PCIE_ROOT 0x0a0841d0u
#define NODES_MAX 64

struct node {
	uint8_t type, subtype;
	const uint8_t *data; /* behind the header */
	size_t len;
};

struct walk {
	struct efi_entry *entry;
	bool past; /* the hardware part is over */
	bool hardware, media, bbs, network, firmware, file;
};

/* Only what stands before a partition leads to a device. */
static void lose_track(struct walk *walk)
{
	if (!walk->media)
		walk->entry->hardware.opaque = true;
}

size_t efi_path_size(const uint8_t *bytes, size_t len)
{
	for (size_t at = 0, n = 0; at + NODE_HEADER <= len && n < NODES_MAX; n++) {
		size_t size = le16(bytes + at + 2);
		bool end = bytes[at] == EFIDP_END_TYPE;

		if (size < NODE_HEADER || size > len - at || (end && size != NODE_HEADER))
			return 0;
		at += size;
		if (end && bytes[at - NODE_HEADER + 1] == EFIDP_END_ENTIRE)
			return at;
	}
	return 0;
}

int efi_text(const uint8_t *ucs2, size_t len, struct buf *ret)
{
	for (size_t i = 0; i + 1 < len; i += 2) {
		unsigned c = le16(ucs2 + i);

		if (c == 0)
			break;
		if (c >= 0xd800 && c < 0xe000)
			c = 0xfffd;
		if (c < 0x80) {
			buf_addc(ret, (char)c);
		} else if (c < 0x800) {
			buf_addc(ret, (char)(0xc0 | c >> 6));
			buf_addc(ret, (char)(0x80 | (c & 0x3f)));
		} else {
			buf_addc(ret, (char)(0xe0 | c >> 12));
			buf_addc(ret, (char)(0x80 | (c >> 6 & 0x3f)));
			buf_addc(ret, (char)(0x80 | (c & 0x3f)));
		}
	}
	return buf_error(ret);
}

/* The first three fields are little-endian, the rest is bytes. */
static void add_guid(const uint8_t *at, struct buf *ret)
{
	buf_addf(ret, "%08x-%04x-%04x-%02x%02x-%02x%02x%02x%02x%02x%02x", le32(at), le16(at + 4),
		 le16(at + 6), at[8], at[9], at[10], at[11], at[12], at[13], at[14], at[15]);
}

static void add_hex(const uint8_t *at, size_t len, struct buf *ret)
{
	for (size_t i = 0; i < len; i++)
		buf_addf(ret, "%02x", at[i]);
}

static void take_pci(struct walk *walk, const struct node *node, struct buf *text)
{
	struct efi_hardware *hardware = &walk->entry->hardware;

	if (hardware->n_pci < EFI_PCI_MAX) {
		hardware->pci[hardware->n_pci].function = node->data[0];
		hardware->pci[hardware->n_pci++].device = node->data[1];
	} else {
		lose_track(walk);
	}
	buf_addf(text, "Pci(0x%x,0x%x)", node->data[1], node->data[0]);
}

static void take_root(struct walk *walk, uint32_t hid, uint32_t uid, struct buf *text)
{
	if (hid != PNP_PCI_ROOT && hid != PNP_PCIE_ROOT) {
		lose_track(walk);
		buf_addf(text, "Acpi(0x%x,0x%x)", hid, uid);
		return;
	}
	walk->entry->hardware.root = uid;
	buf_addf(text, "%sRoot(0x%x)", hid == PNP_PCI_ROOT ? "Pci" : "Pcie", uid);
}

static void take_acpi(struct walk *walk, const struct node *node, struct buf *text)
{
	take_root(walk, le32(node->data), le32(node->data + 4), text);
}

/* HID, UID, CID: a root bridge may say so by its compatible id alone. */
static void take_acpi_extended(struct walk *walk, const struct node *node, struct buf *text)
{
	uint32_t hid = le32(node->data), cid = le32(node->data + 8);

	take_root(walk, cid == PNP_PCI_ROOT ? cid : hid, le32(node->data + 4), text);
}

static void take_sata(struct walk *walk, const struct node *node, struct buf *text)
{
	struct efi_hardware *hardware = &walk->entry->hardware;

	hardware->bus = EFI_BUS_SATA;
	hardware->port = le16(node->data);
	hardware->pmp = le16(node->data + 2);
	hardware->lun = le16(node->data + 4);
	buf_addf(text, "Sata(%u,%u,%u)", hardware->port, hardware->pmp, hardware->lun);
}

static void take_nvme(struct walk *walk, const struct node *node, struct buf *text)
{
	walk->entry->hardware.bus = EFI_BUS_NVME;
	buf_addf(text, "NVMe(0x%x,", le32(node->data));
	for (int i = 7; i >= 0; i--)
		buf_addf(text, "%02X%s", node->data[4 + i], i ? "-" : ")");
}

static void take_usb(struct walk *walk, const struct node *node, struct buf *text)
{
	walk->entry->hardware.bus = EFI_BUS_USB;
	buf_addf(text, "USB(%u,%u)", node->data[0], node->data[1]);
}

static void take_scsi(struct walk *walk, const struct node *node, struct buf *text)
{
	walk->entry->hardware.bus = EFI_BUS_OTHER;
	buf_addf(text, "Scsi(%u,%u)", le16(node->data), le16(node->data + 2));
}

static void take_mac(struct walk *walk, const struct node *node, struct buf *text)
{
	walk->network = true;
	buf_adds(text, "MAC(");
	add_hex(node->data, 6, text);
	buf_addf(text, ",%u)", node->data[32]);
}

static void take_ip(struct walk *walk, const struct node *node, struct buf *text)
{
	walk->network = true;
	buf_adds(text, node->subtype == EFIDP_MSG_IPv4 ? "IPv4()" : "IPv6()");
}

static void take_uri(struct walk *walk, const struct node *node, struct buf *text)
{
	walk->network = true;
	buf_adds(text, "Uri(");
	for (size_t i = 0; i < node->len && node->data[i]; i++)
		buf_addc(text, (char)node->data[i]);
	buf_addc(text, ')');
}

static const char *const bbs_types[] = {
	[1] = "Floppy", "HD", "CDROM", "PCMCIA", "USB", "Network"
};

static void take_bbs(struct walk *walk, const struct node *node, struct buf *text)
{
	unsigned type = le16(node->data);

	walk->bbs = true;
	if (type > 0 && type < ELEMENTS(bbs_types))
		buf_addf(text, "BBS(%s,", bbs_types[type]);
	else
		buf_addf(text, "BBS(0x%x,", type);
	for (size_t i = 4; i < node->len && node->data[i]; i++)
		buf_addc(text, (char)node->data[i]);
	buf_addf(text, ",0x%x)", le16(node->data + 2));
}

static void take_hd(struct walk *walk, const struct node *node, struct buf *text)
{
	struct efi_entry *entry = walk->entry;
	const uint8_t *at = node->data, *signature = at + 20;
	uint8_t type = at[37];
	AUTO_BUF uuid = BUF_INIT;

	walk->media = true;
	if (entry->partition)
		return;
	entry->partition = le32(at);
	entry->start = le64(at + 4);
	entry->size = le64(at + 12);
	if (type == 2)
		add_guid(signature, &uuid);
	else if (type == 1)
		buf_addf(&uuid, "%08x-%02x", le32(signature), entry->partition);
	buf_addf(text, "HD(%u,%s,%s%.*s,0x%jx,0x%jx)", entry->partition,
		 type == 2   ? "GPT"
		 : type == 1 ? "MBR"
			     : "0",
		 type == 1 ? "0x" : "", type == 1 ? 8 : 36, buf_text(&uuid),
		 (uintmax_t)entry->start, (uintmax_t)entry->size);
	if (type == 1 || type == 2) {
		free(entry->part_uuid);
		entry->part_uuid = buf_take(&uuid);
	}
}

static void take_cdrom(struct walk *walk, const struct node *node, struct buf *text)
{
	lose_track(walk);
	buf_addf(text, "CDROM(0x%x)", le32(node->data));
}

static void take_file(struct walk *walk, const struct node *node, struct buf *text)
{
	AUTO_BUF name = BUF_INIT;

	walk->file = true;
	efi_text(node->data, node->len, &name);
	buf_addf(text, "File(%s)", buf_text(&name));
	free(walk->entry->file);
	walk->entry->file = buf_take(&name);
}

static void take_firmware(struct walk *walk, const struct node *node, struct buf *text)
{
	walk->firmware = true;
	buf_adds(text, node->subtype == EFIDP_MEDIA_FIRMWARE_FILE ? "FvFile(" : "FvVol(");
	add_guid(node->data, text);
	buf_addc(text, ')');
}

/* A vendor's node, and what this program does not know: shown, and no way to a device. */
static void take_any(struct walk *walk, const struct node *node, struct buf *text)
{
	lose_track(walk);
	buf_addf(text, "Path(%u,%u,", node->type, node->subtype);
	add_hex(node->data, node->len < 64 ? node->len : 64, text);
	buf_addc(text, ')');
}

static void take_vendor(struct walk *walk, const struct node *node, struct buf *text)
{
	static const char *const names[] = { [EFIDP_HARDWARE_TYPE] = "VenHw",
					     [EFIDP_MESSAGE_TYPE] = "VenMsg",
					     [EFIDP_MEDIA_TYPE] = "VenMedia" };

	lose_track(walk);
	buf_addf(text, "%s(", names[node->type]);
	add_guid(node->data, text);
	if (node->len > 16)
		buf_addc(text, ',');
	add_hex(node->data + 16, node->len < 80 ? node->len - 16 : 64, text);
	buf_addc(text, ')');
}

static const struct row {
	uint8_t type, subtype;
	size_t min; /* bytes behind the header */
	void (*take)(struct walk *walk, const struct node *node, struct buf *text);
} rows[] = {
	{ EFIDP_HARDWARE_TYPE, EFIDP_HW_PCI, 2, take_pci },
	{ EFIDP_HARDWARE_TYPE, EFIDP_HW_VENDOR, 16, take_vendor },
	{ EFIDP_ACPI_TYPE, EFIDP_ACPI_HID, 8, take_acpi },
	{ EFIDP_ACPI_TYPE, EFIDP_ACPI_HID_EX, 12, take_acpi_extended },
	{ EFIDP_MESSAGE_TYPE, EFIDP_MSG_SATA, 6, take_sata },
	{ EFIDP_MESSAGE_TYPE, EFIDP_MSG_NVME, 12, take_nvme },
	{ EFIDP_MESSAGE_TYPE, EFIDP_MSG_USB, 2, take_usb },
	{ EFIDP_MESSAGE_TYPE, EFIDP_MSG_SCSI, 4, take_scsi },
	{ EFIDP_MESSAGE_TYPE, EFIDP_MSG_MAC_ADDR, 33, take_mac },
	{ EFIDP_MESSAGE_TYPE, EFIDP_MSG_IPv4, 0, take_ip },
	{ EFIDP_MESSAGE_TYPE, EFIDP_MSG_IPv6, 0, take_ip },
	{ EFIDP_MESSAGE_TYPE, EFIDP_MSG_URI, 0, take_uri },
	{ EFIDP_MESSAGE_TYPE, EFIDP_MSG_VENDOR, 16, take_vendor },
	{ EFIDP_MEDIA_TYPE, EFIDP_MEDIA_HD, 38, take_hd },
	{ EFIDP_MEDIA_TYPE, EFIDP_MEDIA_CDROM, 4, take_cdrom },
	{ EFIDP_MEDIA_TYPE, EFIDP_MEDIA_VENDOR, 16, take_vendor },
	{ EFIDP_MEDIA_TYPE, EFIDP_MEDIA_FILE, 0, take_file },
	{ EFIDP_MEDIA_TYPE, EFIDP_MEDIA_FIRMWARE_FILE, 16, take_firmware },
	{ EFIDP_MEDIA_TYPE, EFIDP_MEDIA_FIRMWARE_VOLUME, 16, take_firmware },
	{ EFIDP_BIOS_BOOT_TYPE, EFIDP_BIOS_BOOT, 4, take_bbs },
};

static void take(struct walk *walk, const struct node *node, struct buf *text)
{
	for (size_t i = 0; i < ELEMENTS(rows); i++)
		if (rows[i].type == node->type && rows[i].subtype == node->subtype &&
		    node->len >= rows[i].min) {
			rows[i].take(walk, node, text);
			return;
		}
	take_any(walk, node, text);
}

static enum efi_form form_of(const struct walk *walk)
{
	if (walk->bbs)
		return EFI_BBS;
	if (walk->network)
		return EFI_NETWORK;
	if (walk->firmware)
		return EFI_FIRMWARE;
	if (walk->media)
		return walk->hardware ? EFI_FULL : EFI_PARTITION;
	if (walk->hardware)
		return EFI_DEVICE;
	return walk->file ? EFI_FILE : EFI_OTHER;
}

/* Text of a node that stands before any partition, file or BBS device is hardware. */
static int keep_hardware(struct walk *walk, const struct node *node, const struct buf *text,
			 struct error *err)
{
	bool hardware = node->type == EFIDP_HARDWARE_TYPE || node->type == EFIDP_ACPI_TYPE ||
			node->type == EFIDP_MESSAGE_TYPE;

	if (hardware || walk->past)
		return 0;
	walk->past = true;
	walk->hardware = text->len > 0;
	if (!walk->hardware)
		return 0;
	walk->entry->hardware_text = strdup(buf_text(text));
	return walk->entry->hardware_text ? 0 : error_oom(err);
}

int efi_path_read(const_efidp path, struct efi_entry *entry, struct error *err)
{
	struct walk walk = { .entry = entry };
	AUTO_BUF text = BUF_INIT;
	int more = 1;

	for (; more > 0; more = efidp_next_node(path, &path)) {
		struct node node = { .type = efidp_type(path), .subtype = efidp_subtype(path) };

		if (keep_hardware(&walk, &node, &text, err) < 0)
			return -ENOMEM;
		/* another instance of the path is another way to the same thing */
		if (node.type == EFIDP_END_TYPE)
			break;
		node.data = (const uint8_t *)path + NODE_HEADER;
		node.len = (size_t)efidp_node_size(path) - NODE_HEADER;
		if (text.len)
			buf_addc(&text, '/');
		take(&walk, &node, &text);
	}
	if (buf_error(&text) < 0)
		return error_oom(err);
	entry->form = form_of(&walk);
	entry->path = buf_take(&text);
	return entry->path ? 0 : error_oom(err);
}

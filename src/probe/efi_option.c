/* SPDX-License-Identifier: MIT */
/* One EFI load option: attributes, description, device path, and what follows. */
#include <errno.h>
#include <string.h>

#include <efiboot.h>

#include "probe/efi_path.h"

#define OPTION_HEADER 6
#define ACTIVE 0x1u

/* What firmware appends to entries that it made itself: EDK2's GUID; AMI's marks. */
static const struct {
	const char *bytes;
	size_t len;
	bool prefix;
} marks[] = {
	{ "\xbe\xac\x08\x81\x11\x9f\x59\x4d\x85\x0e\xe2\x1a\x52\x2c\x59\xb2", 16, false },
	{ "\x00\x00\x42\x4f", 4, false },
	{ "\x00\x00GO\x00\x00NO", 8, true },
};

static int malformed(struct error *err, const char *what)
{
	return error_set(err, -EBADMSG, "%s", what);
}

/* Bytes of the description with its NUL; 0 = it does not end. */
static size_t description_size(const uint8_t *at, size_t len)
{
	for (size_t i = 0; i + 1 < len; i += 2)
		if (le16(at + i) == 0)
			return i + 2;
	return 0;
}

static bool is_firmware_made(const uint8_t *data, size_t len)
{
	for (size_t i = 0; i < ELEMENTS(marks); i++)
		if ((marks[i].prefix ? len >= marks[i].len : len == marks[i].len) &&
		    memcmp(data, marks[i].bytes, marks[i].len) == 0)
			return true;
	return false;
}

/* A command line for what is started: UCS-2, all of it text, with a parameter in it. */
static int take_args(const uint8_t *data, size_t len, struct efi_entry *entry, struct error *err)
{
	AUTO_BUF text = BUF_INIT;
	bool parameter = false;

	for (size_t i = 0; i + 1 < len; i += 2) {
		unsigned c = le16(data + i);

		if (c == 0 && i + 2 >= len - 1)
			break;
		if (c < 0x20 || c > 0x7e)
			return 0;
		parameter |= c == '=';
	}
	if (!parameter)
		return 0;
	if (efi_text(data, len, &text) < 0)
		return error_oom(err);
	entry->args = buf_take(&text);
	return entry->args ? 0 : error_oom(err);
}

static int take_description(efi_load_option *option, size_t len, struct efi_entry *entry,
			    struct error *err)
{
	/* the library's own storage, gone with the next call */
	const unsigned char *text = efi_loadopt_desc(option, (ssize_t)len);

	entry->description = strdup(text ? (const char *)text : "");
	return entry->description ? 0 : error_oom(err);
}

/*
 * The option with its first path alone: libefiboot loops for ever over an end
 * node without a length, which may stand in a second path.
 */
static int read_first(uint8_t *bytes, size_t name, size_t path, struct efi_entry *entry,
		      struct error *err)
{
	efi_load_option *option = (efi_load_option *)bytes;
	size_t len = OPTION_HEADER + name + path;
	const_efidp nodes;
	int r;

	bytes[4] = (uint8_t)path;
	bytes[5] = (uint8_t)(path >> 8);
	nodes = efi_loadopt_is_valid(option, len) ? efi_loadopt_path(option, (ssize_t)len) : NULL;
	if (!nodes || efi_loadopt_pathlen(option, (ssize_t)len) != path ||
	    !efidp_is_valid(nodes, (ssize_t)path))
		return malformed(err, "it is no load option");
	entry->active = efi_loadopt_attrs(option) & ACTIVE;
	r = take_description(option, len, entry, err);
	return r < 0 ? r : efi_path_read(nodes, entry, err);
}

static int parse_copy(uint8_t *bytes, size_t len, struct efi_entry *entry, struct error *err)
{
	size_t name, list, first;
	const uint8_t *optional;
	int r;

	if (len < OPTION_HEADER)
		return malformed(err, "it is shorter than a load option");
	name = description_size(bytes + OPTION_HEADER, len - OPTION_HEADER);
	if (!name)
		return malformed(err, "its description does not end");
	list = le16(bytes + 4);
	if (list > len - OPTION_HEADER - name)
		return malformed(err, "its device path is longer than the variable");
	first = efi_path_size(bytes + OPTION_HEADER + name, list);
	if (!first)
		return malformed(err, "its device path does not end");
	optional = bytes + OPTION_HEADER + name + list;
	entry->firmware_made = is_firmware_made(optional, (size_t)(bytes + len - optional));
	r = take_args(optional, (size_t)(bytes + len - optional), entry, err);
	return r < 0 ? r : read_first(bytes, name, first, entry, err);
}

int efi_option_parse(const void *bytes, size_t len, struct efi_entry *entry, struct error *err)
{
	AUTO_FREE uint8_t *copy = malloc(len ? len : 1);
	int r;

	if (!copy)
		return error_oom(err);
	memcpy(copy, bytes, len);
	r = parse_copy(copy, len, entry, err);
	if (r == -EBADMSG)
		efi_error_clear();
	return r;
}

void efi_entry_done(struct efi_entry *entry)
{
	free(entry->source);
	free(entry->text);
	free(entry->why);
	free(entry->description);
	free(entry->path);
	free(entry->hardware_text);
	free(entry->part_uuid);
	free(entry->file);
	free(entry->args);
	*entry = (struct efi_entry){ 0 };
}

/* SPDX-License-Identifier: MIT */
/* Boot variables written by libefivar and libefiboot themselves into a capture. */
#ifndef COLDSWAP_TESTS_EFI_MADE_H
#define COLDSWAP_TESTS_EFI_MADE_H

#include <efiboot.h>
#include <efivar.h>
#include <stdint.h>
#include <stdlib.h>

#include "tree.h"

#define EFI_MADE_GUID "8be4df61-93ca-11d2-aa0d-00e098032b8c"
#define EFI_MADE_PATH(name) "/sys/firmware/efi/efivars/" name "-" EFI_MADE_GUID
#define EFI_ACTIVE 1u

struct made_path {
	uint8_t bytes[1024];
	ssize_t len;
};

static inline void made(struct made_path *path, ssize_t added)
{
	if (added < 0)
		abort();
	path->len += added;
}
#define MADE_AT(path) (path)->bytes + (path)->len, (ssize_t)sizeof((path)->bytes) - (path)->len

static inline void made_pci(struct made_path *path, uint8_t device, uint8_t function)
{
	if (!path->len)
		made(path, efidp_make_acpi_hid(MADE_AT(path), EFIDP_ACPI_PCI_ROOT_HID, 0));
	made(path, efidp_make_pci(MADE_AT(path), device, function));
}

static inline void made_sata(struct made_path *path, uint16_t port, int16_t pmp)
{
	made(path, efidp_make_sata(MADE_AT(path), port, pmp, 0));
}

static inline void made_gpt(struct made_path *path, uint32_t number, const char *uuid)
{
	efi_guid_t guid;

	if (efi_str_to_guid(uuid, &guid) < 0)
		abort();
	made(path, efidp_make_hd(MADE_AT(path), number, 2048, 1048576, (uint8_t *)&guid,
				 EFIDP_HD_FORMAT_GPT, EFIDP_HD_SIGNATURE_GUID));
}

static inline void made_file(struct made_path *path, const char *name)
{
	AUTO_FREE char *copy = strdup(name);

	made(path, efidp_make_file(MADE_AT(path), copy));
}

/* A variable's file: its attributes, then its value. */
static inline void made_variable(const struct tree *tree, const char *name, const void *value,
				 size_t len)
{
	static const uint8_t attributes[4] = { 7 };
	char path[512], file[128];
	FILE *stream;

	snprintf(file, sizeof(file), "sys/firmware/efi/efivars/%s-%s", name, EFI_MADE_GUID);
	tree_path(tree, file, path);
	stream = fopen(path, "w");
	if (!stream || fwrite(attributes, 4, 1, stream) != 1 ||
	    (len && fwrite(value, len, 1, stream) != 1) || fclose(stream) != 0)
		abort();
}

static inline void made_entry(const struct tree *tree, const char *name, uint32_t attributes,
			      const char *description, struct made_path *path)
{
	AUTO_FREE unsigned char *copy = (unsigned char *)strdup(description);
	uint8_t option[2048];
	ssize_t len;

	made(path, efidp_make_generic(MADE_AT(path), EFIDP_END_TYPE, EFIDP_END_ENTIRE, 4));
	len = efi_loadopt_create(option, sizeof(option), attributes, (efidp)path->bytes, path->len,
				 copy, NULL, 0);
	if (len < 0)
		abort();
	made_variable(tree, name, option, (size_t)len);
}

static inline void made_numbers(const struct tree *tree, const char *name, const uint16_t *numbers,
				size_t n)
{
	made_variable(tree, name, numbers, n * sizeof(*numbers));
}
#define NUMBERS(tree, name, ...)                                                                   \
	made_numbers(tree, name, (const uint16_t[]){ __VA_ARGS__ },                                \
		     sizeof((const uint16_t[]){ __VA_ARGS__ }) / sizeof(uint16_t))

/* The usual entry: HD(...) and a file. */
static inline void made_short(const struct tree *tree, const char *name, const char *uuid)
{
	struct made_path path = { .len = 0 };

	made_gpt(&path, 1, uuid);
	made_file(&path, "\\EFI\\debian\\shimx64.efi");
	made_entry(tree, name, EFI_ACTIVE, "debian", &path);
}

/* The same with the hardware path before it. */
static inline void made_full(const struct tree *tree, const char *name, uint8_t device,
			     uint8_t function, uint16_t port, const char *uuid)
{
	struct made_path path = { .len = 0 };

	made_pci(&path, device, function);
	made_sata(&path, port, -1);
	if (uuid)
		made_gpt(&path, 1, uuid);
	made_file(&path, "\\EFI\\debian\\shimx64.efi");
	made_entry(tree, name, EFI_ACTIVE, "debian", &path);
}

#endif

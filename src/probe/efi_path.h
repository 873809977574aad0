/* SPDX-License-Identifier: MIT */
/* The nodes of an EFI device path: read into an entry, and shown as text. */
#ifndef COLDSWAP_PROBE_EFI_PATH_H
#define COLDSWAP_PROBE_EFI_PATH_H

#include <efivar.h>

#include "probe/efi.h"

/* Bytes of the first path with its end node; 0: it does not end inside `len`, or a node is not whole. */
size_t efi_path_size(const uint8_t *bytes, size_t len);

/* Fill form, path, partition, hardware and file.  The path is whole. */
int efi_path_read(const_efidp path, struct efi_entry *entry, struct error *err);

/* UCS-2 to UTF-8, to the first NUL or the end. */
int efi_text(const uint8_t *ucs2, size_t len, struct buf *ret);

static inline uint16_t le16(const uint8_t *at)
{
	return (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t le32(const uint8_t *at)
{
	return le16(at) | (uint32_t)le16(at + 2) << 16;
}

static inline uint64_t le64(const uint8_t *at)
{
	return le32(at) | (uint64_t)le32(at + 4) << 32;
}

#endif

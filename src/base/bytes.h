/* SPDX-License-Identifier: MIT */
/* Numbers of a file format, from bytes at any address. */
#ifndef COLDSWAP_BASE_BYTES_H
#define COLDSWAP_BASE_BYTES_H

#include <stdint.h>
#include <string.h>

static inline uint16_t bytes_be16(const uint8_t *at)
{
	return (uint16_t)(at[0] << 8 | at[1]);
}

static inline uint32_t bytes_be32(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static inline uint32_t bytes_le32(const uint8_t *at)
{
	return (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

/* In the byte order of this machine. */
static inline uint16_t bytes_host16(const uint8_t *at)
{
	uint16_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static inline uint32_t bytes_host32(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static inline uint64_t bytes_host64(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

#endif

/* SPDX-License-Identifier: MIT */
/* A buffer as struct bytes_at, for the parsers of database files. */
#ifndef COLDSWAP_TESTS_PROBE_BYTES_H
#define COLDSWAP_TESTS_PROBE_BYTES_H

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes_at.h"

struct bytes_buffer {
	uint8_t *bytes;
	uint64_t size;
	uint64_t bad; /* reading this offset fails; 0 = none does */
};

static inline int bytes_buffer_read(void *data, uint64_t offset, void *into, size_t len,
				    struct error *err)
{
	const struct bytes_buffer *buffer = data;

	if (offset > buffer->size || len > buffer->size - offset)
		return error_set(err, -ENODATA, "it ends early");
	if (buffer->bad && offset <= buffer->bad && buffer->bad < offset + len)
		return error_set(err, -EIO, "%s", strerror(EIO));
	memcpy(into, buffer->bytes + offset, len);
	return 0;
}

static inline struct bytes_at bytes_of_buffer(struct bytes_buffer *buffer)
{
	return (struct bytes_at){ buffer, buffer->size, "/srv/file", bytes_buffer_read };
}

#endif

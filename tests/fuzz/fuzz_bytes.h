/* SPDX-License-Identifier: MIT */
/* The bytes of an input as struct bytes_at: reading past them fails, as reading a file does. */
#ifndef COLDSWAP_TESTS_FUZZ_BYTES_H
#define COLDSWAP_TESTS_FUZZ_BYTES_H

#include <errno.h>
#include <string.h>

#include "base/bytes_at.h"
#include "fuzz.h"

struct fuzz_bytes {
	const uint8_t *data;
	size_t size;
};

static inline int fuzz_bytes_read(void *data, uint64_t offset, void *into, size_t len,
				  struct error *err)
{
	const struct fuzz_bytes *bytes = data;

	/* A parser that knows the size never asks for what is not there. */
	MUST(offset <= bytes->size && len <= bytes->size - offset);
	(void)err;
	if (len)
		memcpy(into, bytes->data + offset, len);
	return 0;
}

static inline struct bytes_at fuzz_bytes_at(struct fuzz_bytes *bytes)
{
	return (struct bytes_at){ bytes, bytes->size, "input", fuzz_bytes_read };
}

#endif

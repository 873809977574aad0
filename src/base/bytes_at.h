/* SPDX-License-Identifier: MIT */
/*
 * Bytes that are read by their place: a file behind a descriptor, a buffer.
 *
 * A database is parsed through the descriptor that holds its lease, because
 * opening the file a second time breaks that lease; what parses it is given
 * this, and never a path.
 */
#ifndef COLDSWAP_BASE_BYTES_AT_H
#define COLDSWAP_BASE_BYTES_AT_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

struct bytes_at {
	void *data;
	uint64_t size;
	const char *name; /* as errors say it: "/data/k3s/server/db/state.db" */
	/*
	 * All `len` bytes: 0; -ENODATA where the file ends before; else the errno
	 * of reading.  Its words need not name the file.
	 */
	int (*read)(void *data, uint64_t offset, void *into, size_t len, struct error *err);
};

static inline int bytes_read(const struct bytes_at *bytes, uint64_t offset, void *into, size_t len,
			     struct error *err)
{
	int r = bytes->read(bytes->data, offset, into, len, err);

	if (r < 0)
		error_wrap(err, "cannot read %s", bytes->name);
	return r;
}

#endif

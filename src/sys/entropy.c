/* SPDX-License-Identifier: MIT */
#include "sys/entropy.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

int entropy_bytes(void *ret, size_t len, struct error *err)
{
	/* Up to 256 bytes come whole, whatever signal comes. */
	if (len > 256)
		return error_set(err, -EINVAL, "%zu random bytes are too many at once", len);
	if (getrandom(ret, len, 0) != (ssize_t)len)
		return error_set(err, -errno, "the kernel gives no random bytes: %s",
				 strerror(errno));
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>

#include "sys/io.h"

#define CHUNK ((size_t)16 << 10)

static int append(int fd, size_t max, struct buf *ret)
{
	char chunk[CHUNK];
	size_t total = 0;
	ssize_t n;
	int r;

	for (;;) {
		n = read(fd, chunk, sizeof(chunk));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			return 0;
		total += (size_t)n;
		if (total > max)
			return -EFBIG;
		r = buf_add(ret, chunk, (size_t)n);
		if (r < 0)
			return r;
	}
}

int io_read_all(int fd, size_t max, struct buf *ret)
{
	size_t len = ret->len;
	int r = append(fd, max, ret);

	if (r < 0 && ret->data) {
		ret->len = len;
		ret->data[len] = '\0';
	}
	return r;
}

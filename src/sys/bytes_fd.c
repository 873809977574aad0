/* SPDX-License-Identifier: MIT */
#include "sys/bytes_fd.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/kind_of_file.h"

static int read_fd(void *data, uint64_t offset, void *into, size_t len, struct error *err)
{
	int fd = (int)(intptr_t)data;
	uint8_t *to = into;

	if (offset > INT64_MAX || len > INT64_MAX - offset)
		return error_set(err, -EOVERFLOW, "no file is that long");
	while (len > 0) {
		ssize_t n = pread(fd, to, len, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set(err, -errno, "%s", strerror(errno));
		if (n == 0)
			return error_set(err, -ENODATA, "it ends early");
		to += n;
		offset += (size_t)n;
		len -= (size_t)n;
	}
	return 0;
}

int bytes_of_fd(int fd, const char *name, struct bytes_at *ret, struct error *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return error_set(err, -errno, "cannot look at %s: %s", name, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return error_set(err, -EINVAL, "%s is %s, not a regular file", name,
				 kind_of_file(st.st_mode));
	*ret = (struct bytes_at){ .data = (void *)(intptr_t)fd,
				  .size = (uint64_t)st.st_size,
				  .name = name,
				  .read = read_fd };
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include "sys/bytes_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/kind_of_file.h"

struct bytes_file {
	int fd;
	char *path;
	struct bytes_at at;
};

static int read_at(void *data, uint64_t offset, void *into, size_t len, struct error *err)
{
	const struct bytes_file *file = data;
	char *to = into;

	while (len > 0) {
		ssize_t n = pread(file->fd, to, len, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set(err, -errno, "cannot read %s: %s", file->path,
					 strerror(errno));
		if (n == 0)
			return error_set(err, -ENODATA, "%s ends too early", file->path);
		to += n;
		offset += (uint64_t)n;
		len -= (size_t)n;
	}
	return 0;
}

static int open_quietly(const char *path)
{
	int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	int fd = open(path, flags | O_NOATIME);

	/* O_NOATIME is for the owner and for root. */
	return fd < 0 && errno == EPERM ? open(path, flags) : fd;
}

static int open_file(struct bytes_file *file, struct error *err)
{
	struct stat st;

	file->fd = open_quietly(file->path);
	if (file->fd < 0 && errno == ELOOP)
		return error_set(err, -EINVAL, "%s is a symbolic link, not a regular file",
				 file->path);
	if (file->fd < 0 || fstat(file->fd, &st) < 0)
		return error_set(err, -errno, "cannot open %s: %s", file->path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return error_set(err, -EINVAL, "%s is %s, not a regular file", file->path,
				 kind_of_file(st.st_mode));
	file->at = (struct bytes_at){ file, (uint64_t)st.st_size, file->path, read_at };
	return 0;
}

int bytes_file_open(const char *path, struct bytes_file **ret, struct error *err)
{
	CLEANUP(cleanup_bytes_file) struct bytes_file *file = calloc(1, sizeof(*file));
	int r;

	if (!file)
		return error_oom(err);
	file->fd = -1;
	file->path = strdup(path);
	if (!file->path)
		return error_oom(err);
	r = open_file(file, err);
	if (r == 0)
		*ret = TAKE(file);
	return r;
}

void bytes_file_free(struct bytes_file *file)
{
	if (!file)
		return;
	if (file->fd >= 0)
		close(file->fd);
	free(file->path);
	free(file);
}

const struct bytes_at *bytes_file_at(const struct bytes_file *file)
{
	return &file->at;
}

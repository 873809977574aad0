/* SPDX-License-Identifier: MIT */
#include "sys/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/io.h"

#define CHUNK ((size_t)1 << 20)

struct scratch {
	char *path;
	int fd;
};

static int cannot(const char *what, const char *path, int code, struct error *err)
{
	if (code == -ENOMEM)
		return error_oom(err);
	error_set(err, code, "cannot %s %s: %s", what, path, strerror(-code));
	if (code == -ENOSPC || code == -EDQUOT)
		error_hint(err, "make room for a second copy of the database there");
	return code;
}

int scratch_open(const char *parent, struct scratch **ret, struct error *err)
{
	CLEANUP(cleanup_scratch) struct scratch *scratch = calloc(1, sizeof(*scratch));
	AUTO_FREE char *path = NULL;

	if (!scratch)
		return error_oom(err);
	scratch->fd = -1;
	if (asprintf(&path, "%s/scratch.XXXXXX", parent) < 0) {
		path = NULL;
		return error_oom(err);
	}
	if (!mkdtemp(path))
		return cannot("make a directory in", parent, -errno, err);
	scratch->path = TAKE(path);
	scratch->fd = open(scratch->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (scratch->fd < 0)
		return cannot("open", scratch->path, -errno, err);
	*ret = TAKE(scratch);
	return 0;
}

/* What was made here, and what SQLite made beside it: files alone. */
static void empty(const struct scratch *scratch)
{
	int fd = openat(scratch->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	if (!list) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((entry = readdir(list)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			unlinkat(scratch->fd, entry->d_name, 0);
	closedir(list);
}

void scratch_free(struct scratch *scratch)
{
	if (!scratch)
		return;
	if (scratch->fd >= 0) {
		empty(scratch);
		close(scratch->fd);
	}
	if (scratch->path)
		rmdir(scratch->path);
	free(scratch->path);
	free(scratch);
}

const char *scratch_path(const struct scratch *scratch)
{
	return scratch->path;
}

static int write_at(int fd, uint64_t offset, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t n = pwrite(fd, bytes, len, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		bytes += n;
		offset += (uint64_t)n;
		len -= (size_t)n;
	}
	return 0;
}

/* One stretch of data, [from, end): 0 or a negative errno; a file that shrank is -ENODATA. */
static int copy_stretch(int in, int out, uint64_t from, uint64_t end, char *chunk,
			const volatile sig_atomic_t *cancelled)
{
	while (from < end) {
		size_t want = end - from < CHUNK ? (size_t)(end - from) : CHUNK;
		ssize_t n = pread(in, chunk, want, (off_t)from);
		int r;

		if (cancelled && *cancelled)
			return -ECANCELED;
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -ENODATA;
		r = write_at(out, from, chunk, (size_t)n);
		if (r < 0)
			return r;
		from += (uint64_t)n;
	}
	return 0;
}

static int copy_data(int in, int out, uint64_t size, const volatile sig_atomic_t *cancelled)
{
	AUTO_FREE char *chunk = malloc(CHUNK);
	uint64_t at = 0;
	int r = chunk ? 0 : -ENOMEM;

	if (r == 0 && ftruncate(out, (off_t)size) < 0)
		r = -errno;
	while (r == 0 && at < size) {
		off_t data = lseek(in, (off_t)at, SEEK_DATA);
		off_t hole = data < 0 ? -1 : lseek(in, data, SEEK_HOLE);

		if (data < 0 && errno == ENXIO)
			return 0; /* a hole up to the end */
		if (data < 0 || hole < 0) {
			data = (off_t)at; /* the filesystem cannot tell its holes */
			hole = (off_t)size;
		}
		r = copy_stretch(in, out, (uint64_t)data, (uint64_t)hole, chunk, cancelled);
		at = (uint64_t)hole;
	}
	return r;
}

int scratch_copy(struct scratch *scratch, const char *from, const char *name,
		 const volatile sig_atomic_t *cancelled, struct error *err)
{
	AUTO_FD in = open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	AUTO_FD out = -1;
	struct stat st;
	int r;

	if (in < 0 || fstat(in, &st) < 0)
		return cannot("open", from, -errno, err);
	if (!S_ISREG(st.st_mode))
		return error_set(err, -EINVAL, "%s is no regular file", from);
	out = openat(scratch->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (out < 0)
		return cannot("write to", scratch->path, -errno, err);
	if (ioctl(out, FICLONE, in) == 0)
		return 0;
	r = copy_data(in, out, (uint64_t)st.st_size, cancelled);
	return r < 0 ? cannot("make a scratch copy of", from, r, err) : 0;
}

int scratch_write_tail(struct scratch *scratch, const char *name, uint64_t offset,
		       const void *bytes, size_t len, struct error *err)
{
	AUTO_FD fd = openat(scratch->fd, name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	int r = fd < 0 ? -errno : write_at(fd, offset, bytes, len);

	if (r == 0 && ftruncate(fd, (off_t)(offset + len)) < 0)
		r = -errno;
	return r < 0 ? cannot("write to", scratch->path, r, err) : 0;
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sys/file.h"
#include "sys/io.h"
#include "sys/kind_of_file.h"
#include "sys/trust.h"

static int cannot(const char *path, int code, struct error *err)
{
	error_set(err, code, "cannot read %s: %s", path, strerror(-code));
	if (code == -ENOENT)
		error_hint(err, "check the name: there is no such file");
	else if (code == -EACCES || code == -EPERM)
		error_hint(err, "run as a user who may read it");
	else
		error_hint(err, "check the file with: stat %s", path);
	return code;
}

static int refuse(const char *path, const struct stat *st, size_t max, struct error *err)
{
	if (!S_ISREG(st->st_mode)) {
		error_set(err, -EINVAL, "%s is %s, not a regular file", path,
			  kind_of_file(st->st_mode));
		error_hint(err, "name a regular file");
		return -EINVAL;
	}
	error_set(err, -EFBIG, "%s is larger than %zu bytes", path, max);
	error_hint(err, "name a smaller file");
	return -EFBIG;
}

/*
 * First without the right to read, so that a FIFO does not block and a
 * device does nothing; what is then opened must be what was looked at.
 */
static int open_regular(const char *path, size_t max, struct stat *ret, struct error *err)
{
	AUTO_FD place = open(path, O_PATH | O_CLOEXEC);
	struct stat st;
	int fd;

	if (place < 0 || fstat(place, ret) < 0)
		return cannot(path, -errno, err);
	if (!S_ISREG(ret->st_mode) || (size_t)ret->st_size > max)
		return refuse(path, ret, max, err);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return cannot(path, -errno, err);
	if (fstat(fd, &st) == 0 && st.st_dev == ret->st_dev && st.st_ino == ret->st_ino)
		return fd;
	close(fd);
	return cannot(path, -ESTALE, err);
}

static int read_open(int fd, const char *path, const struct stat *st, size_t max, struct buf *ret,
		     struct error *err)
{
	int r = io_read_all(fd, max, ret);

	if (r == -ENOMEM)
		return error_oom(err);
	if (r == -EFBIG)
		return refuse(path, st, max, err);
	return r < 0 ? cannot(path, r, err) : 0;
}

int file_read(const char *path, size_t max, struct buf *ret, struct error *err)
{
	struct stat st;
	AUTO_FD fd = open_regular(path, max, &st, err);

	return fd < 0 ? fd : read_open(fd, path, &st, max, ret, err);
}

/* Where an open file really lies: what is looked at is what is read. */
static int trust_place(int fd, const char *path, const struct stat *st, struct error *err)
{
	AUTO_FREE char *real = NULL;
	char link[64];
	int r;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	real = realpath(link, NULL);
	if (!real)
		return cannot(path, -errno, err);
	r = trust_stat(path, st, err);
	return r < 0 ? r : trust_parents(real, err);
}

/* A link may be moved by whoever may write to its own directory. */
static int trust_link(const char *path, struct error *err)
{
	AUTO_FREE char *copy = strdup(path), *dir = NULL, *whole = NULL;
	char *slash = copy ? strrchr(copy, '/') : NULL;

	if (!copy)
		return error_oom(err);
	if (slash)
		slash[slash == copy] = '\0';
	dir = realpath(slash ? copy : ".", NULL);
	if (!dir)
		return cannot(path, -errno, err);
	if (asprintf(&whole, "%s/x", dir) < 0) {
		whole = NULL;
		return error_oom(err);
	}
	return trust_parents(whole, err);
}

int file_read_trusted(const char *path, size_t max, struct buf *ret, struct error *err)
{
	struct stat st;
	AUTO_FD fd = open_regular(path, max, &st, err);
	int r = fd < 0 ? fd : trust_place(fd, path, &st, err);

	if (r == 0)
		r = trust_link(path, err);
	return r < 0 ? r : read_open(fd, path, &st, max, ret, err);
}

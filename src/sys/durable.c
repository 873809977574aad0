/* SPDX-License-Identifier: MIT */
#include "sys/durable.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attr.h"

int durable_sync(int dir)
{
	if (fsync(dir) == 0)
		return 0;
	/* A descriptor of a directory that takes no fsync (some network filesystems). */
	return errno == EINVAL ? 0 : -errno;
}

static int write_all(int fd, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, bytes, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		bytes += n;
		len -= (size_t)n;
	}
	return 0;
}

/* A failed fsync(2) is not tried again: the kernel may have dropped the pages. */
static int fill(int dir, const char *name, const void *bytes, size_t len, mode_t mode)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	int r;

	if (fd < 0)
		return -errno;
	r = write_all(fd, bytes, len);
	if (r == 0 && (fchmod(fd, mode) < 0 || fsync(fd) < 0))
		r = -errno;
	if (close(fd) < 0 && r == 0)
		r = -errno;
	return r;
}

static int give_name(int dir, const char *from, const char *to, bool replace)
{
	if (replace)
		return renameat(dir, from, dir, to) < 0 ? -errno : 0;
	if (renameat2(dir, from, dir, to, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL)
		return -errno;
	/* A filesystem without that flag: a second name, then one less. */
	if (linkat(dir, from, dir, to, 0) < 0)
		return -errno;
	return unlinkat(dir, from, 0) < 0 ? -errno : 0;
}

int durable_write(int dir, const char *name, const void *bytes, size_t len, mode_t mode,
		  bool replace)
{
	AUTO_FREE char *apart = NULL;
	int r;

	if (asprintf(&apart, ".%s.new", name) < 0) {
		apart = NULL;
		return -ENOMEM;
	}
	/* Of an attempt that was cut off. */
	if (unlinkat(dir, apart, 0) < 0 && errno != ENOENT)
		return -errno;
	r = fill(dir, apart, bytes, len, mode);
	if (r == 0)
		r = give_name(dir, apart, name, replace);
	if (r < 0) {
		(void)unlinkat(dir, apart, 0);
		return r;
	}
	return durable_sync(dir);
}

int durable_mkdir(int dir, const char *name, mode_t mode, bool *ret_made)
{
	*ret_made = false;
	if (mkdirat(dir, name, mode) < 0)
		/* Made by an attempt that was cut off, perhaps, and then not synced yet. */
		return errno == EEXIST ? durable_sync(dir) : -errno;
	*ret_made = true;
	/* The mask of the process is for what it writes itself. */
	if (fchmodat(dir, name, mode, 0) < 0)
		return -errno;
	return durable_sync(dir);
}

int durable_unlink(int dir, const char *name, int flags)
{
	if (unlinkat(dir, name, flags) < 0 && errno != ENOENT)
		return -errno;
	return durable_sync(dir);
}

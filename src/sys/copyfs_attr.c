/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "sys/copyfs.h"

/* A link takes no descriptor that could be asked: it is named below its directory's. */
static int link_path(const struct copyfs_node *node, char **ret)
{
	if (asprintf(ret, "/proc/self/fd/%d/%s", node->dir, node->name) >= 0)
		return 0;
	*ret = NULL;
	return -ENOMEM;
}

/* `name` NULL: the list of names. */
static ssize_t ask(const struct copyfs_node *node, const char *path, const char *name, char *into,
		   size_t len)
{
	if (!name)
		return node->fd >= 0 ? flistxattr(node->fd, into, len)
				     : llistxattr(path, into, len);
	return node->fd >= 0 ? fgetxattr(node->fd, name, into, len)
			     : lgetxattr(path, name, into, len);
}

static int get(const struct copyfs_node *node, const char *name, struct buf *ret)
{
	AUTO_FREE char *path = NULL;
	int r = node->fd >= 0 ? 0 : link_path(node, &path);

	while (r == 0) {
		AUTO_FREE char *bytes = NULL;
		ssize_t n = ask(node, path, name, NULL, 0);

		if (n <= 0)
			return n < 0 ? -errno : 0;
		bytes = malloc((size_t)n);
		if (!bytes)
			return -ENOMEM;
		n = ask(node, path, name, bytes, (size_t)n);
		if (n >= 0)
			return buf_add(ret, bytes, (size_t)n);
		/* It has grown in between. */
		if (errno != ERANGE)
			return -errno;
	}
	return r;
}

int copyfs_xattr_list(const struct copyfs_node *node, struct buf *ret)
{
	return get(node, NULL, ret);
}

int copyfs_xattr_get(const struct copyfs_node *node, const char *name, struct buf *ret)
{
	return get(node, name, ret);
}

int copyfs_xattr_set(const struct copyfs_node *node, const char *name, const void *value,
		     size_t len)
{
	AUTO_FREE char *path = NULL;
	int r = node->fd >= 0 ? 0 : link_path(node, &path);

	if (r < 0)
		return r;
	r = node->fd >= 0 ? fsetxattr(node->fd, name, value, len, 0)
			  : lsetxattr(path, name, value, len, 0);
	return r < 0 ? -errno : 0;
}

int copyfs_xattr_remove(const struct copyfs_node *node, const char *name)
{
	AUTO_FREE char *path = NULL;
	int r = node->fd >= 0 ? 0 : link_path(node, &path);

	if (r < 0)
		return r;
	r = node->fd >= 0 ? fremovexattr(node->fd, name) : lremovexattr(path, name);
	return r < 0 ? -errno : 0;
}

void copyfs_read_past_cache(int fd, bool past)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags >= 0)
		(void)!fcntl(fd, F_SETFL, past ? flags | O_DIRECT : flags & ~O_DIRECT);
}

#define WINDOW ((uint64_t)64 << 20)

/* Bytes of [at, at + len) that the page cache holds. */
static int resident(int fd, uint64_t at, size_t len, uint64_t *ret)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (len + page - 1) / page, i;
	unsigned char vec[WINDOW / 4096];
	void *map = mmap(NULL, len, PROT_READ, MAP_SHARED, fd, (off_t)at);
	int r;

	if (map == MAP_FAILED)
		return -errno;
	r = mincore(map, len, vec) < 0 ? -errno : 0;
	munmap(map, len);
	for (i = 0; r == 0 && i < pages; i++)
		if (vec[i] & 1)
			*ret += (i + 1) * page > len ? len - i * page : page;
	return r;
}

static int all_resident(int fd, uint64_t size, uint64_t *ret)
{
	uint64_t at;
	int r = 0;

	*ret = 0;
	for (at = 0; r == 0 && at < size; at += WINDOW)
		r = resident(fd, at, (size_t)(size - at < WINDOW ? size - at : WINDOW), ret);
	return r;
}

int copyfs_drop_cache(int fd, uint64_t size, uint64_t *ret_resident)
{
	int tries, r = 0;

	*ret_resident = 0;
	if (!size)
		return 0;
	/* What is dirty cannot be dropped. */
	if (sync_file_range(fd, 0, 0,
			    SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
				    SYNC_FILE_RANGE_WAIT_AFTER) < 0 &&
	    errno != EINVAL && errno != ESPIPE && errno != ENOSYS)
		return -errno;
	/* A page that was just written may still lie in a list of a processor: once more. */
	for (tries = 0; tries < 3; tries++) {
		(void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		r = all_resident(fd, size, ret_resident);
		if (r < 0 || *ret_resident == 0)
			break;
	}
	/* A filesystem that cannot be mapped tells nothing: all of it may come from the cache. */
	if (r == -ENODEV || r == -EACCES || r == -EPERM) {
		*ret_resident = size;
		return 0;
	}
	return r;
}

/* SPDX-License-Identifier: MIT */
#include "sys/copyfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "sys/io.h"

static int open_how(int dir, const char *name, uint64_t flags, uint64_t resolve)
{
	struct open_how how = { .flags = flags | O_CLOEXEC | O_NOFOLLOW, .resolve = resolve };
	long fd = syscall(SYS_openat2, dir, name, &how, sizeof(how));

	/* Only its owner may leave a file's time of access alone. */
	if (fd < 0 && errno == EPERM && (flags & O_NOATIME)) {
		how.flags &= ~(uint64_t)O_NOATIME;
		fd = syscall(SYS_openat2, dir, name, &how, sizeof(how));
	}
	return fd < 0 ? -errno : (int)fd;
}

int copyfs_open_path(const char *path)
{
	return open_how(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_NOATIME, RESOLVE_NO_SYMLINKS);
}

int copyfs_open_dir(int dir, const char *name)
{
	return open_how(dir, name, O_RDONLY | O_DIRECTORY | O_NOATIME,
			RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV | RESOLVE_BENEATH);
}

/* 0 and the descriptor is what was meant, or it is closed again. */
static int regular(int fd)
{
	struct stat st;
	int r;

	if (fd < 0)
		return fd;
	r = fstat(fd, &st) < 0 ? -errno : S_ISREG(st.st_mode) ? 0 : -EINVAL;
	if (r == 0)
		return fd;
	close(fd);
	return r;
}

int copyfs_open_file(int dir, const char *name)
{
	struct stat st;

	/* A device may act when it is opened. */
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	return regular(open_how(dir, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOATIME,
				RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH));
}

int copyfs_open_again(int dir, const char *name)
{
	return regular(open_how(dir, name, O_RDWR | O_NONBLOCK | O_NOCTTY,
				RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV | RESOLVE_BENEATH));
}

int copyfs_create(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	return fd < 0 ? -errno : fd;
}

static struct timespec time_of(const struct statx_timestamp *time)
{
	struct timespec ret = { time->tv_sec, time->tv_nsec };

	return ret;
}

int copyfs_look(int dir, const char *name, struct stat *ret, bool *ret_mounted)
{
	struct statx x;

	if (statx(dir, name, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, STATX_BASIC_STATS, &x) < 0)
		return -errno;
	memset(ret, 0, sizeof(*ret));
	ret->st_dev = makedev(x.stx_dev_major, x.stx_dev_minor);
	ret->st_rdev = makedev(x.stx_rdev_major, x.stx_rdev_minor);
	ret->st_ino = x.stx_ino;
	ret->st_mode = x.stx_mode;
	ret->st_nlink = x.stx_nlink;
	ret->st_uid = x.stx_uid;
	ret->st_gid = x.stx_gid;
	ret->st_size = (off_t)x.stx_size;
	ret->st_blocks = (blkcnt_t)x.stx_blocks;
	ret->st_blksize = (blksize_t)x.stx_blksize;
	ret->st_atim = time_of(&x.stx_atime);
	ret->st_mtim = time_of(&x.stx_mtime);
	ret->st_ctim = time_of(&x.stx_ctime);
	*ret_mounted = (x.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) &&
		       (x.stx_attributes & STATX_ATTR_MOUNT_ROOT);
	return 0;
}

/* The directory of the last component, which *ret_name then is; a descriptor of its own. */
static int open_parent(int dir, const char *path, const char **ret_name)
{
	int fd = fcntl(dir, F_DUPFD_CLOEXEC, 3);

	for (;;) {
		char name[NAME_MAX + 1];
		size_t len;
		int next;

		path += strspn(path, "/");
		len = strcspn(path, "/");
		if (fd < 0 || !path[len])
			break;
		if (len > NAME_MAX) {
			close(fd);
			return -ENAMETOOLONG;
		}
		memcpy(name, path, len);
		name[len] = '\0';
		next = copyfs_open_dir(fd, name);
		close(fd);
		if (next < 0)
			return next;
		fd = next;
		path += len;
	}
	*ret_name = path;
	return fd < 0 ? -errno : fd;
}

int copyfs_look_deep(int dir, const char *path, struct stat *ret)
{
	const char *name;
	AUTO_FD fd = open_parent(dir, path, &name);

	if (fd < 0)
		return fd;
	return fstatat(fd, name, ret, AT_SYMLINK_NOFOLLOW) < 0 ? -errno : 0;
}

int copyfs_link(int top, const char *target_path, int dir, const char *name)
{
	const char *target;
	AUTO_FD fd = open_parent(top, target_path, &target);

	if (fd < 0)
		return fd;
	return linkat(fd, target, dir, name, 0) < 0 ? -errno : 0;
}

int copyfs_list_open(int fd, struct copyfs_list *ret)
{
	ret->fd = fd;
	ret->at = ret->len = 0;
	return lseek(fd, 0, SEEK_SET) < 0 ? -errno : 0;
}

int copyfs_list_next(struct copyfs_list *list, const char **ret)
{
	for (;;) {
		struct dirent64 *entry;

		if (list->at >= list->len) {
			ssize_t n = getdents64(list->fd, list->bytes, sizeof(list->bytes));

			if (n <= 0)
				return n < 0 ? -errno : 0;
			list->at = 0;
			list->len = (size_t)n;
		}
		entry = (struct dirent64 *)(void *)(list->bytes + list->at);
		list->at += entry->d_reclen;
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		*ret = entry->d_name;
		return 1;
	}
}

/* 1: something was removed; 0: the directory is empty. */
static int remove_first(int fd)
{
	struct copyfs_list list;
	const char *name;
	int r = copyfs_list_open(fd, &list);

	if (r == 0)
		r = copyfs_list_next(&list, &name);
	while (r > 0) {
		r = copyfs_remove(fd, name);
		if (r < 0)
			return r;
		r = copyfs_list_next(&list, &name);
		if (r == 0)
			return 1;
	}
	return r;
}

int copyfs_remove(int dir, const char *name)
{
	int r;

	if (unlinkat(dir, name, 0) == 0 || errno == ENOENT)
		return 0;
	if (errno != EISDIR && errno != EPERM)
		return -errno;
	{
		AUTO_FD fd = copyfs_open_dir(dir, name);

		if (fd < 0)
			return fd;
		/* A listing may skip names while others go: again until there are none. */
		do
			r = remove_first(fd);
		while (r > 0);
		if (r < 0)
			return r;
	}
	return unlinkat(dir, name, AT_REMOVEDIR) < 0 ? -errno : 0;
}

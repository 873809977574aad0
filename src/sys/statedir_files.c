/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/durable.h"
#include "sys/io.h"
#include "sys/statedir_fd.h"

#define CLEAR_DEPTH 64

/* A directory that is made and synced when it is missing. */
static int enter(int dir, const char *name, bool make)
{
	bool made;
	int fd, r = make ? durable_mkdir(dir, name, 0700, &made) : 0;

	if (r < 0)
		return r;
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* The directory that holds `name`, and its last component; no links, no "..". */
static int open_place(const struct statedir *dir, const char *name, bool make, char **ret_last)
{
	const char *at = name;
	int fd = fcntl(dir->fd, F_DUPFD_CLOEXEC, 3);

	if (fd < 0)
		return -errno;
	for (;;) {
		size_t len = strcspn(at, "/");
		AUTO_FREE char *part = strndup(at, len);
		int next;

		if (!part || !len || strcmp(part, ".") == 0 || strcmp(part, "..") == 0) {
			close(fd);
			return part ? -EINVAL : -ENOMEM;
		}
		if (!at[len]) {
			*ret_last = TAKE(part);
			return fd;
		}
		next = enter(fd, part, make);
		close(fd);
		if (next < 0)
			return next;
		fd = next;
		at += len + 1;
	}
}

int statedir_directory(const struct statedir *dir, const char *name, char **ret, struct error *err)
{
	AUTO_FREE char *path = NULL, *last = NULL;
	AUTO_FD place = open_place(dir, name, true, &last);
	AUTO_FD fd = place < 0 ? place : enter(place, last, true);

	if (asprintf(&path, "%s/%s", dir->path, name) < 0) {
		path = NULL;
		return error_oom(err);
	}
	if (fd < 0)
		return statedir_cannot("make", path, fd, err);
	*ret = TAKE(path);
	return 0;
}

int statedir_session(const struct statedir *dir, uint64_t number, char **ret, struct error *err)
{
	char name[24];

	snprintf(name, sizeof(name), "%llu", (unsigned long long)number);
	return statedir_directory(dir, name, ret, err);
}

/* All below a directory; takes `fd` over. */
static int clear(int fd, unsigned depth)
{
	DIR *list = depth > CLEAR_DEPTH ? NULL : fdopendir(fd);
	const struct dirent *entry;
	int r = 0;

	if (!list) {
		r = depth > CLEAR_DEPTH ? -ELOOP : -errno;
		close(fd);
		return r;
	}
	while (r == 0 && (entry = readdir(list))) {
		const char *name = entry->d_name;
		int below;

		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
			continue;
		if (unlinkat(fd, name, 0) == 0)
			continue;
		r = errno == EISDIR || errno == EPERM ? 0 : -errno;
		below = r < 0 ? r : enter(fd, name, false);
		r = below < 0 ? below : clear(below, depth + 1);
		if (r == 0 && unlinkat(fd, name, AT_REMOVEDIR) < 0)
			r = -errno;
	}
	closedir(list);
	return r;
}

int statedir_clear(const struct statedir *dir, const char *name, struct error *err)
{
	AUTO_FREE char *last = NULL;
	AUTO_FD place = open_place(dir, name, false, &last);
	int fd = place < 0 ? place : enter(place, last, false);
	int r = fd < 0 ? fd : clear(fd, 0);

	if (r == 0)
		r = durable_unlink(place, last, AT_REMOVEDIR);
	return r < 0 && r != -ENOENT ? statedir_cannot("remove", name, r, err) : 0;
}

int statedir_write(const struct statedir *dir, const char *name, const void *bytes, size_t len,
		   struct error *err)
{
	AUTO_FREE char *last = NULL;
	AUTO_FD place = open_place(dir, name, false, &last);
	int r = place < 0 ? place : durable_write(place, last, bytes, len, 0600, true);

	return r < 0 ? statedir_cannot("write", name, r, err) : 0;
}

static int open_regular(int place, const char *name)
{
	int fd = openat(place, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return errno == ELOOP ? -EINVAL : -errno;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	return -EINVAL;
}

int statedir_read(const struct statedir *dir, const char *name, size_t max, struct buf *ret,
		  struct error *err)
{
	AUTO_FREE char *last = NULL;
	AUTO_FD place = open_place(dir, name, false, &last);
	AUTO_FD fd = place < 0 ? place : open_regular(place, last);
	int r = fd < 0 ? fd : io_read_all(fd, max, ret);

	return r < 0 ? statedir_cannot("read", name, r, err) : 0;
}

int statedir_remove(const struct statedir *dir, const char *name, struct error *err)
{
	AUTO_FREE char *last = NULL;
	AUTO_FD place = open_place(dir, name, false, &last);
	int r = place < 0 ? place : durable_unlink(place, last, 0);

	return r < 0 && r != -ENOENT ? statedir_cannot("remove", name, r, err) : 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * The real path of a file inside the root, component by component.
 *
 * The kernel has already said by openat2(2) where a path leads; this finds
 * the name of that place.  /proc/self/fd would tell it too, but names it from
 * the real root: wrong once the capture is renamed, and not there without
 * /proc.  One component is opened at a time, never "..", so the walk cannot
 * leave the root either.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "sys/host_root.h"
#include "sys/record.h"

#define LINKS_MAX 40

struct walk {
	const struct host *host;
	char done[PATH_MAX]; /* resolved so far: "" or "/a/b" */
	char rest[PATH_MAX]; /* still to go */
	int fd;              /* of `done` */
	unsigned links;
};

static int enter(struct walk *walk, int fd)
{
	if (fd < 0)
		return fd;
	cleanup_fd(&walk->fd);
	walk->fd = fd;
	return 0;
}

static int back_to(struct walk *walk, size_t len)
{
	walk->done[len] = '\0';
	return enter(walk, host_openat(walk->host, len ? walk->done : "/", O_PATH | O_DIRECTORY));
}

/* Cut the first component off `rest`; false at the end. */
static bool next_component(struct walk *walk, char component[NAME_MAX + 1], int *ret_error)
{
	char *start = walk->rest + strspn(walk->rest, "/");
	size_t len = strcspn(start, "/");

	*ret_error = len > NAME_MAX ? -ENAMETOOLONG : 0;
	if (!len || *ret_error)
		return false;
	memcpy(component, start, len);
	component[len] = '\0';
	memmove(walk->rest, start + len, strlen(start + len) + 1);
	return true;
}

static int follow(struct walk *walk, const char *target, size_t len)
{
	size_t rest = strlen(walk->rest);

	if (++walk->links > LINKS_MAX)
		return -ELOOP;
	if (len + rest + 2 > sizeof(walk->rest))
		return -ENAMETOOLONG;
	memmove(walk->rest + len + 1, walk->rest, rest + 1);
	memcpy(walk->rest, target, len);
	walk->rest[len] = '/';
	return target[0] == '/' ? back_to(walk, 0) : 0;
}

static int descend(struct walk *walk, const char *component)
{
	size_t done = strlen(walk->done), len = strlen(component);
	int fd = openat(walk->fd, component, O_PATH | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (done + len + 2 > sizeof(walk->done)) {
		close(fd);
		return -ENAMETOOLONG;
	}
	walk->done[done] = '/';
	memcpy(walk->done + done + 1, component, len + 1);
	return enter(walk, fd);
}

static int take_component(struct walk *walk, const char *component)
{
	char target[PATH_MAX];
	const char *slash;
	ssize_t len;

	if (strcmp(component, ".") == 0)
		return 0;
	if (strcmp(component, "..") == 0) {
		slash = strrchr(walk->done, '/');
		return back_to(walk, slash ? (size_t)(slash - walk->done) : 0);
	}
	len = readlinkat(walk->fd, component, target, sizeof(target));
	if (len == (ssize_t)sizeof(target))
		return -ENAMETOOLONG;
	if (len >= 0)
		return len ? follow(walk, target, (size_t)len) : -ENOENT;
	return errno == EINVAL ? descend(walk, component) : -errno;
}

static int take_components(struct walk *walk)
{
	char component[NAME_MAX + 1];
	int r = back_to(walk, 0), end = 0;

	while (r == 0 && next_component(walk, component, &end))
		r = take_component(walk, component);
	return r < 0 ? r : end;
}

int host_walk(const struct host *host, const char *path, char **ret, struct stat *ret_stat)
{
	struct walk walk = { .host = host, .fd = -1 };
	int r;

	if (path[0] != '/')
		return -EINVAL;
	if (strlen(path) >= sizeof(walk.rest))
		return -ENAMETOOLONG;
	memcpy(walk.rest, path, strlen(path) + 1);
	r = take_components(&walk);
	if (r == 0 && ret_stat && fstat(walk.fd, ret_stat) < 0)
		r = -errno;
	cleanup_fd(&walk.fd);
	if (r < 0)
		return r;
	*ret = strdup(walk.done[0] ? walk.done : "/");
	return *ret ? 0 : -ENOMEM;
}

int host_realpath(struct host *host, const char *path, char **ret, struct error *err)
{
	AUTO_FREE char *real = NULL;
	struct stat seen, walked;
	AUTO_FD fd = host_look(host, path, 0, &seen, err);
	int r;

	host_note(host, path, TOUCH_REAL);
	if (fd < 0)
		return fd;
	r = host_walk(host, path, &real, &walked);
	if (r == 0 && (seen.st_dev != walked.st_dev || seen.st_ino != walked.st_ino))
		r = -ESTALE;
	if (r < 0)
		return host_cannot(host, path, r, err);
	*ret = TAKE(real);
	return 0;
}

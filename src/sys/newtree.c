/* SPDX-License-Identifier: MIT */
#include "sys/newtree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/io.h"
#include "sys/process.h"

struct newtree {
	char *dir, *partial;
	int fd;      /* of DIR.partial */
	char *last;  /* the directory that was written to last ... */
	int last_fd; /* ... and its descriptor */
	bool over;   /* an empty directory of that name stands there */
	bool whole;
};

static int cannot(const char *what, const char *path, int code, struct error *err)
{
	if (code == -ENOMEM)
		return error_oom(err);
	error_set(err, code, "cannot %s %s: %s", what, path, strerror(-code));
	if (code == -ENOSPC || code == -EDQUOT)
		error_hint(err, "make room, or give another directory");
	else if (code == -EROFS)
		error_hint(err, "give a directory on a filesystem that can be written");
	else if (code == -EACCES || code == -EPERM)
		error_hint(err, "give a directory that you may write to");
	else if (code == -ENOENT)
		error_hint(err, "make its parent directory first");
	return code;
}

static int refuse(const char *dir, int code, const char *why, struct error *err)
{
	error_set(err, code, "%s %s", dir, why);
	error_hint(err, "give a directory that does not exist yet, or an empty one");
	return code;
}

/* 1 empty, 0 not, or a negative errno. */
static int is_empty(int fd)
{
	int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const struct dirent *entry;
	DIR *list;
	int n = 0;

	if (copy < 0)
		return -errno;
	list = fdopendir(copy);
	if (!list) {
		close(copy);
		return -ENOMEM;
	}
	while (n <= 2 && (entry = readdir(list)))
		n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	closedir(list);
	return n == 0;
}

/* What stands at the name already must be an empty directory of one's own. */
static int look_at(struct newtree *tree, struct error *err)
{
	AUTO_FD fd = open(tree->dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;
	int r;

	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0 && (errno == ENOTDIR || errno == ELOOP))
		return refuse(tree->dir, -ENOTDIR, "exists and is no directory", err);
	if (fd < 0 || fstat(fd, &st) < 0)
		return cannot("open", tree->dir, -errno, err);
	if (st.st_uid != geteuid())
		return refuse(tree->dir, -EINVAL, "belongs to another user", err);
	r = is_empty(fd);
	if (r < 0)
		return cannot("read", tree->dir, r, err);
	if (r == 0)
		return refuse(tree->dir, -EINVAL, "is not empty", err);
	tree->over = true;
	return 0;
}

static int make_partial(struct newtree *tree, struct error *err)
{
	if (mkdir(tree->partial, 0700) < 0) {
		if (errno != EEXIST)
			return cannot("make", tree->partial, -errno, err);
		error_set(err, -EINVAL, "%s is there from an earlier attempt", tree->partial);
		error_hint(err, "look at it, remove it, and try again");
		return -EINVAL;
	}
	tree->fd = open(tree->partial, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return tree->fd < 0 ? cannot("open", tree->partial, -errno, err) : 0;
}

int newtree_create(const char *dir, struct newtree **ret, struct error *err)
{
	CLEANUP(cleanup_newtree) struct newtree *tree = calloc(1, sizeof(*tree));
	size_t len = strlen(dir);
	int r;

	if (!tree)
		return error_oom(err);
	tree->fd = tree->last_fd = -1;
	while (len > 1 && dir[len - 1] == '/')
		len--;
	if (!len)
		return refuse("''", -EINVAL, "is no name of a directory", err);
	tree->dir = strndup(dir, len);
	if (!tree->dir || asprintf(&tree->partial, "%s.partial", tree->dir) < 0) {
		tree->partial = NULL;
		return error_oom(err);
	}
	r = look_at(tree, err);
	if (r == 0)
		r = make_partial(tree, err);
	if (r < 0)
		return r;
	*ret = TAKE(tree);
	return 0;
}

void newtree_free(struct newtree *tree)
{
	if (!tree)
		return;
	cleanup_fd(&tree->fd);
	cleanup_fd(&tree->last_fd);
	free(tree->dir);
	free(tree->partial);
	free(tree->last);
	free(tree);
}

const char *newtree_partial(const struct newtree *tree)
{
	return tree->whole ? NULL : tree->partial;
}

/* Step into one directory, which is made if need be; takes over `fd`. */
static int enter(int fd, const char *name)
{
	int next, r = 0;

	if (mkdirat(fd, name, 0700) < 0 && errno != EEXIST)
		r = -errno;
	next = r < 0 ? r : openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (r == 0 && next < 0)
		next = -errno;
	close(fd);
	return next;
}

/* A descriptor of the first `len` bytes of `path`, with all parents made. */
static int open_directory(const struct newtree *tree, const char *path, size_t len)
{
	int fd = fcntl(tree->fd, F_DUPFD_CLOEXEC, 3);
	const char *at = path, *end = path + len;

	if (fd < 0)
		return -errno;
	while (fd >= 0 && at < end) {
		char name[NAME_MAX + 1];
		size_t n = strcspn(++at, "/");

		if (at + n > end)
			n = (size_t)(end - at);
		if (!n || n > NAME_MAX || (n <= 2 && strspn(at, ".") >= n)) {
			close(fd);
			return n > NAME_MAX ? -ENAMETOOLONG : -EINVAL;
		}
		memcpy(name, at, n);
		name[n] = '\0';
		fd = enter(fd, name);
		at += n;
	}
	return fd;
}

/* The descriptor is the tree's: files of one directory mostly come together. */
static int directory_of(struct newtree *tree, const char *path, size_t len)
{
	char *copy;
	int fd;

	if (tree->last && strlen(tree->last) == len && memcmp(tree->last, path, len) == 0)
		return tree->last_fd;
	copy = strndup(path, len);
	if (!copy)
		return -ENOMEM;
	fd = open_directory(tree, path, len);
	if (fd < 0) {
		free(copy);
		return fd;
	}
	cleanup_fd(&tree->last_fd);
	free(tree->last);
	tree->last = copy;
	tree->last_fd = fd;
	return fd;
}

/* The directory that is to hold `path`, and its name there. */
static int place_of(struct newtree *tree, const char *path, const char **ret_name)
{
	const char *slash = strrchr(path, '/');

	if (path[0] != '/' || !slash[1] || strcmp(slash, "/.") == 0 || strcmp(slash, "/..") == 0)
		return -EINVAL;
	if (*process_cancelled())
		return -ECANCELED;
	*ret_name = slash + 1;
	return directory_of(tree, path, (size_t)(slash - path));
}

int newtree_directory(struct newtree *tree, const char *path, struct error *err)
{
	int r = path[0] != '/' ? -EINVAL : *process_cancelled() ? -ECANCELED : 0;

	if (r == 0 && path[1])
		r = directory_of(tree, path, strlen(path));
	return r < 0 ? cannot("make", path, r, err) : 0;
}

static int write_all(int fd, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, bytes, len);

		if (n < 0 && errno == EINTR && !*process_cancelled())
			continue;
		if (n < 0)
			return errno == EINTR ? -ECANCELED : -errno;
		bytes += n;
		len -= (size_t)n;
	}
	return 0;
}

int newtree_file(struct newtree *tree, const char *path, const void *bytes, size_t len,
		 struct error *err)
{
	const char *name;
	int fd, r = place_of(tree, path, &name);

	if (r < 0)
		return cannot("make", path, r, err);
	fd = openat(r, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return cannot("make", path, -errno, err);
	r = write_all(fd, bytes, len);
	if (close(fd) < 0 && r == 0)
		r = -errno;
	return r < 0 ? cannot("write", path, r, err) : 0;
}

int newtree_link(struct newtree *tree, const char *path, const char *target, struct error *err)
{
	const char *name;
	int r = place_of(tree, path, &name);

	if (r < 0)
		return cannot("make", path, r, err);
	return symlinkat(target, r, name) < 0 ? cannot("make", path, -errno, err) : 0;
}

static int sync_parent(const struct newtree *tree)
{
	AUTO_FREE char *parent = strdup(tree->dir);
	char *slash = parent ? strrchr(parent, '/') : NULL;
	int fd, r;

	if (!parent)
		return -ENOMEM;
	if (slash)
		slash[slash == parent] = '\0';
	fd = open(slash ? parent : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	r = fsync(fd) < 0 ? -errno : 0;
	close(fd);
	return r;
}

int newtree_commit(struct newtree *tree, struct error *err)
{
	int r;

	if (*process_cancelled())
		return error_set(err, -ECANCELED, "%s", strerror(ECANCELED));
	/* One call for some hundred small files; it tells of write errors since Linux 5.8. */
	if (syncfs(tree->fd) < 0)
		return cannot("write", tree->partial, -errno, err);
	/* rename(2) replaces an empty directory, and nothing else. */
	if (tree->over)
		r = rename(tree->partial, tree->dir);
	else
		r = renameat2(AT_FDCWD, tree->partial, AT_FDCWD, tree->dir, RENAME_NOREPLACE);
	if (r < 0 && errno == EINVAL && !tree->over)
		r = rename(tree->partial, tree->dir);
	if (r < 0)
		return cannot("rename to", tree->dir, -errno, err);
	tree->whole = true;
	r = sync_parent(tree);
	return r < 0 ? cannot("write", tree->dir, r, err) : 0;
}

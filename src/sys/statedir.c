/* SPDX-License-Identifier: MIT */
#include "sys/statedir.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/durable.h"
#include "sys/io.h"
#include "sys/kind_of_file.h"
#include "sys/statedir_fd.h"
#include "sys/trust.h"

int statedir_cannot(const char *what, const char *path, int code, struct error *err)
{
	if (code == -ENOMEM)
		return error_oom(err);
	error_set(err, code, "cannot %s %s: %s", what, path, strerror(-code));
	if (code == -ENOSPC || code == -EDQUOT)
		error_hint(err, "make room there, or give another directory with --state");
	else if (code == -EROFS)
		error_hint(err, "mount it for writing, or give another directory with --state");
	else if (code == -EACCES || code == -EPERM)
		error_hint(err, "run as root, or give a directory of yours with --state");
	else if (code == -ENOENT)
		error_hint(err, "name the directory that holds the session with --state");
	else
		error_hint(err, "look at the disk that it lies on, or give another directory with "
				"--state");
	return code;
}

static int refuse_kind(const char *path, mode_t mode, struct error *err)
{
	error_set(err, -ENOTDIR, "the state directory %s is %s", path, kind_of_file(mode));
	error_hint(err, S_ISLNK(mode) ? "give the directory that it leads to with --state"
				      : "give a directory with --state");
	return -ENOTDIR;
}

void statedir_free(struct statedir *dir)
{
	if (!dir)
		return;
	cleanup_fd(&dir->fd);
	free(dir->path);
	free(dir);
}

const char *statedir_path(const struct statedir *dir)
{
	return dir->path;
}

/* The real path of the parent, and the last component, which is taken as it is. */
static int split(const char *path, char **ret_parent, char **ret_name, struct error *err)
{
	AUTO_FREE char *copy = strdup(path);
	size_t len = copy ? strlen(copy) : 0;
	char *slash;

	if (!copy)
		return error_oom(err);
	while (len > 1 && copy[len - 1] == '/')
		copy[--len] = '\0';
	slash = strrchr(copy, '/');
	*ret_name = strdup(slash ? slash + 1 : copy);
	if (!*ret_name)
		return error_oom(err);
	if (!**ret_name || strcmp(*ret_name, ".") == 0 || strcmp(*ret_name, "..") == 0) {
		error_set(err, -EINVAL, "\"%s\" is no name of a state directory", path);
		error_hint(err, "give a directory with a name of its own with --state");
		return -EINVAL;
	}
	if (slash)
		slash[slash == copy] = '\0';
	*ret_parent = realpath(slash ? copy : ".", NULL);
	return *ret_parent ? 0 : statedir_cannot("find the parent of", path, -errno, err);
}

/* Whoever may rename the directory may put another one in its place. */
static int check_parent(const char *parent, int fd, struct error *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return statedir_cannot("look at", parent, -errno, err);
	if (!(st.st_mode & S_IWOTH) || (st.st_mode & S_ISVTX))
		return 0;
	error_set(err, -EPERM, "everybody may write to %s, where the state directory lies", parent);
	error_hint(err, "chmod o-w %s, or give another directory with --state", parent);
	return -EPERM;
}

static int check(const struct statedir *dir, struct error *err)
{
	struct stat st;

	if (fstat(dir->fd, &st) < 0)
		return statedir_cannot("look at", dir->path, -errno, err);
	if (st.st_uid != geteuid()) {
		error_set(err, -EPERM, "the state directory %s belongs to another user (uid %u)",
			  dir->path, (unsigned)st.st_uid);
		error_hint(err, st.st_uid ? "run as that user, or give a directory of yours with "
					    "--state"
					  : "run as root");
		return -EPERM;
	}
	/* The sticky bit does not help here: names that are not there yet could be taken. */
	st.st_mode &= ~(mode_t)S_ISVTX;
	return trust_stat(dir->path, &st, err);
}

static int open_last(struct statedir *dir, int parent, const char *name, enum statedir_mode mode,
		     struct error *err)
{
	struct stat st;
	bool made;
	int r;

	dir->fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (dir->fd < 0 && errno == ENOENT && mode == STATEDIR_MAKE) {
		r = durable_mkdir(parent, name, 0700, &made);
		if (r < 0)
			return statedir_cannot("make", dir->path, r, err);
		dir->fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	}
	if (dir->fd >= 0)
		return check(dir, err);
	r = -errno;
	if ((r == -ENOTDIR || r == -ELOOP) && fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return refuse_kind(dir->path, st.st_mode, err);
	return statedir_cannot("open", dir->path, r, err);
}

int statedir_open(const char *path, enum statedir_mode mode, struct statedir **ret,
		  struct error *err)
{
	CLEANUP(cleanup_statedir) struct statedir *dir = calloc(1, sizeof(*dir));
	AUTO_FREE char *parent = NULL, *name = NULL;
	AUTO_FD fd = -1;
	int r;

	if (!dir)
		return error_oom(err);
	dir->fd = -1;
	r = split(path ? path : STATEDIR_DEFAULT, &parent, &name, err);
	if (r < 0)
		return r;
	if (asprintf(&dir->path, "%s/%s", strcmp(parent, "/") == 0 ? "" : parent, name) < 0) {
		dir->path = NULL;
		return error_oom(err);
	}
	fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return statedir_cannot("open", parent, -errno, err);
	r = check_parent(parent, fd, err);
	if (r == 0)
		r = open_last(dir, fd, name, mode, err);
	if (r < 0)
		return r;
	*ret = TAKE(dir);
	return 0;
}

int statedir_writable(const struct statedir *dir, struct error *err)
{
	AUTO_FD fd = openat(dir->fd, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600);
	static const char name[] = ".writable.new";
	char block[4096] = "";
	ssize_t n;
	int r;

	/* A filesystem without nameless files. */
	if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
		r = durable_write(dir->fd, name, block, sizeof(block), 0600, true);
		(void)durable_unlink(dir->fd, name, 0);
		return r < 0 ? statedir_cannot("write to", dir->path, r, err) : 0;
	}
	if (fd < 0)
		return statedir_cannot("write to", dir->path, -errno, err);
	/* A full filesystem makes files still; only their blocks tell. */
	n = write(fd, block, sizeof(block));
	if (n < 0 || fsync(fd) < 0)
		return statedir_cannot("write to", dir->path, -errno, err);
	return n < (ssize_t)sizeof(block) ? statedir_cannot("write to", dir->path, -ENOSPC, err)
					  : 0;
}

/* SPDX-License-Identifier: MIT */
#include "sys/hostfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strv.h"
#include "sys/durable.h"
#include "sys/io.h"
#include "sys/trust.h"

#define TEXT_MAX ((size_t)1 << 20)
#define PARENT_MODE 0755

static int cannot(const char *what, const char *path, int code, struct error *err)
{
	if (code == -ENOMEM)
		return error_oom(err);
	error_set(err, code, "cannot %s %s: %s", what, path, strerror(-code));
	if (code == -EROFS)
		error_hint(err, "mount the filesystem for writing: mount -o remount,rw /");
	else if (code == -EACCES || code == -EPERM)
		error_hint(err, "run as root");
	else if (code == -ENOSPC || code == -EDQUOT)
		error_hint(err, "make room there");
	else if (code == -ENOTDIR || code == -ELOOP)
		error_hint(err,
			   "each directory above it must be one, and no symbolic link: "
			   "namei -l %s",
			   path);
	else
		error_hint(err, "look at: namei -l %s", path);
	return code;
}

static int changed(const char *path, const char *how, struct error *err)
{
	error_set(err, -EEXIST, "%s %s", path, how);
	error_hint(err, "look at it; it is left as it is. Move it away to go on");
	return -EEXIST;
}

static int check_live(struct host *host, const char *path, struct error *err)
{
	if (host_is_live(host))
		return 0;
	error_set(err, -EPERM, "%s of a capture is never changed", path);
	error_hint(err, "run on the machine itself, without --root");
	return -EPERM;
}

static int enter(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int make_parent(int dir, const char *name, const char *path, size_t len, char ***made)
{
	AUTO_FREE char *whole = strndup(path, len);
	bool fresh;
	int r;

	/* Noted before it is made: a crash in between leaves a name too many, not one too few. */
	if (!whole || strv_take(made, TAKE(whole)) < 0)
		return -ENOMEM;
	r = durable_mkdir(dir, name, PARENT_MODE, &fresh);
	return r < 0 ? r : enter(dir, name);
}

static int check_parent(int dir, const char *path, size_t len, struct error *err)
{
	AUTO_FREE char *whole = strndup(path, len ? len : 1);
	struct stat st;

	if (!whole)
		return error_oom(err);
	if (fstat(dir, &st) < 0)
		return cannot("look at", whole, -errno, err);
	return trust_stat(whole, &st, err);
}

/*
 * The directory that holds `path`, each one above it looked at, and the last
 * component.  `made`: missing ones are made and noted there; NULL: -ENOENT.
 */
static int open_place(const char *path, char ***made, const char **ret_name, struct error *err)
{
	int fd = path[0] == '/' ? enter(AT_FDCWD, "/") : -EINVAL;
	size_t at = 0;
	int r;

	while (fd >= 0) {
		size_t len = strcspn(path + at + 1, "/");
		AUTO_FREE char *part = strndup(path + at + 1, len);
		int next;

		r = check_parent(fd, path, at, err);
		if (r < 0) {
			close(fd);
			return r;
		}
		if (!part || !len || strcmp(part, ".") == 0 || strcmp(part, "..") == 0) {
			close(fd);
			fd = part ? -EINVAL : -ENOMEM;
			break;
		}
		if (!path[at + 1 + len]) {
			*ret_name = path + at + 1;
			return fd;
		}
		next = enter(fd, part);
		if (next == -ENOENT && made)
			next = make_parent(fd, part, path, at + 1 + len, made);
		close(fd);
		fd = next;
		at += 1 + len;
	}
	return cannot("reach", path, fd, err);
}

static int read_at(int dir, const char *name, struct buf *ret)
{
	AUTO_FD fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;
	int r;

	if (fd < 0)
		return errno == ELOOP ? -EINVAL : -errno;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	r = io_read_all(fd, TEXT_MAX, ret);
	return r == 0 && memchr(buf_text(ret), '\0', ret->len) ? -EINVAL : r;
}

/* 1 it holds just that text; 0 something else stands there; or a negative errno. */
static int holds(int dir, const char *name, const char *expected)
{
	AUTO_BUF text = BUF_INIT;
	int r = read_at(dir, name, &text);

	if (r == -EINVAL || r == -EFBIG)
		return 0;
	return r < 0 ? r : strcmp(buf_text(&text), expected) == 0;
}

static int link_holds(int dir, const char *name, const char *expected)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(dir, name, target, sizeof(target));

	if (n < 0)
		return errno == EINVAL ? 0 : -errno;
	return (size_t)n == strlen(expected) && memcmp(target, expected, (size_t)n) == 0;
}

/* A file that an attempt wrote before it was cut off may not be on the disk yet. */
static int sync_again(int dir, const char *name)
{
	AUTO_FD fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 || fsync(fd) < 0)
		return -errno;
	return durable_sync(dir);
}

int hostfile_write(struct host *host, const char *path, const char *text, mode_t mode,
		   char ***ret_made, struct error *err)
{
	AUTO_STRV char **made = NULL;
	AUTO_FD dir = -1;
	const char *name;
	int r = check_live(host, path, err);

	if (r < 0)
		return r;
	dir = open_place(path, ret_made ? ret_made : &made, &name, err);
	if (dir < 0)
		return dir;
	r = durable_write(dir, name, text, strlen(text), mode, false);
	if (r == -EEXIST) {
		r = holds(dir, name, text);
		if (r == 0)
			return changed(path, "is there already, with another text", err);
		r = r < 0 ? r : sync_again(dir, name);
	}
	return r < 0 ? cannot("write", path, r, err) : 0;
}

int hostfile_symlink(struct host *host, const char *path, const char *target, char ***ret_made,
		     struct error *err)
{
	AUTO_STRV char **made = NULL;
	AUTO_FD dir = -1;
	const char *name;
	int r = check_live(host, path, err);

	if (r < 0)
		return r;
	dir = open_place(path, ret_made ? ret_made : &made, &name, err);
	if (dir < 0)
		return dir;
	r = symlinkat(target, dir, name) < 0 ? -errno : 0;
	if (r == -EEXIST) {
		r = link_holds(dir, name, target);
		if (r == 0)
			return changed(path, "is there already, and does not lead there", err);
		r = r < 0 ? r : 0;
	}
	if (r == 0)
		r = durable_sync(dir);
	return r < 0 ? cannot("make", path, r, err) : 0;
}

typedef int holds_function(int dir, const char *name, const char *expected);

static int remove_if(struct host *host, const char *path, const char *expected,
		     holds_function *is_as, struct error *err)
{
	struct error why = ERROR_INIT;
	const char *name;
	AUTO_FD dir = -1;
	int r = check_live(host, path, err);

	if (r < 0)
		return r;
	dir = open_place(path, NULL, &name, &why);
	if (dir < 0 && dir != -ENOENT)
		error_copy(err, &why);
	error_done(&why);
	if (dir < 0)
		return dir == -ENOENT ? 0 : dir;
	r = is_as(dir, name, expected);
	if (r == 0)
		return changed(path, "was changed since", err);
	/* Gone already, by an attempt that was cut off before it synced. */
	r = r == -ENOENT ? durable_sync(dir) : r < 0 ? r : durable_unlink(dir, name, 0);
	return r < 0 ? cannot("remove", path, r, err) : 0;
}

int hostfile_remove(struct host *host, const char *path, const char *expected, struct error *err)
{
	return remove_if(host, path, expected, holds, err);
}

int hostfile_unlink(struct host *host, const char *path, const char *expected, struct error *err)
{
	return remove_if(host, path, expected, link_holds, err);
}

int hostfile_rmdir(struct host *host, char *const *made, struct error *err)
{
	size_t i = strv_length(made);
	int r = check_live(host, i ? made[0] : "/", err);

	while (r == 0 && i-- > 0) {
		const char *name;
		AUTO_FD dir = open_place(made[i], NULL, &name, NULL);

		/* Gone with one above it. */
		if (dir == -ENOENT)
			continue;
		r = dir < 0 ? dir : durable_unlink(dir, name, AT_REMOVEDIR);
		if (r == -ENOTEMPTY || r == -EEXIST || r == -EBUSY)
			r = 0;
		else if (r < 0)
			cannot("remove", made[i], r, err);
	}
	return r;
}

int hostfile_read(struct host *host, const char *path, char **ret, struct error *err)
{
	AUTO_BUF text = BUF_INIT;
	const char *name;
	AUTO_FD dir = -1;
	int r = check_live(host, path, err);

	if (r < 0)
		return r;
	dir = open_place(path, NULL, &name, err);
	if (dir < 0)
		return dir;
	r = read_at(dir, name, &text);
	if (r < 0)
		return cannot("read", path, r, err);
	*ret = buf_take(&text);
	return *ret ? 0 : error_oom(err);
}

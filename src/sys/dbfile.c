/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/intl.h"
#include "sys/clock.h"
#include "sys/dbfile.h"
#include "sys/io.h"

/* SQLite's locks are ranges far behind the data: "File Locking And Concurrency". */
#define PENDING_BYTE 0x40000000
#define SHARED_FIRST (PENDING_BYTE + 2)
#define SHARED_SIZE 510

#define WAIT_US ((uint64_t)5000000)

static int cannot(const char *doing, const char *path, int code, struct error *err)
{
	error_set(err, code, "%s %s: %s", doing, path, strerror(-code));
	error_hint(err, _("look at it with: stat %s"), path);
	return code;
}

static int refuse(const char *path, const char *why, struct error *err)
{
	error_set(err, -EPERM, "%s %s", path, why);
	error_hint(err, _("find out who did that; the journal is to be one file of mode 0600 that "
			  "belongs to the user who runs coldswap"));
	return -EPERM;
}

static int judge(const char *path, const struct stat *st, struct error *err)
{
	if (!S_ISREG(st->st_mode))
		return refuse(path, _("is no regular file"), err);
	if (st->st_uid != geteuid())
		return refuse(path, _("belongs to another user"), err);
	if (st->st_mode & (S_IRWXG | S_IRWXO))
		return refuse(path, _("is open to other users"), err);
	if (st->st_nlink > 1)
		return refuse(path, _("has a second name elsewhere"), err);
	return 0;
}

int dbfile_check(const char *path, struct error *err)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return cannot("cannot look at", path, -errno, err);
	return judge(path, &st, err);
}

/* 1: there, and what it is; 0: there is none. */
static int look_beside(const char *path, const char *suffix, char **ret_name, struct stat *ret,
		       struct error *err)
{
	if (asprintf(ret_name, "%s%s", path, suffix) < 0) {
		*ret_name = NULL;
		return error_oom(err);
	}
	if (lstat(*ret_name, ret) == 0)
		return 1;
	return errno == ENOENT ? 0 : cannot("cannot look at", *ret_name, -errno, err);
}

static int refuse_log(const char *path, const char *suffix, struct error *err)
{
	AUTO_FREE char *name = NULL;
	struct stat st;
	int r = look_beside(path, suffix, &name, &st, err);

	if (r <= 0)
		return r;
	error_set(err, -EPERM, _("%s is there: another program has written to the journal"), name);
	error_hint(err, "%s",
		   _("copy the state directory, as it is evidence; then move that file away"));
	return -EPERM;
}

int dbfile_check_beside(const char *path, struct error *err)
{
	AUTO_FREE char *name = NULL;
	struct stat st;
	int r = look_beside(path, "-journal", &name, &st, err);

	if (r > 0)
		r = judge(name, &st, err);
	if (r == 0)
		r = refuse_log(path, "-wal", err);
	return r < 0 ? r : refuse_log(path, "-shm", err);
}

/* The directory that a file lies in; the caller frees it. */
static char *parent_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return strdup(".");
	return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static int sync_parent(const char *path)
{
	AUTO_FREE char *parent = parent_of(path);
	AUTO_FD fd = -1;

	if (!parent)
		return -ENOMEM;
	fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 || fsync(fd) < 0 ? -errno : 0;
}

int dbfile_make(const char *path, struct error *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	int r;

	if (fd < 0 && errno == EEXIST)
		return dbfile_check(path, err);
	if (fd < 0)
		return cannot("cannot make", path, -errno, err);
	r = fsync(fd) < 0 ? -errno : 0;
	if (close(fd) < 0 && r == 0)
		r = -errno;
	if (r == 0)
		r = sync_parent(path);
	return r < 0 ? cannot("cannot make", path, r, err) : 0;
}

int dbfile_writable(const char *path, struct error *err)
{
	AUTO_FREE char *parent = parent_of(path);

	if (!parent)
		return error_oom(err);
	/* A rollback journal is made beside it by each change. */
	if (access(parent, W_OK | X_OK) < 0)
		return cannot("cannot write to", parent, -errno, err);
	if (access(path, R_OK | W_OK) < 0)
		return cannot("cannot write to", path, -errno, err);
	return 0;
}

static int set_lock(int fd, short type, off_t start, off_t len)
{
	struct flock lock = {
		.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = len
	};

	return fcntl(fd, F_OFD_SETLK, &lock) < 0 ? -errno : 0;
}

/* As SQLite's readers do: a writer that waits for them keeps new ones out by PENDING. */
static int lock_shared(int fd)
{
	int r = set_lock(fd, F_RDLCK, PENDING_BYTE, 1);

	if (r < 0)
		return r;
	r = set_lock(fd, F_RDLCK, SHARED_FIRST, SHARED_SIZE);
	(void)set_lock(fd, F_UNLCK, PENDING_BYTE, 1);
	return r;
}

static int wait_shared(int fd)
{
	static const struct timespec pause = { .tv_nsec = 10000000 };
	uint64_t until = clock_monotonic_us() + WAIT_US;
	int r;

	while ((r = lock_shared(fd)) == -EAGAIN || r == -EACCES) {
		if (clock_monotonic_us() > until)
			return -EAGAIN;
		(void)nanosleep(&pause, NULL);
	}
	return r;
}

static int open_own(const char *path, struct error *err)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;
	int r;

	if (fd < 0)
		return errno == ELOOP ? refuse(path, _("is a symbolic link"), err)
				      : cannot("cannot read", path, -errno, err);
	r = fstat(fd, &st) < 0 ? cannot("cannot read", path, -errno, err) : judge(path, &st, err);
	if (r < 0) {
		close(fd);
		return r;
	}
	return fd;
}

static int read_whole(int fd, const char *path, size_t max, struct buf *ret, struct error *err)
{
	int r;

	ret->max = max + 1;
	r = io_read_all(fd, max, ret);
	if (r == -EFBIG)
		return error_set(err, r, "%s is larger than %zu bytes", path, max);
	return r < 0 ? cannot("cannot read", path, r, err) : 0;
}

static int read_rollback(const char *path, size_t max, struct dbfile_copy *ret, struct error *err)
{
	AUTO_FREE char *name = NULL;
	AUTO_FD fd = -1;
	struct stat st;

	if (asprintf(&name, "%s-journal", path) < 0) {
		name = NULL;
		return error_oom(err);
	}
	if (lstat(name, &st) < 0 && errno == ENOENT)
		return 0;
	fd = open_own(name, err);
	if (fd < 0)
		return fd;
	ret->has_rollback = true;
	return read_whole(fd, name, max, &ret->rollback, err);
}

int dbfile_copy(const char *path, size_t max, struct dbfile_copy *ret, struct error *err)
{
	AUTO_DBFILE_COPY copy = { 0 };
	AUTO_FD fd = open_own(path, err);
	int r;

	if (fd < 0)
		return fd;
	r = wait_shared(fd);
	if (r == -EAGAIN) {
		error_set(err, r, _("another process has kept %s locked for five seconds"), path);
		error_hint(err, _("try again; see who uses it with: fuser -v %s"), path);
		return r;
	}
	if (r < 0)
		return cannot("cannot lock", path, r, err);
	if ((r = read_whole(fd, path, max, &copy.database, err)) < 0 ||
	    (r = read_rollback(path, max, &copy, err)) < 0)
		return r;
	*ret = copy;
	copy = (struct dbfile_copy){ 0 };
	return 0;
}

void dbfile_copy_done(struct dbfile_copy *copy)
{
	buf_done(&copy->database);
	buf_done(&copy->rollback);
	*copy = (struct dbfile_copy){ 0 };
}

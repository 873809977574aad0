/* SPDX-License-Identifier: MIT */
#include "sys/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/parse.h"
#include "base/text.h"
#include "sys/clock.h"
#include "sys/io.h"
#include "sys/trust.h"

#define LOCK_DIR "/run/coldswap"
#define LOCK_NAME "lock"
#define LOCK_PATH LOCK_DIR "/" LOCK_NAME
#define TEXT_MAX ((size_t)4096)
#define LOCKS_MAX ((size_t)16 << 20)
/* Field of /proc/PID/stat after the command's name, counted from the state. */
#define STAT_START 19

struct lock {
	int fd;
};

static int cannot(const char *what, int code, struct error *err)
{
	if (code == -ENOMEM)
		return error_oom(err);
	error_set(err, code, "cannot %s the lock " LOCK_PATH ": %s", what, strerror(-code));
	if (code == -EACCES || code == -EPERM)
		error_hint(err, "run as root");
	else
		error_hint(err, "see what stands there: ls -ld " LOCK_DIR " " LOCK_PATH);
	return code;
}

/* When a process was started, in ticks since the boot; 0: it is gone. */
static uint64_t start_of(struct host *host, pid_t pid)
{
	AUTO_BUF text = BUF_INIT;
	char path[64], *at, *field;
	uint64_t start = 0;
	int i;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (host_read(host, path, TEXT_MAX, &text, NULL) < 0 || !text.data)
		return 0;
	/* The name may hold anything, ')' too. */
	at = strrchr(text.data, ')');
	at = at ? at + 1 : text.data;
	at += *at == ' ';
	for (i = 0; (field = strsep(&at, " ")); i++)
		if (i == STAT_START && parse_u64(field, &start) < 0)
			start = 0;
	return start;
}

void lock_holder_done(struct lock_holder *holder)
{
	free(holder->text);
	free(holder->since);
	*holder = (struct lock_holder){ 0 };
}

static int inert(const char *text, char **ret)
{
	AUTO_BUF buf = BUF_INIT;

	free(*ret);
	*ret = NULL;
	if (text_inert(text, &buf) < 0 || !(*ret = buf_take(&buf)))
		return -ENOMEM;
	return 0;
}

/* "pid N", "start N", "since TIME", "text WORDS", a line each. */
static int read_line(const char *line, struct lock_holder *ret)
{
	uint64_t number;

	if (strncmp(line, "pid ", 4) == 0 && parse_u64(line + 4, &number) == 0 &&
	    number <= INT32_MAX)
		ret->pid = (pid_t)number;
	else if (strncmp(line, "start ", 6) == 0 && parse_u64(line + 6, &number) == 0)
		ret->start = number;
	else if (strncmp(line, "since ", 6) == 0)
		return inert(line + 6, &ret->since);
	else if (strncmp(line, "text ", 5) == 0)
		return inert(line + 5, &ret->text);
	return 0;
}

/*
 * Who the file names.  What a process left that is gone, or whose pid another
 * one has by now, says nothing: the holder is then somebody who has not yet
 * written his own name.
 */
static int read_holder(struct host *host, int fd, struct lock_holder *ret)
{
	CLEANUP(lock_holder_done) struct lock_holder holder = { 0 };
	AUTO_BUF text = BUF_INIT;
	char *lines, *line;
	int r;

	*ret = (struct lock_holder){ 0 };
	if (lseek(fd, 0, SEEK_SET) < 0 || io_read_all(fd, TEXT_MAX, &text) < 0)
		return 0;
	lines = text.data;
	while ((line = strsep(&lines, "\n"))) {
		r = read_line(line, &holder);
		if (r < 0)
			return r;
	}
	if (!holder.pid || !holder.start || start_of(host, holder.pid) != holder.start)
		return 0;
	*ret = holder;
	holder = (struct lock_holder){ 0 };
	return 0;
}

static int busy(struct host *host, int fd, struct error *err)
{
	CLEANUP(lock_holder_done) struct lock_holder holder = { 0 };

	if (read_holder(host, fd, &holder) < 0)
		return error_oom(err);
	if (!holder.pid) {
		error_set(err, -EBUSY, "another coldswap works on this host");
		error_hint(err, "see which: fuser -v " LOCK_PATH "; wait for it, or stop it");
		return -EBUSY;
	}
	error_set(err, -EBUSY, "coldswap %s (pid %d) works on this host since %s",
		  holder.text ? holder.text : "", (int)holder.pid,
		  holder.since ? holder.since : "a time that it did not tell");
	error_hint(err, "wait for it, or stop it at its own terminal (ps -o pid,tty,cmd -p %d)",
		   (int)holder.pid);
	return -EBUSY;
}

static int open_dir(struct error *err)
{
	struct stat st;
	int fd, r;

	if (mkdir(LOCK_DIR, 0700) < 0 && errno != EEXIST)
		return cannot("take", -errno, err);
	fd = open(LOCK_DIR, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && (errno == ELOOP || errno == ENOTDIR)) {
		error_set(err, -EPERM, LOCK_DIR " is no directory of its own");
		error_hint(err, "see what stands there, and remove it: ls -ld " LOCK_DIR);
		return -EPERM;
	}
	if (fd < 0)
		return cannot("take", -errno, err);
	r = fstat(fd, &st) < 0 ? cannot("take", -errno, err) : trust_stat(LOCK_DIR, &st, err);
	if (r < 0) {
		close(fd);
		return r;
	}
	return fd;
}

static int open_file(int dir, struct error *err)
{
	int fd = openat(dir, LOCK_NAME,
			O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
	struct stat st;
	int r;

	if (fd < 0)
		return cannot("take", -errno, err);
	r = fstat(fd, &st) < 0 ? cannot("take", -errno, err) : trust_stat(LOCK_PATH, &st, err);
	if (r == 0 && !S_ISREG(st.st_mode))
		r = cannot("take", -EINVAL, err);
	if (r < 0) {
		close(fd);
		return r;
	}
	return fd;
}

/* One write, so that a reader sees a whole name or none; the text is one line. */
static int write_holder(struct host *host, int fd, const char *text)
{
	AUTO_BUF lines = BUF_INIT;
	AUTO_BUF line = BUF_INIT;
	struct timespec now = clock_realtime();
	char since[32] = "";
	struct tm utc;

	if (gmtime_r(&now.tv_sec, &utc))
		strftime(since, sizeof(since), "%Y-%m-%dT%H:%M:%SZ", &utc);
	if (text_inert(text, &line) < 0 ||
	    buf_addf(&lines, "pid %d\nstart %llu\nsince %s\ntext %.1024s\n", (int)getpid(),
		     (unsigned long long)start_of(host, getpid()), since, buf_text(&line)) < 0)
		return -ENOMEM;
	if (ftruncate(fd, 0) < 0)
		return -errno;
	return pwrite(fd, buf_text(&lines), lines.len, 0) == (ssize_t)lines.len ? 0 : -EIO;
}

int lock_take(struct host *host, const char *text, struct lock **ret, struct error *err)
{
	CLEANUP(cleanup_lock) struct lock *lock = NULL;
	AUTO_FD dir = -1;
	int r;

	if (!host_is_live(host)) {
		error_set(err, -EPERM, "a capture cannot be locked");
		error_hint(err, "run on the machine itself, without --root");
		return -EPERM;
	}
	lock = calloc(1, sizeof(*lock));
	if (!lock)
		return error_oom(err);
	lock->fd = -1;
	dir = open_dir(err);
	if (dir < 0)
		return dir;
	lock->fd = open_file(dir, err);
	if (lock->fd < 0)
		return lock->fd;
	/* <sys/file.h>, which declares flock(2), is a header of this layer to the compiler. */
	if (syscall(SYS_flock, lock->fd, LOCK_EX | LOCK_NB) < 0)
		return errno == EWOULDBLOCK ? busy(host, lock->fd, err)
					    : cannot("take", -errno, err);
	r = write_holder(host, lock->fd, text);
	if (r < 0)
		return cannot("write to", r, err);
	*ret = TAKE(lock);
	return 0;
}

void lock_free(struct lock *lock)
{
	if (!lock)
		return;
	cleanup_fd(&lock->fd);
	free(lock);
}

/* "1: FLOCK  ADVISORY  WRITE 4242 00:18:1234 0 EOF" */
static bool is_ours(const char *line, const struct stat *st)
{
	unsigned long long inode;
	unsigned major_number, minor_number;

	return strstr(line, " FLOCK ") &&
	       sscanf(line, "%*s %*s %*s %*s %*s %x:%x:%llu", &major_number, &minor_number,
		      &inode) == 3 &&
	       inode == st->st_ino && major_number == major(st->st_dev) &&
	       minor_number == minor(st->st_dev);
}

int lock_look(struct host *host, struct lock_holder *ret, struct error *err)
{
	AUTO_FD fd = open(LOCK_PATH, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	AUTO_BUF text = BUF_INIT;
	char *lines, *line;
	struct stat st;
	int r;

	*ret = (struct lock_holder){ 0 };
	if (!host_is_live(host) || (fd < 0 && errno == ENOENT))
		return 0;
	if (fd < 0 || fstat(fd, &st) < 0)
		return cannot("look at", -errno, err);
	r = host_read(host, "/proc/locks", LOCKS_MAX, &text, err);
	if (r < 0)
		return r;
	lines = text.data;
	while ((line = strsep(&lines, "\n")))
		if (is_ours(line, &st))
			return read_holder(host, fd, ret) < 0 ? error_oom(err) : 1;
	return 0;
}

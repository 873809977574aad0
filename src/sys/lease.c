/* SPDX-License-Identifier: MIT */
#include "sys/lease.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/parse.h"
#include "sys/io.h"
#include "sys/kind_of_file.h"
#include "sys/lease_fstype.h"

/* glibc and libraries keep the first real-time signals to themselves. */
#define SIGNALS_KEPT 4

struct taken {
	struct lease lease; /* the first member: what the caller holds */
	size_t index;       /* into both arrays of the set */
};

struct leases {
	struct taken **items;
	int *fds; /* beside `items`, for the scan */
	size_t n, capacity, n_broken;
	int signal, signal_fd;
	sigset_t blocked; /* what this set blocked by itself */
};

/* A set has a signal of its own, so that none takes away what tells another. */
static int free_signal(void)
{
	sigset_t now;
	int number;

	pthread_sigmask(SIG_BLOCK, NULL, &now);
	for (number = SIGRTMIN + SIGNALS_KEPT; number <= SIGRTMAX; number++)
		if (sigismember(&now, number) == 0)
			return number;
	return SIGRTMAX;
}

/*
 * SIGIO too: it is what the kernel sends when no more real-time signals can
 * be queued, and it would end the process.  It stays blocked: other sets may live.
 */
static int take_signals(struct leases *leases)
{
	sigset_t wanted, now;

	leases->signal = free_signal();
	sigemptyset(&wanted);
	sigaddset(&wanted, leases->signal);
	sigaddset(&wanted, SIGIO);
	sigemptyset(&leases->blocked);
	pthread_sigmask(SIG_BLOCK, &wanted, &now);
	if (sigismember(&now, leases->signal) == 0)
		sigaddset(&leases->blocked, leases->signal);
	leases->signal_fd = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
	return leases->signal_fd < 0 ? -errno : 0;
}

/* The soft limit up to the hard one, and that up to the kernel's own where it may be. */
static void raise_limit(struct host *host)
{
	AUTO_FREE char *line = NULL;
	struct rlimit limit, more;
	uint64_t most = 0;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return;
	if (host_read_line(host, "/proc/sys/fs/nr_open", &line, NULL) == 0 &&
	    parse_u64(line, &most) == 0 && most > limit.rlim_max) {
		more = (struct rlimit){ .rlim_cur = most, .rlim_max = most };
		if (setrlimit(RLIMIT_NOFILE, &more) == 0)
			return;
	}
	limit.rlim_cur = limit.rlim_max;
	/* What is not granted shows as -EMFILE, at the file that did not fit. */
	(void)!setrlimit(RLIMIT_NOFILE, &limit);
}

int leases_open(struct host *host, struct leases **ret, struct error *err)
{
	struct leases *leases;
	int r;

	if (!host_is_live(host)) {
		error_set(err, -EPERM, "a capture has no files that could be held");
		error_hint(err, "run it on the machine itself");
		return -EPERM;
	}
	leases = calloc(1, sizeof(*leases));
	if (!leases)
		return error_oom(err);
	r = take_signals(leases);
	if (r < 0) {
		leases_free(leases);
		error_set(err, r, "cannot listen for broken leases: %s", strerror(-r));
		error_hint(err, "look at the limit of open files: ulimit -n");
		return r;
	}
	raise_limit(host);
	*ret = leases;
	return 0;
}

/* 1: something was told; 0: nothing. */
static int drain(const struct leases *leases)
{
	struct signalfd_siginfo info[16];
	int told = 0;

	while (read(leases->signal_fd, info, sizeof(info)) > 0)
		told = 1;
	return told;
}

void leases_free(struct leases *leases)
{
	if (!leases)
		return;
	while (leases->n)
		lease_drop(leases, &leases->items[leases->n - 1]->lease);
	if (leases->signal_fd >= 0) {
		/* With no lease left no signal comes any more; one that is left would kill. */
		drain(leases);
		close(leases->signal_fd);
	}
	pthread_sigmask(SIG_UNBLOCK, &leases->blocked, NULL);
	free(leases->items);
	free(leases->fds);
	free(leases);
}

static int cannot_open(const char *path, int code, struct error *err)
{
	error_set(err, code, "cannot open %s: %s", path, strerror(-code));
	if (code == -EWOULDBLOCK)
		error_hint(err, "another program holds a lease on it: fuser -v %s", path);
	else if (code == -EMFILE || code == -ENFILE)
		error_hint(err, "raise the limit of open files: ulimit -n");
	else if (code == -ELOOP)
		error_hint(err, "name the file that the symbolic link leads to");
	else if (code == -EACCES || code == -EPERM)
		error_hint(err, "run as root");
	else
		error_hint(err, "look at it: ls -l %s", path);
	return code;
}

/* O_NOATIME is the owner's right. */
static int open_regular(int dir, const char *path)
{
	struct open_how how = {
		.flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOATIME,
		.resolve = RESOLVE_NO_SYMLINKS,
	};
	int fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));

	if (fd < 0 && errno == EPERM) {
		how.flags &= ~(uint64_t)O_NOATIME;
		fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
	}
	return fd < 0 ? -errno : fd;
}

/*
 * Looked at before it is opened, since to open a FIFO or a device is to do
 * something to it; what stands there by then is opened without waiting.  Two
 * walks of the path are half as dear as one and a way back through /proc.
 */
static int open_file(int dir, const char *path, struct error *err)
{
	struct stat seen, st;
	int fd;

	if (fstatat(dir, path, &seen, AT_SYMLINK_NOFOLLOW) < 0)
		return cannot_open(path, -errno, err);
	if (S_ISLNK(seen.st_mode))
		return cannot_open(path, -ELOOP, err);
	if (!S_ISREG(seen.st_mode)) {
		error_set(err, -EINVAL, "%s is %s, not a regular file", path,
			  kind_of_file(seen.st_mode));
		error_hint(err, "name a regular file");
		return -EINVAL;
	}
	fd = open_regular(dir, path);
	if (fd < 0)
		return cannot_open(path, fd, err);
	if (fstat(fd, &st) == 0 && st.st_dev == seen.st_dev && st.st_ino == seen.st_ino)
		return fd;
	close(fd);
	return cannot_open(path, -ESTALE, err);
}

static int ask_kernel(const struct leases *leases, int fd)
{
	if (fcntl(fd, F_SETSIG, leases->signal) < 0 || fcntl(fd, F_SETLEASE, F_WRLCK) < 0)
		return -errno;
	return 0;
}

static void ask(const struct leases *leases, struct lease *lease)
{
	const struct lease_fstype *type = NULL;
	struct statfs fs;
	int r = ask_kernel(leases, lease->fd);

	if (fstatfs(lease->fd, &fs) == 0)
		type = lease_fstype((long)fs.f_type);
	lease->fstype = type ? type->name : NULL;
	if (r == -EAGAIN) {
		lease->answer = LEASE_HELD;
	} else if (r < 0) {
		lease->code = r;
	} else if (type && type->counts) {
		lease->answer = LEASE_GRANTED;
	} else {
		/* It proves nothing here, and would make openers wait. */
		fcntl(lease->fd, F_SETLEASE, F_UNLCK);
		lease->code = -EOPNOTSUPP;
	}
}

static int reserve(struct leases *leases)
{
	size_t capacity = leases->capacity ? leases->capacity * 2 : 64;
	struct taken **items;
	int *fds;

	if (leases->n < leases->capacity)
		return 0;
	items = reallocarray(leases->items, capacity, sizeof(*items));
	if (!items)
		return -ENOMEM;
	leases->items = items;
	fds = reallocarray(leases->fds, capacity, sizeof(*fds));
	if (!fds)
		return -ENOMEM;
	leases->fds = fds;
	leases->capacity = capacity;
	return 0;
}

int lease_take_at(struct leases *leases, int dir, const char *name, struct lease **ret,
		  struct error *err)
{
	struct taken *taken;
	int fd;

	if (reserve(leases) < 0)
		return error_oom(err);
	taken = calloc(1, sizeof(*taken));
	if (!taken)
		return error_oom(err);
	fd = open_file(dir, name, err);
	taken->lease.fd = fd;
	taken->index = leases->n;
	if (fd >= 0)
		ask(leases, &taken->lease);
	/* Afterwards: from here on nobody changes it unseen. */
	if (fd >= 0 && fstat(fd, &taken->lease.stat) < 0) {
		close(fd);
		fd = cannot_open(name, -EIO, err);
	}
	if (fd < 0) {
		free(taken);
		return fd;
	}
	leases->items[leases->n] = taken;
	leases->fds[leases->n++] = fd;
	*ret = &taken->lease;
	return 0;
}

int lease_take(struct leases *leases, const char *path, struct lease **ret, struct error *err)
{
	if (path[0] != '/') {
		error_set(err, -EINVAL, "%s is no absolute path", path);
		error_hint(err, "name it from the root: /...");
		return -EINVAL;
	}
	return lease_take_at(leases, AT_FDCWD, path, ret, err);
}

/* Let go at once: whoever opens the file waits for it. */
static void mark_broken(struct leases *leases, struct lease *lease)
{
	fcntl(lease->fd, F_SETLEASE, F_UNLCK);
	lease->broken = true;
	leases->n_broken++;
}

int lease_stands(struct leases *leases, struct lease *lease)
{
	if (lease->answer != LEASE_GRANTED || lease->broken)
		return 0;
	/* While it is being broken the kernel tells what it is to become. */
	if (fcntl(lease->fd, F_GETLEASE) == F_WRLCK)
		return 1;
	mark_broken(leases, lease);
	return 0;
}

void lease_drop(struct leases *leases, struct lease *lease)
{
	struct taken *taken = (struct taken *)lease, *last;

	if (!lease)
		return;
	last = leases->items[--leases->n];
	leases->items[taken->index] = last;
	leases->fds[taken->index] = leases->fds[leases->n];
	last->index = taken->index;
	if (lease->broken)
		leases->n_broken--;
	else if (lease->answer == LEASE_GRANTED)
		fcntl(lease->fd, F_SETLEASE, F_UNLCK);
	close(lease->fd);
	free(taken);
}

size_t leases_broken(struct leases *leases)
{
	if (drain(leases))
		for (size_t i = 0; i < leases->n; i++)
			lease_stands(leases, &leases->items[i]->lease);
	return leases->n_broken;
}

int leases_poll_fd(const struct leases *leases)
{
	return leases->signal_fd;
}

size_t leases_fds(const struct leases *leases, const int **ret)
{
	*ret = leases->fds;
	return leases->n;
}

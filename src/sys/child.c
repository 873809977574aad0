/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/child.h"
#include "sys/clock.h"
#include "sys/io.h"
#include "sys/process.h"

/* How long a signal of the operator may go unseen. */
#define SLICE_MS 50
/* How long a killed program may take to go. */
#define KILL_MS 1000

struct child {
	pid_t pid;
	int pidfd;
	int output; /* the read end; -1 after the end of the output */
	bool exited;
	bool reaped;
	uint64_t deadline_us;
};

int child_find(const char *name, char **ret, struct error *err)
{
	static const char *const dirs[] = { "/usr/sbin", "/sbin", "/usr/bin", "/bin" };
	char *path;
	size_t i;

	for (i = 0; i < ELEMENTS(dirs); i++) {
		if (asprintf(&path, "%s/%s", dirs[i], name) < 0)
			return error_oom(err);
		if (access(path, X_OK) == 0) {
			*ret = path;
			return 0;
		}
		free(path);
	}
	return error_set(err, -ENOENT, "%s is not installed", name);
}

/*
 * The group, so that what the program started itself goes too.  One that
 * hangs in the kernel does not die at once: it is left to init, for waiting
 * would hang us with it.
 */
static void stop(struct child *child)
{
	struct pollfd exit = { .fd = child->pidfd, .events = POLLIN };

	if (child->pid > 0 && !child->reaped) {
		kill(-child->pid, SIGKILL);
		(void)poll(&exit, 1, KILL_MS);
		(void)waitpid(child->pid, NULL, WNOHANG);
	}
	cleanup_fd(&child->pidfd);
	cleanup_fd(&child->output);
}

static int prepare_files(posix_spawn_file_actions_t *files, int output)
{
	int r = posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);

	if (r == 0)
		r = posix_spawn_file_actions_adddup2(files, output, STDOUT_FILENO);
	if (r == 0)
		r = posix_spawn_file_actions_addopen(files, STDERR_FILENO, "/dev/null", O_WRONLY,
						     0);
	if (r == 0)
		r = posix_spawn_file_actions_addclosefrom_np(files, STDERR_FILENO + 1);
	if (r == 0)
		r = posix_spawn_file_actions_addchdir_np(files, "/");
	return -r;
}

/* Ignored signals would stay ignored across exec. */
static int prepare_attributes(posix_spawnattr_t *attributes)
{
	sigset_t none, all;
	int r;

	sigemptyset(&none);
	sigfillset(&all);
	r = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
							 POSIX_SPAWN_SETSIGMASK);
	if (r == 0)
		r = posix_spawnattr_setpgroup(attributes, 0);
	if (r == 0)
		r = posix_spawnattr_setsigdefault(attributes, &all);
	if (r == 0)
		r = posix_spawnattr_setsigmask(attributes, &none);
	return -r;
}

static int spawn(const char *const argv[], int output, pid_t *ret)
{
	static const char *const environment[] = { "PATH=" PROCESS_PATH, "LANG=C", "LC_ALL=C",
						   NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	int r;

	if (posix_spawn_file_actions_init(&files) != 0)
		return -ENOMEM;
	if (posix_spawnattr_init(&attributes) != 0) {
		posix_spawn_file_actions_destroy(&files);
		return -ENOMEM;
	}
	r = prepare_files(&files, output);
	if (r == 0)
		r = prepare_attributes(&attributes);
	if (r == 0)
		r = -posix_spawn(ret, argv[0], &files, &attributes, (char **)(uintptr_t)argv,
				 (char **)(uintptr_t)environment);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	return r;
}

static int start(const char *const argv[], struct child *child)
{
	int ends[2], r;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	child->output = ends[0];
	r = spawn(argv, ends[1], &child->pid);
	close(ends[1]);
	if (r < 0)
		return r;
	child->pidfd = (int)syscall(SYS_pidfd_open, child->pid, 0);
	if (child->pidfd < 0 || fcntl(child->output, F_SETFL, O_NONBLOCK) < 0)
		return -errno;
	return 0;
}

/* What can be read now. */
static int drain(struct child *child, size_t max, struct buf *ret)
{
	char chunk[16 << 10];
	ssize_t n;

	for (;;) {
		n = read(child->output, chunk, sizeof(chunk));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN ? 0 : -errno;
		if (n == 0)
			break;
		if ((size_t)n > max - ret->len)
			return -EFBIG;
		if (buf_add(ret, chunk, (size_t)n) < 0)
			return buf_error(ret);
	}
	close(child->output);
	child->output = -1;
	return 0;
}

/* One wait of at most a slice.  poll(2) passes over descriptors of -1. */
static int wait_slice(struct child *child, size_t max, struct buf *ret)
{
	struct pollfd fds[] = {
		{ .fd = child->output, .events = POLLIN },
		{ .fd = child->exited ? -1 : child->pidfd, .events = POLLIN },
	};

	if (*process_cancelled())
		return -ECANCELED;
	if (clock_monotonic_us() >= child->deadline_us)
		return -ETIMEDOUT;
	if (poll(fds, ELEMENTS(fds), SLICE_MS) < 0)
		return errno == EINTR ? 0 : -errno;
	if (fds[1].revents)
		child->exited = true;
	return fds[0].revents ? drain(child, max, ret) : 0;
}

/* A program that left something behind that still writes is waited for, too. */
static int collect(struct child *child, size_t max, struct buf *ret, int *ret_status)
{
	int r, status;

	while (child->output >= 0 || !child->exited) {
		r = wait_slice(child, max, ret);
		if (r < 0)
			return r;
	}
	while (waitpid(child->pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	child->reaped = true;
	if (!WIFEXITED(status))
		return -EPIPE;
	*ret_status = WEXITSTATUS(status);
	return 0;
}

static int explain(const char *program, int code, uint64_t timeout_us, size_t max,
		   struct error *err)
{
	switch (-code) {
	case ENOMEM:
		return error_oom(err);
	case ETIMEDOUT:
		return error_set(err, code, "%s did not answer within %.1f s", program,
				 (double)timeout_us / 1e6);
	case EFBIG:
		return error_set(err, code, "%s wrote more than %zu bytes", program, max);
	case ECANCELED:
		return error_set(err, code, "stopped while %s ran", program);
	case EPIPE:
		return error_set(err, code, "%s was killed by a signal", program);
	default:
		return error_set(err, code, "cannot run %s: %s", program, strerror(-code));
	}
}

int child_run(const char *const argv[], uint64_t timeout_us, size_t max, struct buf *ret,
	      int *ret_status, struct error *err)
{
	struct child child = { .pidfd = -1,
			       .output = -1,
			       .deadline_us = clock_monotonic_us() + timeout_us };
	AUTO_BUF output = BUF_INIT_MAX(max);
	int r = start(argv, &child);

	if (r == 0)
		r = collect(&child, max, &output, ret_status);
	stop(&child);
	if (r < 0)
		return explain(argv[0], r, timeout_us, max, err);
	if (buf_add(ret, buf_text(&output), output.len) < 0)
		return error_set(err, buf_error(ret), "the output of %s does not fit", argv[0]);
	return 0;
}

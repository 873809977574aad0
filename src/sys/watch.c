/* SPDX-License-Identifier: MIT */
#include "sys/watch.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sys/clock.h"

/* How late a signal may be seen that comes right before the poll. */
#define SLICE_MS 50
#define MAX_PROCESSES 256

struct watch {
	struct pollfd fds[1 + MAX_PROCESSES]; /* the first is inotify's */
	nfds_t n;
};

int watch_open(struct host *host, struct watch **ret, struct error *err)
{
	CLEANUP(cleanup_watch) struct watch *watch = NULL;

	if (!host_is_live(host))
		return error_set(err, -EPERM, "nothing happens in a capture");
	watch = calloc(1, sizeof(*watch));
	if (!watch)
		return error_oom(err);
	watch->fds[0].fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (watch->fds[0].fd < 0)
		return error_set(err, -errno, "files cannot be watched: %s", strerror(errno));
	watch->fds[0].events = POLLIN;
	watch->n = 1;
	*ret = TAKE(watch);
	return 0;
}

void watch_free(struct watch *watch)
{
	for (nfds_t i = 0; watch && i < watch->n; i++)
		close(watch->fds[i].fd);
	free(watch);
}

int watch_file(struct watch *watch, const char *path, struct error *err)
{
	const uint32_t mask = IN_CLOSE_WRITE | IN_CLOSE_NOWRITE | IN_DELETE_SELF | IN_MOVE_SELF;

	if (inotify_add_watch(watch->fds[0].fd, path, mask | IN_DONT_FOLLOW) >= 0)
		return 1;
	return errno == ENOMEM ? error_oom(err) : 0;
}

int watch_process(struct watch *watch, pid_t pid, struct error *err)
{
	int fd;

	if (watch->n == ELEMENTS(watch->fds))
		return 0;
	/* glibc 2.36 has a wrapper; the kernel has the call since 5.3. */
	fd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (fd < 0)
		return errno == ENOMEM ? error_oom(err) : 0;
	watch->fds[watch->n++] = (struct pollfd){ .fd = fd, .events = POLLIN };
	return 1;
}

/* Whatever was queued is one reason to look again. */
static void drain(struct watch *watch)
{
	char events[4096];

	while (read(watch->fds[0].fd, events, sizeof(events)) > 0)
		;
}

int watch_wait(struct watch *watch, uint64_t deadline_us, const volatile sig_atomic_t *cancelled,
	       struct error *err)
{
	for (;;) {
		uint64_t now = clock_monotonic_us();
		int slice = SLICE_MS, n;

		if (*cancelled)
			return error_set(err, -ECANCELED, "stopped by the operator");
		if (now >= deadline_us)
			return 0;
		if (deadline_us - now < SLICE_MS * UINT64_C(1000))
			slice = (int)((deadline_us - now + 999) / 1000);
		n = poll(watch->fds, watch->n, slice);
		if (n < 0 && errno != EINTR)
			return error_set(err, -errno, "cannot wait: %s", strerror(errno));
		if (n > 0) {
			drain(watch);
			return 1;
		}
	}
}

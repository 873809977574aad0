/* SPDX-License-Identifier: MIT */
#include "sys/watch.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/clock.h"

static const volatile sig_atomic_t going;

static struct watch *opened(struct host **host)
{
	struct watch *watch = NULL;

	cr_assert_eq(host_open(NULL, host, NULL), 0);
	cr_assert_eq(watch_open(*host, &watch, NULL), 0);
	return watch;
}

static uint64_t in(unsigned ms)
{
	return clock_monotonic_us() + ms * UINT64_C(1000);
}

Test(watch, a_closed_file_is_an_event)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	CLEANUP(cleanup_watch) struct watch *watch = opened(&host);
	char path[] = "/tmp/coldswap-watch-XXXXXX";
	int fd = mkstemp(path);

	cr_assert_geq(fd, 0);
	cr_expect_eq(watch_file(watch, path, NULL), 1);
	cr_expect_eq(watch_wait(watch, in(20), &going, NULL), 0, "open is none");
	close(fd);
	cr_expect_eq(watch_wait(watch, in(5000), &going, NULL), 1);
	cr_expect_eq(watch_wait(watch, in(20), &going, NULL), 0, "and is taken");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	close(fd);
	cr_expect_eq(watch_wait(watch, in(5000), &going, NULL), 1, "a reader's too");
	unlink(path);
	cr_expect_eq(watch_wait(watch, in(5000), &going, NULL), 1, "its end");
	cr_expect_eq(watch_file(watch, path, NULL), 0);
}

Test(watch, the_end_of_a_process_is_an_event)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	CLEANUP(cleanup_watch) struct watch *watch = opened(&host);
	pid_t pid = fork();

	if (pid == 0) {
		usleep(100000);
		_exit(0);
	}
	cr_expect_eq(watch_process(watch, pid, NULL), 1);
	cr_expect_eq(watch_wait(watch, in(5000), &going, NULL), 1);
	waitpid(pid, NULL, 0);
	cr_expect_eq(watch_process(watch, pid, NULL), 0);
}

Test(watch, a_deadline_and_the_operator_end_it)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	CLEANUP(cleanup_watch) struct watch *watch = opened(&host);
	const volatile sig_atomic_t stopped = 2;
	uint64_t start = clock_monotonic_us();

	cr_expect_eq(watch_wait(watch, in(30), &going, NULL), 0);
	cr_expect_geq(clock_monotonic_us() - start, 30000);
	cr_expect_eq(watch_wait(watch, in(5000), &stopped, NULL), -ECANCELED);
}

Test(watch, nothing_happens_in_a_capture)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	struct watch *watch = NULL;

	cr_assert_eq(host_open("/tmp", &host, NULL), 0);
	cr_expect_eq(watch_open(host, &watch, NULL), -EPERM);
}

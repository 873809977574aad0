/* SPDX-License-Identifier: MIT */
/* A child asks at a pseudo-terminal of its own; the test is the operator. */
#ifndef COLDSWAP_TESTS_UNIT_SYS_DESK_H
#define COLDSWAP_TESTS_UNIT_SYS_DESK_H

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "sys/console.h"
#include "sys/process.h"

struct desk {
	int operator, tty;
	pid_t pid;
	char seen[1 << 16];
	size_t n;
};

typedef int child_function(struct console *console);

static inline void desk_open(struct desk *desk)
{
	*desk = (struct desk){ .operator= posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC) };
	if (desk->operator<0 || grantpt(desk->operator) < 0 || unlockpt(desk->operator) < 0)
		cr_skip_test("no pseudo-terminals here");
	desk->tty = open(ptsname(desk->operator), O_RDWR | O_NOCTTY | O_CLOEXEC);
	cr_assert_geq(desk->tty, 0);
}

/* The child leads a session whose terminal this is; what it returns is its exit code. */
static inline void desk_run(struct desk *desk, child_function *function)
{
	struct console *console = NULL;
	int code;

	fflush(NULL);
	desk->pid = fork();
	cr_assert_geq(desk->pid, 0);
	if (desk->pid > 0)
		return;
	setsid();
	if (ioctl(desk->tty, TIOCSCTTY, 0) < 0)
		_exit(101);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	close(desk->operator);
	close(desk->tty);
	if (process_harden(NULL) < 0 || console_open(&console, NULL) < 0)
		_exit(102);
	code = function(console);
	console_free(console);
	_exit(code);
}

/* Reads until `text` was seen; false when the terminal says no more for two seconds. */
static inline bool desk_sees(struct desk *desk, const char *text)
{
	struct pollfd fd = { .fd = desk->operator, .events = POLLIN };
	ssize_t n;

	while (!strstr(desk->seen, text)) {
		if (poll(&fd, 1, 2000) <= 0)
			return false;
		n = read(desk->operator, desk->seen + desk->n, sizeof(desk->seen) - desk->n - 1);
		if (n <= 0)
			return false;
		desk->n += (size_t)n;
		desk->seen[desk->n] = '\0';
	}
	return true;
}

static inline void desk_types(struct desk *desk, const char *text)
{
	cr_assert_eq(write(desk->operator, text, strlen(text)), (ssize_t)strlen(text));
}

static inline bool desk_echoes(struct desk *desk)
{
	struct termios now;

	cr_assert_eq(tcgetattr(desk->tty, &now), 0);
	return now.c_lflag & ECHO;
}

static inline int desk_end(struct desk *desk)
{
	int status;

	cr_assert_eq(waitpid(desk->pid, &status, 0), desk->pid);
	if (desk->operator>= 0)
		close(desk->operator);
	close(desk->tty);
	return status;
}

/* The settings change a moment after the prompt's bytes, or before: a test waits for them. */
static inline bool desk_becomes(struct desk *desk, bool echo)
{
	int i;

	for (i = 0; i < 200; i++) {
		if (desk_echoes(desk) == echo)
			return true;
		usleep(10000);
	}
	return false;
}

#endif

/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "sys/terminal.h"

static int open_terminal(unsigned short columns)
{
	struct winsize size = { .ws_row = 24, .ws_col = columns };
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	const char *name;
	int fd;

	if (master < 0 || grantpt(master) < 0 || unlockpt(master) < 0)
		cr_skip_test("no pseudo-terminals here");
	name = ptsname(master);
	fd = open(name, O_RDWR | O_NOCTTY);
	cr_assert_geq(fd, 0);
	cr_assert_eq(ioctl(fd, TIOCSWINSZ, &size), 0);
	return fd;
}

Test(terminal, width_of_what_is_none)
{
	int fd = open("/dev/null", O_WRONLY);

	unsetenv("COLUMNS");
	cr_expect_not(terminal_is(fd));
	cr_expect_eq(terminal_width(fd), 80);
	setenv("COLUMNS", "120", 1);
	cr_expect_eq(terminal_width(fd), 120);
	setenv("COLUMNS", "12x", 1);
	cr_expect_eq(terminal_width(fd), 80);
	setenv("COLUMNS", "1", 1);
	cr_expect_eq(terminal_width(fd), 20);
	setenv("COLUMNS", "99999", 1);
	cr_expect_eq(terminal_width(fd), 500);
	close(fd);
}

Test(terminal, width_of_a_terminal)
{
	int fd = open_terminal(132);

	unsetenv("COLUMNS");
	cr_expect(terminal_is(fd));
	cr_expect_eq(terminal_width(fd), 132);
	close(fd);
}

Test(terminal, color_wants_a_terminal_that_has_it)
{
	int fd = open_terminal(80), null = open("/dev/null", O_WRONLY);

	setenv("TERM", "xterm", 1);
	unsetenv("NO_COLOR");
	cr_expect(terminal_has_color(fd));
	cr_expect_not(terminal_has_color(null));
	setenv("NO_COLOR", "", 1);
	cr_expect(terminal_has_color(fd));
	setenv("NO_COLOR", "1", 1);
	cr_expect_not(terminal_has_color(fd));
	unsetenv("NO_COLOR");
	setenv("TERM", "dumb", 1);
	cr_expect_not(terminal_has_color(fd));
	unsetenv("TERM");
	cr_expect_not(terminal_has_color(fd));
	close(fd);
	close(null);
}

/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/parse.h"
#include "sys/terminal.h"

#define WIDTH_DEFAULT 80
#define WIDTH_MIN 20
#define WIDTH_MAX 500

bool terminal_is(int fd)
{
	return isatty(fd) == 1;
}

static unsigned width_told(int fd)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size = { 0 };
	unsigned width;

	if (columns && parse_unsigned(columns, &width) == 0 && width)
		return width;
	if (terminal_is(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col)
		return size.ws_col;
	return WIDTH_DEFAULT;
}

unsigned terminal_width(int fd)
{
	unsigned width = width_told(fd);

	if (width < WIDTH_MIN)
		return WIDTH_MIN;
	return width > WIDTH_MAX ? WIDTH_MAX : width;
}

bool terminal_can_redraw(int fd)
{
	const char *term = getenv("TERM");

	return terminal_is(fd) && term && *term && strcmp(term, "dumb") != 0;
}

bool terminal_has_color(int fd)
{
	const char *no_color = getenv("NO_COLOR");

	return terminal_can_redraw(fd) && !(no_color && *no_color);
}

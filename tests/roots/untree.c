/* SPDX-License-Identifier: MIT */
/* untree FILE DIR: unpack a tree of tests/roots (README.md has the format). */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *file;
static unsigned line_number;

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "%s:%u: %s: %s\n", file, line_number, what,
		errno ? strerror(errno) : "see tests/roots/README.md");
	exit(1);
}

static void make_directories(const char *path)
{
	char part[PATH_MAX];

	if (snprintf(part, sizeof(part), "%s", path) >= (int)sizeof(part))
		die("path too long");
	for (char *slash = part + 1; *slash; slash++) {
		if (*slash != '/')
			continue;
		*slash = '\0';
		if (mkdir(part, 0777) < 0 && errno != EEXIST)
			die(part);
		*slash = '/';
	}
	errno = 0;
}

static void write_whole(int fd, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, bytes, len);

		if (n <= 0)
			die("write");
		bytes += n;
		len -= (size_t)n;
	}
}

static int hex_value(char c)
{
	const char *digits = "0123456789abcdef", *found = c ? strchr(digits, c) : NULL;

	if (!found)
		die("not a hexadecimal digit");
	return (int)(found - digits);
}

static void write_hex(int fd, const char *digits)
{
	char bytes[256];
	size_t n = 0;

	for (; *digits; digits += 2) {
		if (n == sizeof(bytes))
			die("line too long");
		bytes[n++] = (char)(hex_value(digits[0]) << 4 | hex_value(digits[1]));
	}
	write_whole(fd, bytes, n);
}

/* What stands after a name; at most one of them is in the rest of the line. */
enum form { FORM_LINE, FORM_LINK, FORM_TEXT, FORM_TEXT_OPEN, FORM_HEX, FORM_EMPTY };

static enum form split_entry(char *line, char **ret_value)
{
	static const char *const ends[] = { " text", " text-", " hex", " empty" };
	static const enum form forms[] = { FORM_TEXT, FORM_TEXT_OPEN, FORM_HEX, FORM_EMPTY };
	size_t len = strlen(line);
	char *equals = strstr(line, " = "), *arrow = strstr(line, " -> ");

	if (arrow && (!equals || arrow < equals)) {
		*arrow = '\0';
		*ret_value = arrow + 4;
		return FORM_LINK;
	}
	if (equals) {
		*equals = '\0';
		*ret_value = equals + 3;
		return FORM_LINE;
	}
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		size_t end = strlen(ends[i]);

		if (len > end && strcmp(line + len - end, ends[i]) == 0) {
			line[len - end] = '\0';
			return forms[i];
		}
	}
	die("neither a directory nor an entry");
}

struct state {
	int fd;             /* of the file whose lines follow; -1 none */
	enum form form;     /* of that file */
	bool pending;       /* a line end is owed: TEXT_OPEN has none after its last */
	char dir[PATH_MAX]; /* with a slash at the end */
};

static void finish_file(struct state *s)
{
	if (s->fd < 0)
		return;
	if (s->pending && s->form == FORM_TEXT)
		write_whole(s->fd, "\n", 1);
	if (close(s->fd) < 0)
		die("close");
	s->fd = -1;
}

static void continue_file(struct state *s, const char *rest)
{
	if (s->fd < 0)
		die("a line of no file");
	if (s->form == FORM_HEX) {
		write_hex(s->fd, rest);
		return;
	}
	if (s->pending)
		write_whole(s->fd, "\n", 1);
	write_whole(s->fd, rest, strlen(rest));
	s->pending = true;
}

static void start_entry(struct state *s, char *line)
{
	char path[PATH_MAX], *value = NULL;
	enum form form = split_entry(line, &value);

	if (snprintf(path, sizeof(path), "%s%s", s->dir, line) >= (int)sizeof(path))
		die("path too long");
	if (form == FORM_LINK) {
		if (symlink(value, path) < 0)
			die(path);
		return;
	}
	s->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (s->fd < 0)
		die(path);
	s->form = form;
	s->pending = false;
	if (form == FORM_LINE) {
		write_whole(s->fd, value, strlen(value));
		write_whole(s->fd, "\n", 1);
	}
	if (form == FORM_LINE || form == FORM_EMPTY)
		finish_file(s);
}

int main(int argc, char **argv)
{
	struct state s = { .fd = -1 };
	char *line = NULL;
	size_t capacity = 0;
	ssize_t len;
	FILE *in;

	if (argc != 3) {
		fprintf(stderr, "usage: untree FILE DIR\n");
		return 2;
	}
	file = argv[1];
	in = fopen(file, "re");
	if (!in)
		die("open");
	while ((len = getline(&line, &capacity, in)) >= 0) {
		line_number++;
		errno = 0;
		if (len > 0 && line[len - 1] == '\n')
			line[--len] = '\0';
		if (line[0] == '\t') {
			continue_file(&s, line + 1);
			continue;
		}
		finish_file(&s);
		if (len == 0 || line[0] == '#')
			continue;
		if (line[0] == '/' && line[len - 1] == '/') {
			if (snprintf(s.dir, sizeof(s.dir), "%s%s", argv[2], line) >=
			    (int)sizeof(s.dir))
				die("path too long");
			make_directories(s.dir);
			continue;
		}
		start_entry(&s, line);
	}
	finish_file(&s);
	free(line);
	return fclose(in) ? 1 : 0;
}

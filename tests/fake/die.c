/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"

void die(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fputs("fake: ", stderr);
	vfprintf(stderr, fmt, args);
	fputc('\n', stderr);
	va_end(args);
	exit(4);
}

void *need(void *pointer)
{
	if (!pointer)
		die("out of memory");
	return pointer;
}

char *copy(const char *text)
{
	return need(strdup(text));
}

void set_text(char **to, const char *text)
{
	char *fresh = copy(text);

	free(*to);
	*to = fresh;
}

/* One write a line: a test reads the log while the fake runs. */
void note(struct fake *fake, const char *fmt, ...)
{
	char path[4096];
	va_list args;
	FILE *log;

	snprintf(path, sizeof(path), "%s/log", fake->dir);
	log = fopen(path, "ae");
	if (!log)
		die("cannot write %s: %m", path);
	va_start(args, fmt);
	vfprintf(log, fmt, args);
	fputc('\n', log);
	va_end(args);
	if (fclose(log) != 0)
		die("cannot write %s: %m", path);
}

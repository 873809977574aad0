/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "error.h"

/* NULL when there is no memory: the words are lost, the code never is. */
static char *format(const char *fmt, va_list args) PRINTF_LIKE(1, 0);

static char *format(const char *fmt, va_list args)
{
	char *text = NULL;

	return vasprintf(&text, fmt, args) < 0 ? NULL : text;
}

int error_set(struct error *err, int code, const char *fmt, ...)
{
	char *message;
	va_list args;

	if (!err)
		return code;
	/* The arguments may point into the error that is replaced. */
	va_start(args, fmt);
	message = format(fmt, args);
	va_end(args);
	error_done(err);
	err->code = code;
	err->message = message;
	return code;
}

int error_wrap(struct error *err, const char *fmt, ...)
{
	AUTO_FREE char *prefix = NULL;
	char *message = NULL;
	va_list args;

	if (!err)
		return -EIO;
	va_start(args, fmt);
	prefix = format(fmt, args);
	va_end(args);
	if (prefix && asprintf(&message, "%s: %s", prefix, error_text(err)) >= 0) {
		free(err->message);
		err->message = message;
	}
	return err->code ? err->code : -EIO;
}

void error_hint(struct error *err, const char *fmt, ...)
{
	char *hint;
	va_list args;

	if (!err)
		return;
	va_start(args, fmt);
	hint = format(fmt, args);
	va_end(args);
	free(err->hint);
	err->hint = hint;
}

int error_oom(struct error *err)
{
	return error_set(err, -ENOMEM, "out of memory");
}

int error_copy(struct error *to, const struct error *from)
{
	if (!to || to == from)
		return from->code;
	error_done(to);
	to->code = from->code;
	to->message = from->message ? strdup(from->message) : NULL;
	to->hint = from->hint ? strdup(from->hint) : NULL;
	return to->code;
}

const char *error_text(const struct error *err)
{
	if (!err)
		return "unknown error";
	if (err->message)
		return err->message;
	return strerror(err->code < 0 ? -err->code : err->code);
}

void error_done(struct error *err)
{
	if (!err)
		return;
	free(err->message);
	free(err->hint);
	err->message = NULL;
	err->hint = NULL;
	err->code = 0;
}

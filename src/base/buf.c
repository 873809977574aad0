/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "buf.h"

#define CAPACITY_FIRST 128

static int fail(struct buf *buf, int code)
{
	buf->failed = code;
	return code;
}

/* Make room for `len` more bytes and the final NUL. */
static int reserve(struct buf *buf, size_t len)
{
	size_t max = buf->max ? buf->max : BUF_MAX_DEFAULT;
	size_t need, capacity;
	char *data;

	if (buf->failed)
		return buf->failed;
	if (buf->len > max || len > max - buf->len)
		return fail(buf, -EFBIG);
	if (len > SIZE_MAX - 1 - buf->len)
		return fail(buf, -ENOMEM);
	need = buf->len + len + 1;
	if (need <= buf->capacity)
		return 0;
	capacity = buf->capacity ? buf->capacity : CAPACITY_FIRST;
	while (capacity < need)
		capacity = capacity > SIZE_MAX / 2 ? need : capacity * 2;
	data = realloc(buf->data, capacity);
	if (!data)
		return fail(buf, -ENOMEM);
	buf->data = data;
	buf->capacity = capacity;
	return 0;
}

int buf_add(struct buf *buf, const void *bytes, size_t len)
{
	int r = reserve(buf, len);

	if (r < 0)
		return r;
	if (len)
		memcpy(buf->data + buf->len, bytes, len);
	buf->len += len;
	buf->data[buf->len] = '\0';
	return 0;
}

int buf_adds(struct buf *buf, const char *text)
{
	return buf_add(buf, text, strlen(text));
}

int buf_addc(struct buf *buf, char c)
{
	return buf_add(buf, &c, 1);
}

int buf_vaddf(struct buf *buf, const char *fmt, va_list args)
{
	va_list again;
	int len, r;

	if (buf->failed)
		return buf->failed;
	va_copy(again, args);
	len = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (len < 0)
		return fail(buf, -errno);
	r = reserve(buf, (size_t)len);
	if (r < 0)
		return r;
	vsnprintf(buf->data + buf->len, (size_t)len + 1, fmt, args);
	buf->len += (size_t)len;
	return 0;
}

int buf_addf(struct buf *buf, const char *fmt, ...)
{
	va_list args;
	int r;

	va_start(args, fmt);
	r = buf_vaddf(buf, fmt, args);
	va_end(args);
	return r;
}

int buf_error(const struct buf *buf)
{
	return buf->failed;
}

const char *buf_text(const struct buf *buf)
{
	return buf->data ? buf->data : "";
}

char *buf_take(struct buf *buf)
{
	char *text;

	if (!buf->failed && !buf->data)
		(void)buf_add(buf, "", 0);
	if (buf->failed) {
		/* The error stays, so that it can still be asked for. */
		free(buf->data);
		buf->data = NULL;
	}
	text = TAKE(buf->data);
	buf->len = 0;
	buf->capacity = 0;
	return text;
}

void buf_clear(struct buf *buf)
{
	buf->len = 0;
	buf->failed = 0;
	if (buf->data)
		buf->data[0] = '\0';
}

void buf_done(struct buf *buf)
{
	free(buf->data);
	buf->data = NULL;
	buf->len = 0;
	buf->capacity = 0;
	buf->failed = 0;
}

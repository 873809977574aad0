/* SPDX-License-Identifier: MIT */
/*
 * struct buf: a growing byte string with an upper bound.
 *
 * `data` is always NUL-terminated once something was added (the NUL is not
 * counted in `len`), and is NULL before.  The first failed append (-ENOMEM,
 * or -EFBIG over `max`) sticks: later appends do nothing and return the same
 * code, so a writer may append freely and look at buf_error() once.
 */
#ifndef COLDSWAP_BUF_H
#define COLDSWAP_BUF_H

#include <stdarg.h>
#include <stddef.h>

#include "attr.h"

struct buf {
	char *data;
	size_t len;
	size_t capacity;
	size_t max; /* bytes; 0 = BUF_MAX_DEFAULT */
	int failed; /* 0 or the negative errno that stuck */
};

#define BUF_MAX_DEFAULT ((size_t)64 << 20)
#define BUF_INIT                                                                                   \
	{                                                                                          \
		0                                                                                  \
	}
#define BUF_INIT_MAX(bytes)                                                                        \
	{                                                                                          \
		.max = (bytes)                                                                     \
	}

int buf_add(struct buf *buf, const void *bytes, size_t len);
int buf_adds(struct buf *buf, const char *text);
int buf_addc(struct buf *buf, char c);
int buf_addf(struct buf *buf, const char *fmt, ...) PRINTF_LIKE(2, 3);
int buf_vaddf(struct buf *buf, const char *fmt, va_list args) PRINTF_LIKE(2, 0);

/* The sticky error: 0 or a negative errno. */
int buf_error(const struct buf *buf);

/* The text so far; "" when empty; never NULL. */
const char *buf_text(const struct buf *buf);

/* Hand the string over (never NULL unless the buffer failed); empties. */
char *buf_take(struct buf *buf);

void buf_clear(struct buf *buf); /* keeps the memory and clears the error */
void buf_done(struct buf *buf);

#define AUTO_BUF CLEANUP(buf_done) struct buf

#endif

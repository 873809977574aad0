/* SPDX-License-Identifier: MIT */
/*
 * struct error: why a call failed, as one sentence, and what to do next.
 *
 * Every fallible function returns 0 or a negative errno and takes a
 * `struct error *` as its last parameter, which may be NULL.  The function
 * that sees the failure calls error_set(); each layer above adds its own
 * words once with error_wrap() ("cannot read the port map: ...").  Only a
 * verb of src/cli prints an error.
 *
 * An error owns its strings.  Start from ERROR_INIT, end with error_done();
 * both may be repeated.  Setting an error again replaces the earlier one.
 * Out of memory while formatting keeps the code and loses the words.
 */
#ifndef COLDSWAP_ERROR_H
#define COLDSWAP_ERROR_H

#include "attr.h"

struct error {
	int code;      /* negative errno; 0 = no error */
	char *message; /* one sentence without a final full stop, or NULL */
	char *hint;    /* the next action, or NULL */
};

#define ERROR_INIT                                                                                 \
	{                                                                                          \
		0, NULL, NULL                                                                      \
	}

/* Record a failure.  `code` is a negative errno; it is returned. */
int error_set(struct error *err, int code, const char *fmt, ...) PRINTF_LIKE(3, 4);

/*
 * Put "fmt: " before the message.  Returns the recorded code; -EIO when none
 * is known (`err` is NULL), never 0.
 */
int error_wrap(struct error *err, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Set the next action. */
void error_hint(struct error *err, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* -ENOMEM, with its words. */
int error_oom(struct error *err);

/* Deep copy; `to` is emptied first.  Returns from->code. */
int error_copy(struct error *to, const struct error *from);

/* The message, or the errno's own words; never NULL. */
const char *error_text(const struct error *err);

void error_done(struct error *err);

#endif

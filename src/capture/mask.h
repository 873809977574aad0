/* SPDX-License-Identifier: MIT */
/*
 * Secrets are taken out of a text before it is held: the word REMOVED stands
 * in their place, and every other byte and every line end stays, so that
 * evidence points to the same line of the same file.
 *
 * What is a secret is told by its name (a word such as token or password in
 * the name of an option, key or variable), by its form (user and password in
 * a URL, a private key), and where the name tells nothing by its place: the
 * values of an environment, the key column of crypttab.  A path is not one:
 * it says where data lies.  It is told from a secret that begins with a
 * slash by its first component, which must be one of the host's.
 */
#ifndef COLDSWAP_CAPTURE_MASK_H
#define COLDSWAP_CAPTURE_MASK_H

#include <stdbool.h>
#include <stddef.h>

#include "buf.h"
#include "capture/rows.h"

#define MASKED "REMOVED"

struct mask {
	char *const *tops; /* "etc", "data": what may stand first in a path; NULL-terminated */
};

/* Append `text` without its secrets.  0 or -ENOMEM. */
int mask_text(const struct mask *mask, enum hold hold, const char *text, size_t len,
	      struct buf *ret);

/* ---- its parts -------------------------------------------------------- */

struct span {
	const char *at, *end;
};

/* The whole text, or one setting of it, by names and forms. */
int mask_words(const struct mask *mask, enum hold hold, struct span text, struct buf *ret);
/* "A=/x B=secret": each value, word by word. */
int mask_environment(const struct mask *mask, struct span text, struct buf *ret);
/* A value of which nothing is known: its paths and options stay. */
int mask_value(const struct mask *mask, struct span value, struct buf *ret);

bool mask_is_path(const struct mask *mask, struct span word);
bool mask_is_secret_name(struct span name);
/* MASKED, with the line ends of what it replaces. */
int mask_removed(struct span secret, struct buf *ret);

#endif

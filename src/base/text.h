/* SPDX-License-Identifier: MIT */
/*
 * Text for a terminal: inert, measured in columns, wrapped.
 *
 * Names come from disks, files and remote servers.  Whatever reaches a
 * terminal goes through text_inert() first: control characters, ESC, bidi
 * controls, and bytes that are not valid UTF-8 become visible escapes
 * ("\x1b", "\u202e").
 */
#ifndef COLDSWAP_BASE_TEXT_H
#define COLDSWAP_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "buf.h"

/*
 * Append `text` made inert.  Newlines become "\n" escapes too.  Where the
 * locale is not UTF-8 everything beyond ASCII is escaped ("\u00e9").
 */
int text_inert(const char *text, struct buf *ret);
/* Is it valid UTF-8 (no overlong forms, no surrogates)? */
bool text_is_utf8(const char *text, size_t len);
/* Make any bytes valid UTF-8 for JSON: bad bytes become "\xNN" text. */
int text_to_utf8(const char *bytes, size_t len, struct buf *ret);
/* Columns on a terminal (wcwidth), of inert text in the current locale. */
unsigned text_columns(const char *text);
/*
 * Append `text` wrapped at blanks to `width` columns.  `first` columns of the
 * first line are taken already; each later line is indented by `indent`.  A
 * word longer than a line is not cut; a newline breaks; none is added at the
 * end.
 */
int text_wrap(const char *text, unsigned width, unsigned first, unsigned indent, struct buf *ret);
/* Append `text` padded with blanks to `width` columns, cut with "~" if longer. */
int text_pad(const char *text, unsigned width, struct buf *ret);

#endif

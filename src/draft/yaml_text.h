/* SPDX-License-Identifier: MIT */
/* Texts of any bytes as parts of a runbook. */
#ifndef COLDSWAP_DRAFT_YAML_TEXT_H
#define COLDSWAP_DRAFT_YAML_TEXT_H

#include <stdbool.h>

#include "buf.h"

/* Can a runbook hold it?  Not empty, and UTF-8. */
bool yaml_can_hold(const char *text);

/* `text` as it stands, which may hold references: "${move_up}". */
void yaml_quote(const char *text, struct buf *ret);
/* `text` taken literally: "${" in it is no reference. */
void yaml_quote_literal(const char *text, struct buf *ret);

/* "# ..." lines of at most 80 columns, `indent` blanks before them.  The text is made inert. */
void yaml_comment(unsigned indent, const char *text, struct buf *ret);
/* Likewise an item of a list: its further lines hang. */
void yaml_comment_item(const char *text, struct buf *ret);
void yaml_commentf(unsigned indent, struct buf *ret, const char *fmt, ...) PRINTF_LIKE(3, 4);

#endif

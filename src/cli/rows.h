/* SPDX-License-Identifier: MIT */
/* A list of names with a text each, aligned; or one fact a line under --plain. */
#ifndef COLDSWAP_CLI_ROWS_H
#define COLDSWAP_CLI_ROWS_H

#include "report/page.h"

/* `columns`: of the names; the text wraps beside them. */
void rows_item(struct page *page, const char *name, unsigned columns, const char *text);
/* A heading, with a blank line before it; nothing under --plain. */
void rows_heading(struct page *page, const char *text);
void rows_paragraph(struct page *page, const char *label, const char *text);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef COLDSWAP_BASE_SAME_TEXT_H
#define COLDSWAP_BASE_SAME_TEXT_H

#include <stdbool.h>
#include <string.h>

/* NULL is a text that is not known, so not the same as another NULL either. */
static inline bool same_text(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

#endif

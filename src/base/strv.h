/* SPDX-License-Identifier: MIT */
/* NULL-terminated arrays of owned strings.  A NULL array is an empty one. */
#ifndef COLDSWAP_BASE_STRV_H
#define COLDSWAP_BASE_STRV_H

#include <stdbool.h>
#include <stddef.h>

#include "attr.h"

size_t strv_length(char *const *strv);
bool strv_has(char *const *strv, const char *text);
/* Append a copy; on -ENOMEM the array is unchanged. */
int strv_add(char ***strv, const char *text);
/* Append and own `text`; on -ENOMEM `text` is freed. */
int strv_take(char ***strv, char *text);
int strv_copy(char *const *strv, char ***ret);
void strv_free(char **strv);

static inline void cleanup_strv(char ***address)
{
	strv_free(*address);
}
#define AUTO_STRV CLEANUP(cleanup_strv)

#endif

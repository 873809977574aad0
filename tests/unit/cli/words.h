/* SPDX-License-Identifier: MIT */
/* Words of a command line that are there until the test ends: a call borrows them. */
#ifndef COLDSWAP_TESTS_WORDS_H
#define COLDSWAP_TESTS_WORDS_H

#include <criterion/criterion.h>
#include <string.h>

#include "base/strv.h"

static char **words_kept;

static inline char *word(const char *text)
{
	cr_assert_eq(strv_add(&words_kept, text), 0);
	return words_kept[strv_length(words_kept) - 1];
}

static inline void words_done(void)
{
	strv_free(words_kept);
}

#endif

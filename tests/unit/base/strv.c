/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>

#include "base/strv.h"

Test(strv, null_is_empty)
{
	cr_assert_eq(strv_length(NULL), 0);
	cr_assert_not(strv_has(NULL, "a"));
	strv_free(NULL);
}

Test(strv, adds_and_finds)
{
	AUTO_STRV char **strv = NULL;
	char name[16];
	int i;

	for (i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "n%d", i);
		cr_assert_eq(strv_add(&strv, name), 0);
	}
	cr_assert_eq(strv_length(strv), 100);
	cr_assert_str_eq(strv[99], "n99");
	cr_assert(strv_has(strv, "n50"));
	cr_assert_not(strv_has(strv, "n100"));
}

Test(strv, copy_is_deep_and_can_grow)
{
	AUTO_STRV char **from = NULL;
	AUTO_STRV char **to = NULL;

	strv_add(&from, "a");
	strv_add(&from, "b");
	cr_assert_eq(strv_copy(from, &to), 0);
	cr_assert_neq(from[0], to[0]);
	cr_assert_eq(strv_add(&to, "c"), 0);
	cr_assert_eq(strv_length(from), 2);
	cr_assert_eq(strv_length(to), 3);
}

Test(strv, copy_of_nothing_is_an_empty_array)
{
	AUTO_STRV char **to = NULL;

	cr_assert_eq(strv_copy(NULL, &to), 0);
	cr_assert_not_null(to);
	cr_assert_null(to[0]);
}

Test(strv, a_missing_string_is_no_memory)
{
	AUTO_STRV char **strv = NULL;

	cr_assert_eq(strv_take(&strv, NULL), -ENOMEM);
	cr_assert_null(strv);
}

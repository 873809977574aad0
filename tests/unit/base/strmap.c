/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>

#include "base/strmap.h"

Test(strmap, finds_each_of_many)
{
	struct strmap map = { 0 };
	char key[16];

	cr_expect_null(strmap_find(&map, "0"));
	for (size_t i = 0; i < 5000; i++) {
		snprintf(key, sizeof(key), "%zu", i);
		cr_assert_eq(strmap_add(&map, key, i), 0);
	}
	for (size_t i = 0; i < 5000; i++) {
		snprintf(key, sizeof(key), "%zu", i);
		cr_assert_not_null(strmap_find(&map, key));
		cr_expect_eq(*strmap_find(&map, key), i);
	}
	cr_expect_null(strmap_find(&map, "5000"));
	strmap_done(&map);
}

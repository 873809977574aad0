/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "base/digest.h"

/* The examples of FIPS 180-2. */
Test(digest, known_answers)
{
	char hex[65];

	cr_assert_eq(sha256_hex("abc", 3, hex, NULL), 0);
	cr_expect_str_eq(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	cr_assert_eq(sha256_hex("", 0, hex, NULL), 0);
	cr_expect_str_eq(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

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

/* RFC 4231, case 2. */
Test(digest, keyed)
{
	static const uint8_t want[HMAC_SHA256_LEN] = {
		0x5b, 0xdc, 0xc1, 0x46, 0xbf, 0x60, 0x75, 0x4e, 0x6a, 0x04, 0x24,
		0x26, 0x08, 0x95, 0x75, 0xc7, 0x5a, 0x00, 0x3f, 0x08, 0x9d, 0x27,
		0x39, 0x83, 0x9d, 0xec, 0x58, 0xb9, 0x64, 0xec, 0x38, 0x43,
	};
	uint8_t got[HMAC_SHA256_LEN];

	cr_assert_eq(hmac_sha256("Jefe", 4, "what do ya want for nothing?", 28, got, NULL), 0);
	cr_expect_arr_eq(got, want, sizeof(want));
}

/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>

#include "attr.h"
#include "base/parse.h"

Test(parse, u64)
{
	static const struct {
		const char *text;
		int r;
		uint64_t value;
	} rows[] = {
		{ "0", 0, 0 },
		{ "007", 0, 7 },
		{ "18446744073709551615", 0, UINT64_MAX },
		{ "18446744073709551616", -ERANGE, 0 },
		{ "99999999999999999999999", -ERANGE, 0 },
		{ "", -EINVAL, 0 },
		{ " 1", -EINVAL, 0 },
		{ "1 ", -EINVAL, 0 },
		{ "+1", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },
		{ "0x1", -EINVAL, 0 },
		{ "99999999999999999999999x", -EINVAL, 0 },
	};
	uint64_t value;
	size_t i;

	for (i = 0; i < ELEMENTS(rows); i++) {
		value = 0;
		cr_expect_eq(parse_u64(rows[i].text, &value), rows[i].r, "%s", rows[i].text);
		cr_expect_eq(value, rows[i].value, "%s", rows[i].text);
	}
}

Test(parse, unsigned_and_signed_bounds)
{
	unsigned u = 0;
	int64_t i = 0;

	cr_expect_eq(parse_unsigned("4294967295", &u), 0);
	cr_expect_eq(u, 4294967295U);
	cr_expect_eq(parse_unsigned("4294967296", &u), -ERANGE);
	cr_expect_eq(parse_i64("-9223372036854775808", &i), 0);
	cr_expect_eq(i, INT64_MIN);
	cr_expect_eq(parse_i64("9223372036854775808", &i), -ERANGE);
	cr_expect_eq(parse_i64("-9223372036854775809", &i), -ERANGE);
	cr_expect_eq(parse_i64("-", &i), -EINVAL);
	cr_expect_eq(parse_i64("--1", &i), -EINVAL);
}

Test(parse, hex)
{
	uint64_t value = 0;

	cr_expect_eq(parse_hex_u64("0x29", &value), 0);
	cr_expect_eq(value, 0x29);
	cr_expect_eq(parse_hex_u64("ffffFFFFffffFFFF", &value), 0);
	cr_expect_eq(value, UINT64_MAX);
	cr_expect_eq(parse_hex_u64("0x10000000000000000", &value), -ERANGE);
	cr_expect_eq(parse_hex_u64("0x", &value), -EINVAL);
	cr_expect_eq(parse_hex_u64("2g", &value), -EINVAL);
}

Test(parse, bool)
{
	bool value = false;

	cr_expect_eq(parse_bool("true", &value), 0);
	cr_expect(value);
	cr_expect_eq(parse_bool("false", &value), 0);
	cr_expect_not(value);
	cr_expect_eq(parse_bool("yes", &value), -EINVAL);
	cr_expect_eq(parse_bool("True", &value), -EINVAL);
	cr_expect_eq(parse_bool("", &value), -EINVAL);
}

Test(parse, size)
{
	static const struct {
		const char *text;
		int r;
		uint64_t value;
	} rows[] = {
		{ "4096", 0, 4096 },
		{ "10 GB", 0, 10000000000 },
		{ "10GB", 0, 10000000000 },
		{ "512 MiB", 0, 536870912 },
		{ "1 kB", 0, 1000 },
		{ "16383 PiB", 0, 16383ULL << 50 },
		{ "16384 PiB", -ERANGE, 0 },
		{ "10  GB", -EINVAL, 0 },
		{ "10 ", -EINVAL, 0 },
		{ "10 gb", -EINVAL, 0 },
		{ "10 G", -EINVAL, 0 },
		{ "GB", -EINVAL, 0 },
		{ "-1 GB", -EINVAL, 0 },
		{ "1.5 GB", -EINVAL, 0 },
		{ "99999999999999999999 GB", -ERANGE, 0 },
		{ "99999999999999999999 XB", -EINVAL, 0 },
	};
	uint64_t value;
	size_t i;

	for (i = 0; i < ELEMENTS(rows); i++) {
		value = 0;
		cr_expect_eq(parse_size(rows[i].text, &value), rows[i].r, "%s", rows[i].text);
		cr_expect_eq(value, rows[i].value, "%s", rows[i].text);
	}
}

Test(parse, duration)
{
	uint64_t us = 0;

	cr_expect_eq(parse_duration("500ms", &us), 0);
	cr_expect_eq(us, 500000);
	cr_expect_eq(parse_duration("5min", &us), 0);
	cr_expect_eq(us, 300000000);
	cr_expect_eq(parse_duration("2 h", &us), 0);
	cr_expect_eq(us, 7200000000);
	cr_expect_eq(parse_duration("60", &us), -EINVAL);
	cr_expect_eq(parse_duration("5m", &us), -EINVAL);
	cr_expect_eq(parse_duration("999999999999999999d", &us), -ERANGE);
}

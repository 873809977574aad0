/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "attr.h"
#include "base/parse.h"

struct unit {
	const char *name;
	uint64_t factor;
};

static int digit_of(char c, unsigned base)
{
	int digit = -1;

	if (c >= '0' && c <= '9')
		digit = c - '0';
	else if (c >= 'a' && c <= 'f')
		digit = c - 'a' + 10;
	else if (c >= 'A' && c <= 'F')
		digit = c - 'A' + 10;
	return digit < (int)base ? digit : -1;
}

/* The digits at the start of `text`; *ret_end is what follows them. */
static int digits(const char *text, unsigned base, uint64_t *ret, const char **ret_end)
{
	uint64_t value = 0;
	bool overflow = false;
	int digit;

	if (digit_of(*text, base) < 0)
		return -EINVAL;
	for (; (digit = digit_of(*text, base)) >= 0; text++)
		if (__builtin_mul_overflow(value, base, &value) ||
		    __builtin_add_overflow(value, (uint64_t)digit, &value))
			overflow = true;
	*ret_end = text;
	*ret = value;
	return overflow ? -ERANGE : 0;
}

static int whole(const char *text, unsigned base, uint64_t *ret)
{
	const char *end = "";
	uint64_t value;
	int r = digits(text, base, &value, &end);

	if (*end)
		return -EINVAL;
	if (r < 0)
		return r;
	*ret = value;
	return 0;
}

int parse_u64(const char *text, uint64_t *ret)
{
	return whole(text, 10, ret);
}

int parse_unsigned(const char *text, unsigned *ret)
{
	uint64_t value;
	int r = whole(text, 10, &value);

	if (r < 0)
		return r;
	if (value > UINT_MAX)
		return -ERANGE;
	*ret = (unsigned)value;
	return 0;
}

int parse_i64(const char *text, int64_t *ret)
{
	bool negative = *text == '-';
	uint64_t value;
	int r = whole(text + negative, 10, &value);

	if (r < 0)
		return r;
	if (value > (uint64_t)INT64_MAX + negative)
		return -ERANGE;
	*ret = negative ? (int64_t)(0 - value) : (int64_t)value;
	return 0;
}

int parse_hex_u64(const char *text, uint64_t *ret)
{
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		text += 2;
	return whole(text, 16, ret);
}

int parse_bool(const char *text, bool *ret)
{
	if (strcmp(text, "true") == 0)
		*ret = true;
	else if (strcmp(text, "false") == 0)
		*ret = false;
	else
		return -EINVAL;
	return 0;
}

/* "NUMBER UNIT", one blank at most between them. */
static int scaled(const char *text, const struct unit *units, size_t n, uint64_t *ret)
{
	const char *end = "";
	uint64_t value;
	size_t i;
	int r = digits(text, 10, &value, &end);

	if (r < 0 && r != -ERANGE)
		return r;
	if (*end == ' ' && end[1])
		end++;
	for (i = 0; i < n; i++)
		if (strcmp(end, units[i].name) == 0)
			break;
	if (i == n)
		return -EINVAL;
	if (r < 0 || __builtin_mul_overflow(value, units[i].factor, &value))
		return -ERANGE;
	*ret = value;
	return 0;
}

int parse_size(const char *text, uint64_t *ret)
{
	static const struct unit units[] = {
		{ "", 1 },
		{ "B", 1 },
		{ "kB", 1000 },
		{ "KB", 1000 },
		{ "MB", 1000000 },
		{ "GB", 1000000000 },
		{ "TB", 1000000000000 },
		{ "PB", 1000000000000000 },
		{ "KiB", (uint64_t)1 << 10 },
		{ "MiB", (uint64_t)1 << 20 },
		{ "GiB", (uint64_t)1 << 30 },
		{ "TiB", (uint64_t)1 << 40 },
		{ "PiB", (uint64_t)1 << 50 },
	};

	return scaled(text, units, ELEMENTS(units), ret);
}

int parse_duration(const char *text, uint64_t *ret_us)
{
	static const struct unit units[] = {
		{ "us", 1 },         { "ms", 1000 },      { "s", 1000000 },
		{ "min", 60000000 }, { "h", 3600000000 }, { "d", 86400000000 },
	};

	return scaled(text, units, ELEMENTS(units), ret_us);
}

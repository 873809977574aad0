/* SPDX-License-Identifier: MIT */
/* The forms in which one name stands in a tree. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "capture/renames.h"

#define DIGITS_MAX 64
#define TEXT_MAX 256
/* Shorter ones are too likely to be met by chance within longer words. */
#define WHOLE_BELOW 10
#define WHOLE_MIXED_BELOW 6 /* with letters and digits both */

static bool is_word(const char *text, size_t len)
{
	bool letter = false, digit = false;

	for (size_t i = 0; i < len; i++) {
		letter |= isalpha((unsigned char)text[i]) != 0;
		digit |= isdigit((unsigned char)text[i]) != 0;
	}
	return len < (letter && digit ? WHOLE_MIXED_BELOW : WHOLE_BELOW);
}

/* 1 when it is new, 0 when it was met before, or -ENOMEM. */
static int is_new(struct renames *renames, char sort, const char *name, size_t len)
{
	AUTO_BUF key = BUF_INIT;

	buf_addc(&key, sort);
	if (buf_add(&key, name, len) < 0)
		return -ENOMEM;
	if (strmap_find(&renames->known, key.data))
		return 0;
	return strmap_add(&renames->known, key.data, 0) < 0 ? -ENOMEM : 1;
}

int renames_keep(struct renames *renames, const char *text, size_t len)
{
	int r = is_new(renames, 'k', text, len);

	return r < 0 ? r : 0;
}

bool renames_keeps(const struct renames *renames, const char *text, size_t len)
{
	AUTO_BUF key = BUF_INIT;

	buf_addc(&key, 'k');
	return buf_add(&key, text, len) == 0 && strmap_find(&renames->known, key.data);
}

int renames_exempt(struct renames *renames, const char *hex)
{
	char digits[DIGITS_MAX];
	size_t len = renames_digits(hex, strlen(hex), digits, sizeof(digits));
	int r = len ? is_new(renames, 'x', digits, len) : 0;

	return r < 0 ? r : 0;
}

/* Digits in groups: "844412" with '-' is a UUID's form. */
static size_t group(const char *digits, const char *sizes, char sign, char *ret)
{
	size_t n = 0;

	for (; *sizes; sizes++) {
		size_t len = *sizes == 'c' ? 12 : (size_t)(*sizes - '0');

		memcpy(ret + n, digits, len);
		n += len;
		digits += len;
		if (sizes[1])
			ret[n++] = sign;
	}
	return n;
}

static int add_group(struct renames *renames, const char *old, const char *new, const char *sizes,
		     char sign)
{
	char from[DIGITS_MAX * 2], to[DIGITS_MAX * 2];
	size_t len = group(old, sizes, sign, from);

	group(new, sizes, sign, to);
	return renames_add_form(renames, from, len, to, len, false, len < WHOLE_BELOW);
}

static void to_bytes(const char *digits, size_t n, unsigned char *ret)
{
	for (size_t i = 0; i < n; i++) {
		unsigned byte = 0;

		sscanf(digits + 2 * i, "%2x", &byte);
		ret[i] = (unsigned char)byte;
	}
}

/* The first three parts of a GUID are numbers of the machine: least byte first. */
static void mix(unsigned char *bytes)
{
	static const unsigned char order[] = { 3, 2, 1, 0, 5, 4, 7, 6 };
	unsigned char copy[sizeof(order)];

	memcpy(copy, bytes, sizeof(copy));
	for (size_t i = 0; i < sizeof(order); i++)
		bytes[i] = copy[order[i]];
}

static int add_bytes(struct renames *renames, const char *old, const char *new, size_t len)
{
	unsigned char from[DIGITS_MAX / 2], to[DIGITS_MAX / 2];
	int r;

	to_bytes(old, len / 2, from);
	to_bytes(new, len / 2, to);
	r = renames_add_form(renames, from, len / 2, to, len / 2, true, false);
	if (r < 0 || len != 32)
		return r;
	mix(from);
	mix(to);
	return renames_add_form(renames, from, len / 2, to, len / 2, true, false);
}

/* ASCII in the two-byte letters of EFI. */
static int add_wide(struct renames *renames, const char *old, const char *new, size_t len)
{
	char from[2 * TEXT_MAX] = { 0 }, to[2 * TEXT_MAX] = { 0 };

	if (len > TEXT_MAX || len < 3)
		return 0;
	for (size_t i = 0; i < len; i++) {
		if ((unsigned char)old[i] >= 0x80)
			return 0;
		from[2 * i] = old[i];
		to[2 * i] = new[i];
	}
	/* tolower() of the zero bytes between does nothing. */
	return renames_add_form(renames, from, 2 * len, to, 2 * len, false, false);
}

static bool is_zero(const char *digits, size_t len)
{
	for (size_t i = 1; i < len; i++)
		if (digits[i] != digits[0])
			return false;
	return true;
}

int renames_add_hex(struct renames *renames, const char *text, size_t len, unsigned keep)
{
	char old[DIGITS_MAX], new[DIGITS_MAX];
	int r;

	len = renames_digits(text, len, old, sizeof(old));
	/* All zeros or ones name nothing. */
	if (len < 4 || is_zero(old, len))
		return 0;
	r = is_new(renames, 'x', old, len);
	if (r <= 0)
		return r;
	r = renames_hex_of(renames, old, len, keep, new);
	if (r == 0)
		r = renames_add_form(renames, old, len, new, len, false, len < WHOLE_BELOW);
	if (r == 0)
		r = add_wide(renames, old, new, len);
	if (r == 0 && len == 32) {
		r = add_group(renames, old, new, "8444c", '-');
		if (r == 0)
			r = add_group(renames, old, new, "8888", ':');
	}
	if (r == 0 && len == 8)
		r = add_group(renames, old, new, "44", '-');
	if (r == 0 && len == 12) {
		r = add_group(renames, old, new, "222222", ':');
		if (r == 0)
			r = add_group(renames, old, new, "222222", '-');
	}
	if (r == 0 && len == 16)
		r = add_group(renames, old, new, "22222222", ':');
	if (r == 0 && len >= 12 && len % 2 == 0)
		r = add_bytes(renames, old, new, len);
	return r;
}

/* As udev, or fstab, writes what may not stand in a name: "\x20", "\040", "_". */
static int add_escaped(struct renames *renames, const char *old, const char *new, size_t len,
		       const char *format)
{
	AUTO_BUF from = BUF_INIT, to = BUF_INIT;

	for (size_t i = 0; i < len; i++) {
		bool plain = isalnum((unsigned char)old[i]) || (unsigned char)old[i] >= 0x80 ||
			     (old[i] && strchr("#+-.:=@_", old[i]));

		if (plain)
			buf_addc(&from, old[i]), buf_addc(&to, new[i]);
		else if (strcmp(format, "_") == 0)
			buf_addc(&from, '_'), buf_addc(&to, '_');
		else if (strcmp(format, "x") == 0)
			buf_addf(&from, "\\x%02x", (unsigned char)old[i]),
				buf_addf(&to, "\\x%02x", (unsigned char)new[i]);
		else
			buf_addf(&from, "\\%03o", (unsigned char)old[i]),
				buf_addf(&to, "\\%03o", (unsigned char)new[i]);
	}
	if (buf_error(&from) < 0 || buf_error(&to) < 0)
		return -ENOMEM;
	if (from.len == len && memcmp(from.data, old, len) == 0)
		return 0;
	return renames_add_form(renames, from.data, from.len, to.data, to.len, false,
				is_word(old, len));
}

/* LVM writes its 32 letters as 6-4-4-4-4-4-6. */
static int add_lvm(struct renames *renames, const char *old, const char *new, size_t len)
{
	static const char sizes[] = "6444446";
	char from[64], to[64];

	if (len != 32)
		return 0;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)old[i]))
			return 0;
	len = group(old, sizes, '-', from);
	group(new, sizes, '-', to);
	return renames_add_form(renames, from, len, to, len, false, false);
}

int renames_add_text(struct renames *renames, const char *text, size_t len)
{
	static const char *const formats[] = { "_", "x", "o" };
	char new[TEXT_MAX];
	int r;

	if (!len || len > TEXT_MAX)
		return 0;
	r = is_new(renames, 't', text, len);
	if (r <= 0)
		return r;
	r = renames_text_of(renames, text, len, new);
	if (r == 0)
		r = renames_add_form(renames, text, len, new, len, false, is_word(text, len));
	if (r == 0)
		r = add_wide(renames, text, new, len);
	if (r == 0)
		r = add_lvm(renames, text, new, len);
	for (size_t i = 0; r == 0 && i < ELEMENTS(formats); i++)
		r = add_escaped(renames, text, new, len, formats[i]);
	return r;
}

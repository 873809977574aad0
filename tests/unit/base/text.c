/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <locale.h>
#include <string.h>

#include "base/text.h"

static void in_utf8(void)
{
	cr_assert_not_null(setlocale(LC_ALL, "C.UTF-8"));
}

static void expect_inert(const char *text, const char *expected)
{
	AUTO_BUF out = BUF_INIT;

	cr_expect_eq(text_inert(text, &out), 0);
	cr_expect_str_eq(buf_text(&out), expected);
}

Test(text, inert_escapes_what_a_terminal_obeys, .init = in_utf8)
{
	expect_inert("plain /dev/sda1", "plain /dev/sda1");
	expect_inert("\x1b[31mred", "\\x1b[31mred");
	expect_inert("a\nb\tc\r\x7f", "a\\nb\\tc\\x0d\\x7f");
	expect_inert("\xc2\x9b"
		     "31m",
		     "\\u009b31m");
	expect_inert("\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8f\xd8\x9c",
		     "\\u202e\\u2066\\u200f\\u061c");
	expect_inert("\xe2\x80\x8b\xef\xbb\xbf\xc2\xad", "\\u200b\\ufeff\\u00ad");
	expect_inert("\xf3\xa0\x81\x81", "\\U000e0041");
}

Test(text, inert_keeps_letters_and_escapes_bad_bytes, .init = in_utf8)
{
	expect_inert("Größe 日本 \xf0\x9f\x92\xbe", "Größe 日本 \xf0\x9f\x92\xbe");
	expect_inert("\xff\xfe", "\\xff\\xfe");
	expect_inert("\xc0\xaf", "\\xc0\\xaf");
	expect_inert("\xed\xa0\x80", "\\xed\\xa0\\x80");
	expect_inert("cut \xe2\x82", "cut \\xe2\\x82");
	expect_inert("UUID=x\\040y", "UUID=x\\040y");
}

/* U+00DB is C3 9B: an 8-bit terminal takes the second byte for CSI. */
Test(text, inert_is_ascii_where_the_locale_is_not_utf8)
{
	setlocale(LC_ALL, "C");
	expect_inert("\xc3\x9b"
		     "31m",
		     "\\u00db31m");
	expect_inert("\xf0\x9f\x92\xbe", "\\U0001f4be");
}

Test(text, is_utf8)
{
	cr_expect(text_is_utf8("", 0));
	cr_expect(text_is_utf8("é\xf4\x8f\xbf\xbf", 6));
	cr_expect_not(text_is_utf8("\xf4\x90\x80\x80", 4));
	cr_expect_not(text_is_utf8("\xe0\x80\xaf", 3));
	cr_expect_not(text_is_utf8("\xe2\x82", 2));
	cr_expect_not(text_is_utf8("\x80", 1));
}

Test(text, to_utf8_keeps_the_good_and_shows_the_bad)
{
	AUTO_BUF out = BUF_INIT;

	cr_expect_eq(text_to_utf8("é\xff\0z", 5, &out), 0);
	cr_expect_str_eq(buf_text(&out), "é\\xff\\x00z");
	cr_expect(text_is_utf8(out.data, out.len));
}

Test(text, columns, .init = in_utf8)
{
	cr_expect_eq(text_columns("abc"), 3);
	cr_expect_eq(text_columns("日本"), 4);
	cr_expect_eq(text_columns("é"), 1);
	cr_expect_eq(text_columns("e\xcc\x81"), 1);
	cr_expect_eq(text_columns("\xff"), 1);
}

static void expect_wrapped(const char *text, unsigned width, unsigned first, unsigned indent,
			   const char *expected)
{
	AUTO_BUF out = BUF_INIT;

	cr_expect_eq(text_wrap(text, width, first, indent, &out), 0);
	cr_expect_str_eq(buf_text(&out), expected);
}

Test(text, wrap, .init = in_utf8)
{
	expect_wrapped("one two three", 80, 0, 2, "one two three");
	expect_wrapped("one two three", 7, 0, 2, "one two\n  three");
	expect_wrapped("one two", 7, 2, 2, "one\n  two");
	expect_wrapped("averylongword x", 5, 0, 1, "averylongword\n x");
	expect_wrapped("word", 10, 8, 2, "\n  word");
	expect_wrapped("a  b", 80, 0, 0, "a  b");
	expect_wrapped("a\nb", 80, 0, 3, "a\n   b");
	expect_wrapped("", 80, 0, 3, "");
	expect_wrapped("日本 日本", 5, 0, 0, "日本\n日本");
}

static void expect_padded(const char *text, unsigned width, const char *expected)
{
	AUTO_BUF out = BUF_INIT;

	cr_expect_eq(text_pad(text, width, &out), 0);
	cr_expect_str_eq(buf_text(&out), expected);
}

Test(text, pad, .init = in_utf8)
{
	expect_padded("abc", 5, "abc  ");
	expect_padded("abc", 3, "abc");
	expect_padded("abcd", 3, "ab~");
	expect_padded("日本", 3, "日~");
	expect_padded("日本", 2, " ~");
	expect_padded("a", 0, "");
}

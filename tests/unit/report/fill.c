/* SPDX-License-Identifier: MIT */
#include "report/fill.h"

#include <criterion/criterion.h>

static void fills(const char *sentence, const char *a, const char *expected)
{
	AUTO_BUF text = BUF_INIT;

	cr_assert_eq(
		fill_sentence(sentence, (const struct fill[]){ { "a", a }, { NULL, NULL } }, &text),
		0);
	cr_expect_str_eq(buf_text(&text), expected);
}

Test(fill, holes_are_filled_wherever_the_sentence_puts_them)
{
	fills("{a} and {a}.", "x", "x and x.");
	fills("nothing", "x", "nothing");
}

Test(fill, what_is_no_hole_stays)
{
	fills("{b} {a", "x", "{b} {a");
	fills("{{a}}", "x", "{x}");
	fills("{} %s", "x", "{} %s");
}

Test(fill, a_value_is_never_searched_for_holes)
{
	fills("{a}!", "{a}%n", "{a}%n!");
}

/* SPDX-License-Identifier: MIT */
#include "draft/yaml_text.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <string.h>

static const char *quoted(const char *text, bool literal)
{
	static char copy[256];
	AUTO_BUF out = BUF_INIT;

	if (literal)
		yaml_quote_literal(text, &out);
	else
		yaml_quote(text, &out);
	strcpy(copy, buf_text(&out));
	return copy;
}

Test(yaml_text, quotes_keep_any_text_on_one_line)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	cr_expect_str_eq(quoted("a\"b\\c", true), "\"a\\\"b\\\\c\"");
	cr_expect_str_eq(quoted("\n\t\x1b\x7f", true), "\"\\u000a\\u0009\\u001b\\u007f\"");
	cr_expect_str_eq(quoted("caf\xc3\xa9", true), "\"caf\xc3\xa9\"");
	cr_expect_str_eq(quoted("\xe2\x80\xae\xc2\x85", true), "\"\\u202e\\u0085\"");
	cr_expect_str_eq(quoted("\xf3\xa0\x80\x81", true), "\"\\U000e0001\"");
}

Test(yaml_text, where_the_locale_is_not_utf8_the_same_is_written_by_number)
{
	setlocale(LC_CTYPE, "C");
	cr_expect_str_eq(quoted("caf\xc3\xa9", true), "\"caf\\u00e9\"");
	cr_expect_str_eq(quoted("\xf0\x9f\x92\xbe", true), "\"\\U0001f4be\"");
}

Test(yaml_text, a_literal_holds_no_reference)
{
	cr_expect_str_eq(quoted("${move_up}", false), "\"${move_up}\"");
	cr_expect_str_eq(quoted("${move_up}$", true), "\"$${move_up}$\"");
}

Test(yaml_text, what_a_runbook_can_hold)
{
	cr_expect(yaml_can_hold("sda"));
	cr_expect_not(yaml_can_hold(""));
	cr_expect_not(yaml_can_hold("caf\xe9"));
}

Test(yaml_text, a_comment_is_inert_and_wrapped)
{
	AUTO_BUF out = BUF_INIT;

	yaml_comment(2, "one\nsteps: \x1b[1m", &out);
	cr_expect_str_eq(buf_text(&out), "  # one\\nsteps: \\x1b[1m\n");
	buf_clear(&out);
	yaml_comment(0,
		     "words that are many enough to need a second line of the comment, as they go "
		     "on and on",
		     &out);
	cr_expect(strstr(buf_text(&out), "\n# "), "%s", buf_text(&out));
	for (const char *line = buf_text(&out); *line; line = strchrnul(line, '\n') + 1)
		cr_expect(*line == '#' && strcspn(line, "\n") <= 80);
}

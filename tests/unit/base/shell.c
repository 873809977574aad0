/* SPDX-License-Identifier: MIT */
#include "base/shell.h"

#include <criterion/criterion.h>

static void gives(const char *word, const char *expected)
{
	AUTO_BUF text = BUF_INIT;

	cr_assert_eq(shell_word(word, &text), 0);
	cr_expect_str_eq(buf_text(&text), expected);
}

Test(shell, plain_words_stay_bare)
{
	gives("--exchange=A,B", "--exchange=A,B");
	gives("/mnt/x_1.2", "/mnt/x_1.2");
}

Test(shell, anything_else_is_quoted)
{
	gives("", "''");
	gives("S=port 3", "'S=port 3'");
	gives("it's $HOME", "'it'\\''s $HOME'");
	gives("~", "'~'");
}

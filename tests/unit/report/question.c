/* SPDX-License-Identifier: MIT */
#include "report/question.h"

#include <criterion/criterion.h>
#include <string.h>

static const char *const others[] = { "off", "keep", NULL };
static const char *const mean[] = { "powers off again", "keeps the cables", NULL };
static const struct question one = {
	.text = "Is it off?\nSay so.",
	.word = "yes",
	.goes_on = "goes on",
	.leaves = "nothing is changed",
};
static const struct question several = {
	.text = "Which?",
	.word = "both",
	.goes_on = "takes both",
	.leaves = "all stays",
	.others = others,
	.others_mean = mean,
};

Test(question, prompts_have_one_form)
{
	AUTO_BUF text = BUF_INIT;

	cr_assert_eq(question_prompt("gate", 3, 14, &one, &text), 0);
	cr_expect_str_eq(buf_text(&text), "[gate 3/14] Type yes, or q to stop: ");
	buf_clear(&text);
	cr_assert_eq(question_prompt(NULL, 2, 3, &several, &text), 0);
	cr_expect_str_eq(buf_text(&text), "[session 2/3] Type both, off, keep or q: ");
	buf_clear(&text);
	cr_assert_eq(question_prompt(NULL, 0, 0, &one, &text), 0);
	cr_expect_str_eq(buf_text(&text), "[session] Type yes, or q to stop: ");
}

Test(question, every_word_is_said_with_what_it_does)
{
	AUTO_BUF text = BUF_INIT;
	const struct screen screen = { .width = 80 };
	struct page page = { &screen, &text };

	question_lines(&page, &several);
	cr_expect_str_eq(buf_text(&text), "\nWhich?\n  both: takes both\n  off: powers off again\n"
					  "  keep: keeps the cables\n  q: all stays\n");
	buf_clear(&text);
	question_lines(&page, &one);
	cr_expect_not_null(strstr(buf_text(&text), "Is it off?\nSay so.\n  yes: goes on\n"));
}

Test(question, only_whole_words_are_answers)
{
	cr_expect_str_eq(question_word("keep", &several), "keep");
	cr_expect_str_eq(question_word("both", &several), "both");
	cr_expect_null(question_word("kee", &several));
	cr_expect_null(question_word("KEEP", &several));
	cr_expect_null(question_word("", &several));
	cr_expect_null(question_word("y", &one));
}

Test(question, a_refusal_shows_what_was_read)
{
	AUTO_BUF text = BUF_INIT;

	question_refused("yess", &one, &text);
	cr_expect_str_eq(buf_text(&text), "  read 'yess', which is none of: yes, q\n");
}

Test(question, the_name_of_a_host_draws_nothing)
{
	AUTO_BUF text = BUF_INIT;
	const struct screen screen = { .width = 80 };
	struct page page = { &screen, &text };
	const struct question question = {
		.text = "Type the name.", .word = "a\033[2Jb", .goes_on = "x", .leaves = "y"
	};

	question_lines(&page, &question);
	cr_expect_null(strchr(buf_text(&text), '\033'));
}

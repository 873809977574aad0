/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "runbook.h"

static const char *const words[] = { "disks", "on_warn", "timeout", "use", "names.fstab" };

static void check(const char *word, const char *expected)
{
	const char *nearest = nearest_word(word, words, ELEMENTS(words));

	if (expected)
		cr_expect(nearest && !strcmp(nearest, expected), "%s gives %s", word,
			  nearest ? nearest : "nothing");
	else
		cr_expect(!nearest, "%s gives %s", word, nearest);
}

Test(nearest, one_edit)
{
	check("disk", "disks");   /* lost */
	check("disksx", "disks"); /* inserted */
	check("dosks", "disks");  /* changed */
	check("dikss", "disks");  /* swapped */
	check("names-fstab", "names.fstab");
	check("usw", "use");
	check("sue", "use"); /* two edits without the swap, which is too far for so short a word */
}

Test(nearest, far_words_are_not_guessed)
{
	check("", NULL);
	check("x", NULL);
	check("banana", NULL);
	check("title", NULL);
	check("ports", NULL);
}

Test(nearest, long_words_are_not_compared)
{
	char word[4096];

	memset(word, 'a', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	check(word, NULL);
}

Test(nearest, the_list_is_told)
{
	AUTO_BUF near = BUF_INIT, far = BUF_INIT, none = BUF_INIT;

	cr_assert_eq(suggest("timout", words, 3, &near), 0);
	cr_expect_str_eq(near.data, "; did you mean 'timeout'? Allowed: disks, on_warn, timeout");
	cr_assert_eq(suggest("banana", words, 2, &far), 0);
	cr_expect_str_eq(far.data, "; allowed: disks, on_warn");
	cr_assert_eq(suggest("banana", words, 0, &none), 0);
	cr_expect_str_eq(none.data, "; allowed: none");
}

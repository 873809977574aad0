/* SPDX-License-Identifier: MIT */
#include "sample.h"

#include <criterion/criterion.h>
#include <locale.h>

static void utf8(void)
{
	setlocale(LC_ALL, "C.UTF-8");
}

TestSuite(text, .init = utf8);

/* The number of times that `word` stands in `text`. */
static int times(const char *text, const char *word)
{
	int n = 0;

	for (; (text = strstr(text, word)); text += strlen(word))
		n++;
	return n;
}

Test(text, worst_first_and_remedy_last)
{
	struct sample sample;
	AUTO_FREE char *text = NULL;

	sample_init(&sample, 2);
	sample_find(&sample, "odd", VERDICT_WARN, "w", "An odd thing.", "Mend W.");
	sample_find(&sample, "bad", VERDICT_FAIL, "f", "A bad thing.", "Mend F.");
	text = sample_text(&sample, (struct screen){ .utf8 = true });
	cr_expect_lt(strstr(text, "A bad thing."), strstr(text, "An odd thing."));
	cr_expect_lt(strstr(text, "A bad thing."), strstr(text, "\u2192 Mend F."));
	cr_expect_not_null(strstr(text, "[test.kind/bad]"));
	sample_done(&sample);
}

Test(text, hostile_bytes_are_inert_on_every_screen)
{
	static const struct screen screens[] = {
		{ .utf8 = true }, { .plain = true }, { .quiet = true }, { .width = 40 }
	};
	struct sample sample;

	sample_init(&sample, 2);
	sample.disks[0].model = (char[]){ HOSTILE };
	sample.report.again = (char[]){ HOSTILE };
	sample.report.host_name = (char[]){ HOSTILE };
	sample_find(&sample, "bad", VERDICT_FAIL, HOSTILE, HOSTILE, HOSTILE);
	for (size_t i = 0; i < ELEMENTS(screens); i++) {
		AUTO_FREE char *text = sample_text(&sample, screens[i]);

		cr_assert_not_null(text);
		cr_expect_null(strchr(text, '\033'));
		cr_expect_null(strstr(text, "\u202e"));
		cr_expect_null(strchr(text, '\xff'));
		cr_expect_not_null(strstr(text, "\\x1b[31mb\\u202ec\\xffd\\ne"));
	}
	sample_done(&sample);
}

Test(text, color_only_where_the_screen_has_it)
{
	struct sample sample;
	AUTO_FREE char *colored = NULL, *bare = NULL;

	sample_init(&sample, 2);
	sample_find(&sample, "bad", VERDICT_FAIL, "f", "A bad thing.", "Mend F.");
	colored = sample_text(&sample, (struct screen){ .color = true });
	bare = sample_text(&sample, (struct screen){ .color = false });
	cr_expect_not_null(strstr(colored, "\033[31m"));
	cr_expect_null(strchr(bare, '\033'));
	sample_done(&sample);
}

Test(text, ascii_where_the_locale_has_nothing_else)
{
	struct sample sample;
	AUTO_FREE char *text = NULL;

	sample_init(&sample, 2);
	sample_find(&sample, "bad", VERDICT_FAIL, "f", "A bad thing.", "Mend F.");
	text = sample_text(&sample, (struct screen){ .utf8 = false });
	for (const char *c = text; *c; c++)
		cr_assert_leq((unsigned char)*c, 0x7f);
	cr_expect_not_null(strstr(text, "x fail"));
	cr_expect_not_null(strstr(text, "-> Mend F."));
	sample_done(&sample);
}

Test(text, no_line_is_wider_than_the_screen)
{
	struct sample sample;
	AUTO_FREE char *text = NULL;
	char *rest = NULL;

	sample_init(&sample, 2);
	sample_find(&sample, "bad", VERDICT_FAIL, "/etc/fstab:2",
		    "one two three four five six seven eight nine ten eleven twelve thirteen",
		    "mend one mend two mend three mend four mend five mend six mend seven");
	text = sample_text(&sample, (struct screen){ .width = 50 });
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		cr_expect_leq(strlen(line), 50, "%s", line);
	sample_done(&sample);
}

Test(text, facts_with_one_remedy_share_one_line)
{
	struct sample sample;
	AUTO_FREE char *text = NULL;

	sample_init(&sample, 2);
	for (int i = 0; i < 12; i++)
		sample_find(&sample, "unread", VERDICT_UNKNOWN, "disk", "It could not be read.",
			    "be root: sudo coldswap audit");
	text = sample_text(&sample, (struct screen){ .root = true });
	cr_expect_eq(times(text, "be root: sudo coldswap audit"), 1);
	cr_expect_not_null(strstr(text, "12 facts need this: be root: sudo coldswap audit"));
	cr_expect_eq(times(text, "It could not be read."), 3);
	cr_expect_not_null(strstr(text, "and 9 more of this sort"));
	sample_done(&sample);
}

Test(text, failures_are_never_left_off)
{
	struct sample sample;
	AUTO_FREE char *text = NULL;

	sample_init(&sample, 2);
	for (int i = 0; i < 12; i++)
		sample_find(&sample, "bad", VERDICT_FAIL, "line", "Bad.", "Mend it.");
	text = sample_text(&sample, (struct screen){ .root = true });
	cr_expect_eq(times(text, "line: Bad."), 12);
	cr_expect_eq(times(text, "Mend it."), 1);
	sample_done(&sample);
}

Test(text, the_next_command_suits_the_answer)
{
	struct sample sample;
	char again[] = "coldswap audit";
	AUTO_FREE char *user = NULL, *root = NULL, *failed = NULL, *passed = NULL;

	sample_init(&sample, 2);
	sample.report.again = again;
	sample_find(&sample, "good", VERDICT_PASS, "s", "Fine.", NULL);
	passed = sample_text(&sample, (struct screen){ 0 });
	cr_expect_not_null(strstr(passed, "Next: coldswap ports\n"));
	sample_find(&sample, "unread", VERDICT_UNKNOWN, "s", "Unread.", "Be root.");
	user = sample_text(&sample, (struct screen){ .root = false });
	root = sample_text(&sample, (struct screen){ .root = true });
	cr_expect_not_null(strstr(user, "Next: sudo coldswap audit\n"));
	cr_expect_not_null(strstr(root, "Next: coldswap explain test.kind/unread\n"));
	sample_find(&sample, "bad", VERDICT_FAIL, "s", "Bad.", "Mend.");
	failed = sample_text(&sample, (struct screen){ .root = false });
	cr_expect_not_null(strstr(failed, "Next: coldswap explain test.kind/bad\n"));
	cr_expect_not_null(strstr(failed, "Then: coldswap audit\n"));
	sample_done(&sample);
}

Test(text, a_step_that_failed_says_why_and_what_to_do)
{
	struct sample sample;
	AUTO_FREE char *text = NULL;

	sample_init(&sample, 2);
	sample.report_step.result.verdict = VERDICT_UNKNOWN;
	sample.report.verdict = VERDICT_UNKNOWN;
	error_set(&sample.report_step.failure, -5, "the bus is gone");
	error_hint(&sample.report_step.failure, "Start dbus.");
	text = sample_text(&sample, (struct screen){ .root = true });
	cr_expect_not_null(strstr(text, "? unknown  a test: the bus is gone"));
	cr_expect_not_null(strstr(text, "-> Start dbus."));
	sample_done(&sample);
}

/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include <criterion/criterion.h>
#include <string.h>

#define S UINT64_C(1000000)

static const char *tick(struct progress_line *line, struct buf *text, uint64_t at, uint64_t done)
{
	const struct progress progress = { "copying /data", done, 1000000000, true };

	buf_clear(text);
	cr_assert_eq(progress_text(line, &progress, at, 80, text), 0);
	return buf_text(text);
}

Test(progress, plain_lines_come_every_ten_seconds)
{
	CLEANUP(progress_done) struct progress_line line = { 0 };
	AUTO_BUF text = BUF_INIT;

	cr_expect_str_eq(tick(&line, &text, 5 * S, 0), "");
	cr_expect_str_eq(tick(&line, &text, 14 * S, 90000000), "");
	cr_expect_str_eq(tick(&line, &text, 15 * S, 100000000),
			 "  copying /data: 100 MB of 1.0 GB, 10 MB/s, 1 min 30 s left\n");
	cr_expect_str_eq(tick(&line, &text, 16 * S, 110000000), "");
	progress_clear(&line, &text);
	cr_expect_str_eq(buf_text(&text), "", "there is no line to be cleared");
}

Test(progress, a_terminal_has_one_line)
{
	CLEANUP(progress_done) struct progress_line line = { .redraw = true };
	AUTO_BUF text = BUF_INIT;

	cr_expect_str_eq(tick(&line, &text, 5 * S, 0), "\r  copying /data: 0 B of 1.0 GB\033[K");
	cr_expect_str_eq(tick(&line, &text, 5 * S + 100000, 1), "", "ten times a second flickers");
	cr_expect_neq(*tick(&line, &text, 6 * S, 1000), '\0');
	buf_clear(&text);
	progress_clear(&line, &text);
	cr_expect_str_eq(buf_text(&text), "\r\033[K");
	buf_clear(&text);
	progress_clear(&line, &text);
	cr_expect_str_eq(buf_text(&text), "");
}

Test(progress, a_line_never_wraps)
{
	CLEANUP(progress_done) struct progress_line line = { .redraw = true };
	AUTO_BUF text = BUF_INIT;
	const struct progress progress = { "a name that is far too long for such a screen", 1, 2,
					   false };

	cr_assert_eq(progress_text(&line, &progress, S, 40, &text), 0);
	cr_expect_leq(strlen(buf_text(&text)), 40 - 1 + strlen("\r\033[K"));
}

/* The rate is of the last seconds: what was fast an hour ago says nothing. */
Test(progress, the_rate_is_of_the_last_seconds)
{
	CLEANUP(progress_done) struct progress_line line = { .redraw = true };
	AUTO_BUF text = BUF_INIT;

	tick(&line, &text, S, 0);
	for (unsigned i = 2; i <= 20; i++)
		tick(&line, &text, i * S, 500000000);
	cr_expect_not_null(strstr(buf_text(&text), "nothing moves"));
}

Test(progress, other_work_begins_anew)
{
	CLEANUP(progress_done) struct progress_line line = { 0 };
	AUTO_BUF text = BUF_INIT;
	const struct progress other = { "reading it back", 1, 2, false };

	tick(&line, &text, 5 * S, 0);
	tick(&line, &text, 15 * S, 100);
	buf_clear(&text);
	cr_assert_eq(progress_text(&line, &other, 26 * S, 40, &text), 0);
	cr_expect_str_eq(buf_text(&text), "");
}

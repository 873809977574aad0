/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "buf.h"

/* AddressSanitizer asks this: let realloc(3) fail as it does without it. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

Test(buf, grows_and_stays_terminated)
{
	AUTO_BUF buf = BUF_INIT;
	int i;

	cr_assert_str_eq(buf_text(&buf), "");
	for (i = 0; i < 1000; i++)
		cr_assert_eq(buf_addf(&buf, "%03d", i), 0);
	cr_assert_eq(buf.len, 3000);
	cr_assert_eq(strlen(buf_text(&buf)), 3000);
	cr_assert_eq(strncmp(buf_text(&buf) + 2997, "999", 3), 0);
}

Test(buf, holds_nul_bytes)
{
	AUTO_BUF buf = BUF_INIT;

	cr_assert_eq(buf_add(&buf, "a\0b", 3), 0);
	cr_assert_eq(buf_addc(&buf, 'c'), 0);
	cr_assert_eq(buf.len, 4);
	cr_assert_eq(memcmp(buf.data, "a\0bc", 5), 0);
}

Test(buf, takes_exactly_its_maximum)
{
	AUTO_BUF buf = BUF_INIT_MAX(4);

	cr_assert_eq(buf_adds(&buf, "1234"), 0);
	cr_assert_eq(buf_error(&buf), 0);
	cr_assert_eq(buf_addc(&buf, '5'), -EFBIG);
	cr_assert_str_eq(buf_text(&buf), "1234");
}

Test(buf, the_first_failure_sticks)
{
	AUTO_BUF buf = BUF_INIT_MAX(4);

	cr_assert_eq(buf_adds(&buf, "12345"), -EFBIG);
	cr_assert_eq(buf_adds(&buf, "1"), -EFBIG);
	cr_assert_eq(buf_addf(&buf, "%d", 1), -EFBIG);
	cr_assert_eq(buf_error(&buf), -EFBIG);
	cr_assert_eq(buf.len, 0);
	cr_assert_null(buf_take(&buf));
	cr_assert_eq(buf_error(&buf), -EFBIG, "the reason outlives the take");
	buf_clear(&buf);
	cr_assert_eq(buf_adds(&buf, "1"), 0);
}

Test(buf, a_failed_allocation_sticks_and_keeps_what_is_there)
{
	AUTO_BUF buf = BUF_INIT_MAX(SIZE_MAX);

	cr_assert_eq(buf_adds(&buf, "kept"), 0);
	/* Fails in realloc(3), before a byte of the source is read. */
	cr_assert_eq(buf_add(&buf, "x", SIZE_MAX / 2), -ENOMEM);
	cr_assert_eq(buf_error(&buf), -ENOMEM);
	cr_assert_str_eq(buf_text(&buf), "kept");
	cr_assert_eq(buf_adds(&buf, "x"), -ENOMEM);
}

Test(buf, a_length_that_overflows_is_no_memory)
{
	AUTO_BUF buf = BUF_INIT_MAX(SIZE_MAX);

	cr_assert_eq(buf_adds(&buf, "kept"), 0);
	cr_assert_eq(buf_add(&buf, "x", SIZE_MAX - 4), -ENOMEM);
	cr_assert_str_eq(buf_text(&buf), "kept");
}

Test(buf, a_default_bound_holds)
{
	AUTO_BUF buf = BUF_INIT;

	cr_assert_eq(buf_add(&buf, "x", BUF_MAX_DEFAULT + 1), -EFBIG);
}

Test(buf, take_gives_a_string_even_when_empty)
{
	struct buf buf = BUF_INIT;
	char *text = buf_take(&buf);

	cr_assert_str_eq(text, "");
	free(text);
	buf_adds(&buf, "again");
	text = buf_take(&buf);
	cr_assert_str_eq(text, "again");
	cr_assert_null(buf.data);
	cr_assert_eq(buf.len, 0);
	free(text);
}

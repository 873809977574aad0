/* SPDX-License-Identifier: MIT */
#include "report/duration.h"

#include <criterion/criterion.h>

#define SECOND UINT64_C(1000000)

Test(duration, words)
{
	static const struct {
		uint64_t us;
		const char *words;
	} rows[] = {
		{ 0, "under a second" },
		{ SECOND - 1, "under a second" },
		{ SECOND, "1 s" },
		{ 59 * SECOND, "59 s" },
		{ 60 * SECOND - 1, "1 min" },
		{ 61 * SECOND, "1 min 1 s" },
		{ 3599 * SECOND, "59 min 59 s" },
		{ 3600 * SECOND, "1 h 0 min" },
		{ 7169 * SECOND, "1 h 59 min" },
		{ 7170 * SECOND, "2 h 0 min" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		AUTO_BUF text = BUF_INIT;

		cr_assert_eq(duration_words(rows[i].us, &text), 0);
		cr_expect_str_eq(buf_text(&text), rows[i].words);
	}
}

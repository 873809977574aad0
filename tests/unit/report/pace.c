/* SPDX-License-Identifier: MIT */
#include "report/pace.h"

#include <criterion/criterion.h>

#define S UINT64_C(1000000)

static struct pace pace(uint64_t us, uint64_t first, uint64_t last, uint64_t total)
{
	return pace_of((struct pace_sample){ 7 * S, first },
		       (struct pace_sample){ 7 * S + us, last }, total);
}

Test(pace, rate_and_time_left)
{
	struct pace at = pace(10 * S, 100, 1100, 4100);

	cr_expect(at.known && at.left_known);
	cr_expect_float_eq(at.per_s, 100.0, 1e-9);
	cr_expect_eq(at.left_us, 30 * S);
}

Test(pace, nothing_is_said_too_early)
{
	cr_expect_not(pace(S - 1, 0, 1000, 4000).known);
	cr_expect(pace(S, 0, 1000, 4000).known);
}

Test(pace, no_end_is_promised_without_a_total_or_a_move)
{
	cr_expect_not(pace(2 * S, 0, 10, 0).left_known);
	cr_expect(pace(2 * S, 0, 10, 0).known);
	cr_expect_not(pace(2 * S, 10, 10, 20).left_known);
	cr_expect_float_eq(pace(2 * S, 10, 10, 20).per_s, 0.0, 1e-9);
	cr_expect_not(pace(2 * S, 10, 30, 20).left_known, "more done than there is");
	cr_expect_not(pace(2 * S, 0, 1, UINT64_MAX).left_known, "longer than anybody waits");
}

Test(pace, what_runs_backwards_has_no_rate)
{
	cr_expect_not(pace(2 * S, 10, 5, 20).known);
	cr_expect_not(
		pace_of((struct pace_sample){ 9 * S, 0 }, (struct pace_sample){ 7 * S, 9 }, 10)
			.known);
}

static void expect_line(const struct progress *progress, struct pace pace, const char *want)
{
	AUTO_BUF text = BUF_INIT;

	cr_assert_eq(pace_line(progress, &pace, &text), 0);
	cr_expect_str_eq(buf_text(&text), want);
}

Test(pace, lines)
{
	const struct progress copy = { "copying /data", 1200000000, UINT64_C(4000000000), true };
	const struct progress stop = { "stopping k3s.service", 0, 0, false };
	const struct progress wait = { "waiting for pods", 3, 12, false };

	expect_line(&copy, (struct pace){ true, 110e6, true, 25 * S },
		    "copying /data: 1.2 GB of 4.0 GB, 110 MB/s, 25 s left");
	expect_line(&copy, (struct pace){ 0 }, "copying /data: 1.2 GB of 4.0 GB");
	expect_line(&copy, (struct pace){ true, 0, false, 0 },
		    "copying /data: 1.2 GB of 4.0 GB, nothing moves");
	expect_line(&stop, (struct pace){ true, 0, false, 0 }, "stopping k3s.service");
	expect_line(&wait, (struct pace){ true, 0.5, true, 18 * S },
		    "waiting for pods: 3 of 12, 18 s left");
}

Test(pace, bytes_round_into_the_next_unit)
{
	const struct progress one = { "x", 999600, 999400, true };

	expect_line(&one, (struct pace){ 0 }, "x: 1.0 MB of 999 kB");
}

/* SPDX-License-Identifier: MIT */
#include "sample.h"

#include <criterion/criterion.h>

static void says(const struct sample *sample, const char *expected)
{
	AUTO_BUF text = BUF_INIT;

	cr_assert_eq(report_sentence(&sample->report, &text), 0);
	cr_expect_str_eq(buf_text(&text), expected);
}

Test(sentence, names_both_disks_with_model_serial_and_port)
{
	struct sample sample;

	sample_init(&sample, 2);
	sample_find(&sample, "good", VERDICT_PASS, "s", "Fine.", NULL);
	says(&sample, "Safe to power down and swap Disk (AAA) on port 0 of 0000:00:1f.2 and "
		      "Disk (BBB) on port 1 of 0000:00:1f.2: 1 check passed.");
	sample_done(&sample);
}

Test(sentence, a_failure_outweighs_what_is_not_known)
{
	struct sample sample;

	sample_init(&sample, 0);
	sample_find(&sample, "unread", VERDICT_UNKNOWN, "s", "Unread.", "r");
	sample_find(&sample, "bad", VERDICT_FAIL, "s", "Bad.", "r");
	sample_find(&sample, "bad", VERDICT_FAIL, "t", "Bad.", "r");
	says(&sample, "No SATA port to exchange, and a power cycle is not safe: 2 failures, "
		      "1 fact not known.");
	sample_done(&sample);
}

Test(sentence, not_known_says_what_is_known)
{
	struct sample sample;

	sample_init(&sample, 0);
	sample_find(&sample, "unread", VERDICT_UNKNOWN, "s", "Unread.", "r");
	sample_find(&sample, "odd", VERDICT_WARN, "s", "Odd.", "r");
	says(&sample, "No SATA port to exchange, and it is not known whether a power cycle is "
		      "safe: 1 fact could not be determined; what could be read shows no "
		      "failure, 1 warning.");
	sample_done(&sample);
}

Test(sentence, a_step_that_could_not_run_is_a_fact_not_known)
{
	struct sample sample;

	sample_init(&sample, 0);
	sample.report_step.result.verdict = VERDICT_UNKNOWN;
	sample.report.verdict = VERDICT_UNKNOWN;
	says(&sample, "No SATA port to exchange, and it is not known whether a power cycle is "
		      "safe: 1 fact could not be determined; what could be read shows no "
		      "failure.");
	sample_done(&sample);
}

Test(sentence, a_power_cycle_is_an_answer_too)
{
	struct sample sample;

	sample_init(&sample, 0);
	sample_find(&sample, "good", VERDICT_PASS, "s", "Fine.", NULL);
	says(&sample, "No SATA port to exchange; a power cycle is safe: 1 check passed.");
	sample_done(&sample);
	sample_init(&sample, 1);
	sample_find(&sample, "good", VERDICT_PASS, "s", "Fine.", NULL);
	says(&sample, "Only one disk on a SATA port, so none to swap it with; a power cycle is "
		      "safe: 1 check passed.");
	sample_done(&sample);
}

Test(sentence, skipped_steps_alone_are_never_called_safe)
{
	struct sample sample;

	sample_init(&sample, 2);
	result_skip(&sample.report_step.result, "not here");
	says(&sample, "Nothing was found to check before swapping Disk (AAA) on port 0 of "
		      "0000:00:1f.2 and Disk (BBB) on port 1 of 0000:00:1f.2: 1 skipped.");
	sample_done(&sample);
}

Test(sentence, a_check_by_hand_answers_for_itself)
{
	struct sample sample;

	sample_init(&sample, 2);
	sample.report.command = "check";
	sample_find(&sample, "bad", VERDICT_FAIL, "s", "Bad.", "r");
	says(&sample, "The check failed: 1 failure.");
	sample_done(&sample);
}

Test(sentence, of_a_verify_answers_whether_the_work_succeeded)
{
	struct sample sample;

	sample_init(&sample, 2);
	sample.report.command = "verify";
	sample_find(&sample, "good", VERDICT_PASS, "s", "Fine.", NULL);
	says(&sample, "The present state shows no failure, and nothing was recorded before to "
		      "compare it with: 1 check passed.");
	sample.report.verdict = VERDICT_WARN;
	says(&sample, "No check failed, and nothing was recorded before "
		      "to compare with: 1 check passed.");
	sample.report.verdict = VERDICT_PASS;
	sample.report.before.root = strdup("/before");
	says(&sample, "The work was done as planned: 1 check passed.");
	sample.work.n = 0;
	says(&sample, "Nothing is missing, slower or failing since the capture, and no work was "
		      "named to compare with: 1 check passed.");
	sample.report.verdict = VERDICT_WARN;
	says(&sample, "No check against the capture failed, and no work "
		      "was named to compare with: 1 check passed.");
	free(sample.report.before.root);
	sample_done(&sample);
}

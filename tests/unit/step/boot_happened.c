/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "pair.h"
#include "step/kinds.h"

static struct pair pair_new(const char *log)
{
	struct pair pair = { sata_new(log), sata_new(SATA_START) };

	pair_identity(&pair.before, "\"m1\"", "\"b1\"");
	pair_identity(&pair.now, "\"m1\"", "\"b2\"");
	return pair;
}

Test(boot_happened, another_boot_of_the_same_machine_passes)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new(SATA_START);

	pair_run(&pair, &kind_boot_happened, true, NULL, &result);
	cr_expect_eq(result.verdict, VERDICT_PASS);
	cr_expect_eq(pair_verdict(&result, "happened", "boot_id"), VERDICT_PASS);
	cr_expect_eq(pair_verdict(&result, "shutdown-clean", NULL), VERDICT_PASS);
	cr_expect_str_eq(result.summary, "The machine was booted since the capture.");
	cr_assert_eq(result.n_outputs, 1);
	cr_expect(result.outputs[0].value.boolean);
}

Test(boot_happened, nothing_recorded_is_a_skip)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new(SATA_START);

	pair_run(&pair, &kind_boot_happened, false, NULL, &result);
	cr_expect_eq(result.verdict, VERDICT_SKIP);
	cr_expect_eq(result.n_findings, 0);
}

Test(boot_happened, the_same_boot_fails_and_says_nothing_of_a_shutdown)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new(SATA_START "[ 4.1] EXT4-fs (sda1): recovery complete\n");

	pair_identity(&pair.now, "\"m1\"", "\"b1\"");
	pair_run(&pair, &kind_boot_happened, true, NULL, &result);
	cr_expect_eq(pair_verdict(&result, "boot-not-happened", NULL), VERDICT_FAIL);
	cr_expect_eq(result.n_findings, 1);
}

Test(boot_happened, another_machine_fails_alone)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new(SATA_START);

	pair_identity(&pair.now, "\"m2\"", "\"b2\"");
	pair_run(&pair, &kind_boot_happened, true, NULL, &result);
	cr_expect_eq(pair_verdict(&result, "other-machine", NULL), VERDICT_FAIL);
	cr_expect_eq(result.n_findings, 1);
}

Test(boot_happened, what_is_not_told_is_not_known)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new(SATA_START);

	pair_identity(&pair.before, "null", "null");
	pair_run(&pair, &kind_boot_happened, true, NULL, &result);
	cr_expect_eq(pair_verdict(&result, "unreadable", "machine_id"), VERDICT_UNKNOWN);
	cr_expect_eq(pair_verdict(&result, "unreadable", "boot_id"), VERDICT_UNKNOWN);
	cr_expect_eq(result.verdict, VERDICT_UNKNOWN);
}

Test(boot_happened, another_boot_of_a_machine_that_is_not_told)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new(SATA_START);

	pair_identity(&pair.before, "null", "\"b1\"");
	pair_run(&pair, &kind_boot_happened, true, NULL, &result);
	cr_expect_eq(result.verdict, VERDICT_UNKNOWN);
	cr_expect_str_eq(result.summary, "It is another boot than that of the capture; whether it "
					 "is the same machine is not known.");
	cr_assert_eq(result.n_outputs, 1);
	cr_expect(result.outputs[0].value.boolean);
}

Test(boot_happened, an_identity_that_is_no_json_is_not_known)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new(SATA_START);

	tree_file(&pair.now, "coldswap/host.json", "{");
	pair_run(&pair, &kind_boot_happened, true, NULL, &result);
	cr_expect_eq(result.verdict, VERDICT_UNKNOWN);
}

Test(boot_happened, a_recovery_is_a_warning_with_its_line)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new(SATA_START "[ 4.1] EXT4-fs (sda1): recovery complete\n");
	const struct finding *finding;

	pair_run(&pair, &kind_boot_happened, true, NULL, &result);
	finding = pair_find(&result, "unclean-shutdown", NULL);
	cr_assert(finding);
	cr_expect_eq(finding->verdict, VERDICT_WARN);
	cr_assert_eq(finding->n_evidence, 1);
	cr_expect_str_eq(finding->evidence[0].source, "coldswap/kernel.log:2");
}

Test(boot_happened, a_log_that_lost_its_start_or_is_gone_is_not_known)
{
	CLEANUP(result_done) struct result lost;
	CLEANUP(result_done) struct result gone;
	AUTO_PAIR pair = pair_new("[    1.1] sd 0:0:0:0: ok\n");
	char path[512];

	pair_run(&pair, &kind_boot_happened, true, NULL, &lost);
	cr_expect_eq(pair_verdict(&lost, "log-incomplete", NULL), VERDICT_UNKNOWN);
	tree_path(&pair.now, "coldswap/kernel.log", path);
	unlink(path);
	pair_run(&pair, &kind_boot_happened, true, NULL, &gone);
	cr_expect_eq(pair_verdict(&gone, "log-incomplete", NULL), VERDICT_UNKNOWN);
}

/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "step.h"

static const struct finding_row findings[] = {
	{ .id = "fine", .title = "fine", .means = "It is fine." },
	{ .id = "broken", .title = "broken", .means = "It is broken.", .harm = "h", .mend = "m" },
	{ 0 },
};

static const struct output_row outputs[] = {
	{ .name = "found", .type = OUTPUT_BOOL },
	{ .name = "count", .type = OUTPUT_INT },
	{ .name = "where", .type = OUTPUT_STRING },
	{ 0 },
};

static const struct kind kind = { .name = "test.kind", .findings = findings, .outputs = outputs };

Test(step, verdicts_get_worse_only)
{
	cr_expect_eq(verdict_worse(VERDICT_UNKNOWN, VERDICT_FAIL), VERDICT_FAIL);
	cr_expect_eq(verdict_worse(VERDICT_UNKNOWN, VERDICT_WARN), VERDICT_UNKNOWN);
	cr_expect_eq(verdict_worse(VERDICT_PASS, VERDICT_SKIP), VERDICT_PASS);
	cr_expect_str_eq(verdict_name(VERDICT_UNKNOWN), "unknown");
}

Test(step, findings_keep_what_they_are_told)
{
	struct result result;
	struct finding *finding;

	result_init(&result, &kind);
	cr_expect_eq(result.verdict, VERDICT_SKIP);
	result_find(&result, "fine", VERDICT_PASS, "a %d", 1);
	cr_expect_eq(result.verdict, VERDICT_PASS);
	finding = result_find(&result, "broken", VERDICT_FAIL, "/etc/fstab:%d", 7);
	result_say(&result, finding, "Line %d is broken.", 7);
	result_remedy(&result, finding, "Mend it.");
	result_evidence(&result, finding, "/etc/fstab:7", "/dev/sdb1", "1 + 1", "2");
	result_evidence(&result, finding, "/etc/fstab:8", NULL, NULL, NULL);
	result_find(&result, "fine", VERDICT_PASS, "b");
	cr_expect_eq(result.verdict, VERDICT_FAIL, "a later pass hides nothing");
	cr_assert_eq(result.n_findings, 3);
	finding = &result.findings[1];
	cr_expect_str_eq(finding->id, "test.kind/broken");
	cr_expect_str_eq(finding->subject, "/etc/fstab:7");
	cr_expect_str_eq(finding->summary, "Line 7 is broken.");
	cr_assert_eq(finding->n_evidence, 2);
	cr_expect_str_eq(finding->evidence[0].derived, "2");
	cr_expect_null(finding->evidence[1].observed);
	cr_expect_eq(result.failed, 0);
	result_done(&result);
	cr_expect_eq(result.n_findings, 0);
}

Test(step, undeclared_finding_fails_the_result)
{
	struct result result;
	struct finding *finding;

	result_init(&result, &kind);
	finding = result_find(&result, "invented", VERDICT_FAIL, "x");
	cr_assert_not_null(finding);
	result_say(&result, finding, "Nobody sees this.");
	result_evidence(&result, finding, "x", NULL, NULL, NULL);
	cr_expect_eq(result.failed, -EINVAL);
	cr_expect_eq(result.n_findings, 0);
	cr_expect_eq(result.verdict, VERDICT_FAIL, "the verdict is not lost with it");
	result_done(&result);
}

Test(step, unknown_says_why_and_what_to_do)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	struct result result;

	error_set(&why, -EACCES, "%s may not be read", "/etc/crypttab");
	error_hint(&why, "be root");
	result_init(&result, &kind);
	result_unknown(&result, "broken", "/etc/crypttab", NULL, &why);
	cr_assert_eq(result.n_findings, 1);
	cr_expect_eq(result.verdict, VERDICT_UNKNOWN);
	cr_expect_str_eq(result.findings[0].summary,
			 "This could not be determined: /etc/crypttab may not be read.");
	cr_expect_str_eq(result.findings[0].remedy, "be root");
	cr_expect_str_eq(result.findings[0].evidence[0].source, "/etc/crypttab");
	result_done(&result);
}

Test(step, unknown_always_has_a_remedy)
{
	static const int codes[] = { -EACCES, -EPERM, -EIO, -ENOENT };

	for (size_t i = 0; i < ELEMENTS(codes); i++) {
		CLEANUP(error_done) struct error why = ERROR_INIT;
		struct result result;

		error_set(&why, codes[i], "it cannot be read");
		result_init(&result, &kind);
		result_unknown(&result, "broken", "x", "/x", &why);
		cr_expect_not_null(result.findings[0].remedy);
		result_done(&result);
	}
}

Test(step, outputs_are_declared_and_typed)
{
	struct result result;

	result_init(&result, &kind);
	result_output_bool(&result, "found", true);
	result_output_int(&result, "count", 3);
	result_output_string(&result, "where", "here");
	result_output_string(&result, "where", "there");
	cr_expect_eq(result.failed, 0);
	cr_assert_eq(result.n_outputs, 3);
	cr_expect_str_eq(result.outputs[2].value.string, "there");
	result_output_int(&result, "found", 1);
	cr_expect_eq(result.failed, -EINVAL, "another type than declared");
	result_done(&result);
	result_output_bool(&result, "invented", true);
	cr_expect_eq(result.failed, -EINVAL);
	result_done(&result);
}

Test(step, skip_gives_the_reason)
{
	struct result result;

	result_init(&result, &kind);
	result_skip(&result, "There is no %s here.", "SATA");
	cr_expect_eq(result.verdict, VERDICT_SKIP);
	cr_expect_str_eq(result.summary, "There is no SATA here.");
	result_done(&result);
}

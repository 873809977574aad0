/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "step.h"

static const struct output_row outputs[] = { { "held", OUTPUT_BOOL, "h" },
					     { "count", OUTPUT_INT, "h" },
					     { "note", OUTPUT_STRING, "h" },
					     { "none", OUTPUT_STRING, "h" },
					     { 0 } };
static const struct finding_row findings[] = { { .id = "bad", .title = "t", .means = "m" },
					       { .id = "good", .title = "t", .means = "m" },
					       { 0 } };
static const struct kind kind = { .name = "test.kind", .outputs = outputs, .findings = findings };
static const struct kind later = { .name = "test.kind" };

static void make(struct result *result)
{
	struct finding *finding;

	result_init(result, &kind);
	result_output_bool(result, "held", true);
	result_output_int(result, "count", INT64_MIN);
	result_output_string(result, "note", "a \"b\"\n\\ é \033");
	result_output_string(result, "none", NULL);
	finding = result_find(result, "bad", VERDICT_FAIL, "port %d", 5);
	result_say(result, finding, "It is bad.");
	result_remedy(result, finding, "Mend it.");
	result_evidence(result, finding, "/etc/fstab:7", "x", "1 + 1", "2");
	result_evidence(result, finding, "/etc/fstab:8", NULL, NULL, NULL);
	result_find(result, "good", VERDICT_PASS, "s");
	result_summary(result, "one bad, one good");
	cr_assert_eq(result->failed, 0);
}

static int load(const char *text, struct result *ret)
{
	struct error err = ERROR_INIT;
	int r = result_load(text, strlen(text), &kind, ret, &err);

	cr_expect_eq(r, err.code);
	error_done(&err);
	return r;
}

Test(result_json, comes_back_as_it_was)
{
	struct result result, back;
	AUTO_BUF first = BUF_INIT, second = BUF_INIT;

	make(&result);
	cr_assert_eq(result_save(&result, &first, NULL), 0);
	cr_assert_eq(load(buf_text(&first), &back), 0);
	cr_expect_eq(back.verdict, VERDICT_FAIL);
	cr_expect_str_eq(back.summary, "one bad, one good");
	cr_assert_eq(back.n_findings, 2);
	cr_expect_str_eq(back.findings[0].id, "test.kind/bad");
	cr_expect_str_eq(back.findings[0].subject, "port 5");
	cr_assert_eq(back.findings[0].n_evidence, 2);
	cr_expect_str_eq(back.findings[0].evidence[0].derived, "2");
	cr_expect_null(back.findings[0].evidence[1].observed);
	cr_expect_null(back.findings[1].remedy);
	cr_assert_eq(back.n_outputs, 4);
	cr_expect_eq(back.outputs[0].name, outputs[0].name, "the row's own name");
	cr_expect_eq(back.outputs[1].value.integer, INT64_MIN);
	cr_expect_str_eq(back.outputs[2].value.string, "a \"b\"\n\\ é \033");
	cr_expect_null(back.outputs[3].value.string);
	cr_assert_eq(result_save(&back, &second, NULL), 0);
	cr_expect_str_eq(buf_text(&second), buf_text(&first));
	result_done(&back);
	result_done(&result);
}

Test(result_json, is_one_line)
{
	struct result result;
	AUTO_BUF text = BUF_INIT;

	make(&result);
	cr_assert_eq(result_save(&result, &text, NULL), 0);
	cr_expect_eq(strchr(buf_text(&text), '\n'), buf_text(&text) + text.len - 1);
	result_done(&result);
}

Test(result_json, what_the_kind_no_longer_declares_stands)
{
	struct result result, back;
	AUTO_BUF text = BUF_INIT;

	make(&result);
	cr_assert_eq(result_save(&result, &text, NULL), 0);
	cr_assert_eq(result_load(buf_text(&text), text.len, &later, &back, NULL), 0);
	cr_expect_str_eq(back.outputs[1].name, "count");
	cr_expect_eq(back.outputs[1].value.integer, INT64_MIN);
	cr_expect_str_eq(back.findings[0].id, "test.kind/bad");
	result_done(&back);
	cr_assert_eq(result_load(buf_text(&text), text.len, NULL, &back, NULL), 0);
	cr_expect_str_eq(back.outputs[3].name, "none");
	result_done(&back);
	result_done(&result);
}

Test(result_json, a_result_that_is_not_whole_is_not_kept)
{
	struct result result;
	AUTO_BUF text = BUF_INIT;

	result_init(&result, &kind);
	result_find(&result, "undeclared", VERDICT_PASS, "s");
	cr_expect_eq(result_save(&result, &text, NULL), -EINVAL);
	cr_expect_eq(text.len, 0);
	result_done(&result);
}

#define WITH(findings)                                                                             \
	"{\"verdict\":\"pass\",\"summary\":null,\"outputs\":{},\"findings\":" findings "}"
#define FINDING(evidence)                                                                          \
	WITH("[{\"id\":\"a/b\",\"verdict\":\"pass\",\"subject\":\"s\",\"summary\":null,"           \
	     "\"remedy\":null,\"evidence\":" evidence "}]")

Test(result_json, hostile_texts_are_refused)
{
	static const char *const texts[] = {
		"",
		"null",
		"[]",
		"\"pass\"",
		"{}",
		"{\"verdict\":\"pass\"}",
		"{\"verdict\":\"Pass\",\"summary\":null,\"outputs\":{},\"findings\":[]}",
		"{\"verdict\":1,\"summary\":null,\"outputs\":{},\"findings\":[]}",
		"{\"verdict\":\"pass\",\"summary\":7,\"outputs\":{},\"findings\":[]}",
		"{\"verdict\":\"pass\",\"outputs\":{},\"findings\":[]}",
		"{\"verdict\":\"pass\",\"summary\":null,\"outputs\":[],\"findings\":[]}",
		"{\"verdict\":\"pass\",\"summary\":null,\"outputs\":{\"a\":1.5},\"findings\":[]}",
		"{\"verdict\":\"pass\",\"summary\":null,\"outputs\":{\"a\":{}},\"findings\":[]}",
		"{\"verdict\":\"pass\",\"summary\":null,\"outputs\":{\"a\":1,\"a\":2},\"findings\":"
		"[]}",
		"{\"verdict\":\"pass\",\"summary\":\"\\u0000\",\"outputs\":{},\"findings\":[]}",
		"{\"verdict\":\"pass\",\"summary\":\"\xff\",\"outputs\":{},\"findings\":[]}",
		WITH("{}"),
		WITH("[1]"),
		WITH("[{}]"),
		FINDING("null"),
		FINDING("[null]"),
		FINDING("[{\"source\":null,\"observed\":null,\"formula\":null,\"derived\":null}]"),
		FINDING("[{\"source\":\"s\",\"observed\":null,\"formula\":null}]"),
		WITH("[]") "x",
	};
	struct result back;

	for (size_t i = 0; i < ELEMENTS(texts); i++)
		cr_expect_eq(load(texts[i], &back), -EBADMSG, "%s", texts[i]);
	cr_assert_eq(load(WITH("[]"), &back), 0);
	result_done(&back);
	cr_assert_eq(load(FINDING("[]"), &back), 0);
	result_done(&back);
}

Test(result_json, every_text_that_is_cut_is_refused)
{
	struct result result, back;
	AUTO_BUF text = BUF_INIT;

	make(&result);
	cr_assert_eq(result_save(&result, &text, NULL), 0);
	for (size_t len = 0; len < text.len - 1; len++)
		cr_assert_eq(result_load(buf_text(&text), len, &kind, &back, NULL), -EBADMSG);
	result_done(&result);
}

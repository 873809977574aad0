/* SPDX-License-Identifier: MIT */
#include "sample.h"

#include "base/json.h"

#include <criterion/criterion.h>

static json_t *document_of(struct sample *sample)
{
	AUTO_BUF text = BUF_INIT;
	json_t *document = NULL;

	cr_assert_eq(report_json(&sample->report, &text, NULL), 0);
	cr_assert_eq(json_parse(buf_text(&text), text.len, "report", &document, NULL), 0);
	return document;
}

Test(json, keys_of_the_document)
{
	static const char *const keys[] = {
		"schema_version", "tool",        "version",    "command",
		"host",           "runbook",     "session",    "work",
		"notes",          "work_origin", "started_at", "finished_at",
		"verdict",        "exit_code",   "sentence",   "steps",
	};
	struct sample sample;
	AUTO_JSON document = NULL;

	sample_init(&sample, 2);
	document = document_of(&sample);
	for (size_t i = 0; i < ELEMENTS(keys); i++)
		cr_expect_not_null(json_object_get(document, keys[i]), "%s", keys[i]);
	cr_expect_eq(json_object_size(document), ELEMENTS(keys));
	cr_expect_str_eq(json_text(document, "started_at"), "1970-01-01T00:00:00Z");
	sample_done(&sample);
}

Test(json, hostile_bytes_become_valid_text)
{
	struct sample sample;
	AUTO_JSON document = NULL;
	const json_t *finding;

	sample_init(&sample, 2);
	sample_find(&sample, "bad", VERDICT_FAIL, HOSTILE, HOSTILE, HOSTILE);
	document = document_of(&sample);
	finding = json_array_get(
		json_object_get(json_array_get(json_object_get(document, "steps"), 0), "findings"),
		0);
	cr_expect_str_eq(json_text(finding, "subject"), "a\033[31mb\u202ec\\xffd\ne");
	sample_done(&sample);
}

Test(json, outputs_keep_their_types)
{
	struct sample sample;
	AUTO_JSON document = NULL;
	const json_t *outputs;

	sample_init(&sample, 2);
	result_output_bool(&sample.report_step.result, "held", true);
	result_output_int(&sample.report_step.result, "count", -7);
	result_output_string(&sample.report_step.result, "note", "n");
	document = document_of(&sample);
	outputs = json_object_get(json_array_get(json_object_get(document, "steps"), 0), "outputs");
	cr_expect(json_is_true(json_object_get(outputs, "held")));
	cr_expect_eq(json_integer_value(json_object_get(outputs, "count")), -7);
	cr_expect_str_eq(json_text(outputs, "note"), "n");
	sample_done(&sample);
}

Test(json, the_work_names_its_disks)
{
	struct sample sample;
	AUTO_JSON document = NULL;
	const json_t *work;

	sample_init(&sample, 2);
	document = document_of(&sample);
	work = json_array_get(json_object_get(document, "work"), 0);
	cr_expect_str_eq(json_text(work, "type"), "exchange");
	cr_expect_str_eq(json_text(json_object_get(work, "other"), "serial"), "BBB");
	cr_expect_str_eq(json_text(document, "work_origin"), "given");
	sample_done(&sample);
}

Test(json, a_check_by_hand_has_no_runbook)
{
	struct sample sample;
	AUTO_JSON document = NULL;

	sample_init(&sample, 1);
	sample.plan.name = NULL;
	document = document_of(&sample);
	cr_expect(json_is_null(json_object_get(document, "runbook")));
	cr_expect_eq(json_array_size(json_object_get(document, "work")), 0);
	sample_done(&sample);
}

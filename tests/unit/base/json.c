/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "base/json.h"

static int parse(const char *text, json_t **ret, struct error *err)
{
	return json_parse(text, strlen(text), "smart/sda.json", ret, err);
}

static void expect_refused(const char *text)
{
	struct error err = ERROR_INIT;
	json_t *value = NULL;

	cr_expect_lt(parse(text, &value, &err), 0, "%.40s", text);
	cr_expect_null(value);
	cr_expect_eq(strncmp(error_text(&err), "smart/sda.json", 14), 0, "%s", error_text(&err));
	error_done(&err);
}

Test(json, refuses_what_is_not_whole)
{
	expect_refused("");
	expect_refused("{");
	expect_refused("{\"a\": 1} x");
	expect_refused("{\"a\": 1, \"a\": 2}");
	expect_refused("{\"a\": \"\xff\"}");
	expect_refused("{\"a\": \"\\u0000\"}");
}

static void nest(unsigned depth, struct buf *ret)
{
	unsigned i;

	for (i = 0; i < depth; i++)
		buf_addc(ret, '[');
	for (i = 0; i < depth; i++)
		buf_addc(ret, ']');
}

Test(json, bounds_the_depth)
{
	AUTO_BUF good = BUF_INIT, bad = BUF_INIT;
	AUTO_JSON value = NULL;

	nest(64, &good);
	nest(65, &bad);
	cr_assert_eq(parse(buf_text(&good), &value, NULL), 0);
	expect_refused(buf_text(&bad));
}

Test(json, brackets_in_strings_are_no_depth)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_JSON value = NULL;

	buf_adds(&text, "[\"\\\"");
	nest(100, &text);
	buf_adds(&text, "\"]");
	cr_assert_eq(parse(buf_text(&text), &value, NULL), 0);
}

Test(json, follows_a_path)
{
	AUTO_JSON value = NULL;

	cr_assert_eq(parse("{\"a\": {\"b\": {\"c\": \"x\"}}, \"n\": 1}", &value, NULL), 0);
	cr_expect_str_eq(json_text(json_at(value, "a", "b", NULL), "c"), "x");
	cr_expect_null(json_at(value, "a", "z", "c", NULL));
	cr_expect_null(json_at(value, "n", "b", NULL));
	cr_expect_null(json_at(NULL, "n", NULL));
	cr_expect_null(json_text(value, "n"));
	cr_expect_null(json_text(value, "none"));
}

Test(json, prints_hostile_bytes_as_ascii)
{
	AUTO_JSON value = json_object();
	AUTO_BUF text = BUF_INIT;

	cr_assert_eq(json_set_text(value, "bad", "a\xff\x1b"), 0);
	cr_assert_eq(json_set_text(value, "bidi", "\xe2\x80\xae"), 0);
	cr_assert_eq(json_set_text(value, "c1", "\xc2\x9b"), 0);
	cr_assert_eq(json_set_text(value, "none", NULL), 0);
	cr_assert_eq(json_object_set_new(value, "real", json_real(0.1)), 0);
	cr_assert_eq(json_print(value, &text, NULL), 0);
	cr_expect_str_eq(buf_text(&text), "{\"bad\":\"a\\\\xff\\u001B\",\"bidi\":\"\\u202E\","
					  "\"c1\":\"\\u009B\",\"none\":null,\"real\":0.1}\n");
}

Test(json, a_document_over_the_bound_is_an_error)
{
	AUTO_JSON value = json_string("123456789");
	AUTO_BUF text = BUF_INIT_MAX(5);

	cr_assert_eq(json_print(value, &text, NULL), -EFBIG);
}

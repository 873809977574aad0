/* SPDX-License-Identifier: MIT */
#include "base/json_place.h"

#include <criterion/criterion.h>
#include <string.h>

static const char text[] = "{\n"
			   " \"a\": {\"deep\": [1, {\"x\": \"}]\"}], \"last\":\n"
			   "  7},\n"
			   " \"quote\\\"d\": \"a \\\" , b\",\n"
			   " \"rows\": [\n"
			   "  {\"id\": 1},\n"
			   "  {\"id\": 2,\n"
			   "   \"name\": \"two\"}\n"
			   " ],\n"
			   " \"end\": null\n"
			   "}\n";

static struct json_place start(void)
{
	return json_place_of(text, strlen(text));
}

Test(json_place, a_value_is_found_by_its_keys)
{
	cr_expect_eq(json_line_of(start(), "a", NULL), 2);
	cr_expect_eq(json_line_of(start(), "a", "last", NULL), 3);
	cr_expect_eq(json_line_of(start(), "rows", NULL), 5);
	cr_expect_eq(json_line_of(start(), "end", NULL), 10);
}

Test(json_place, what_is_not_there_has_no_line)
{
	cr_expect_eq(json_line_of(start(), "x", NULL), 0);
	cr_expect_eq(json_line_of(start(), "end", "x", NULL), 0);
	cr_expect_eq(json_line_of(start(), "a", "deep", "x", NULL), 0);
	cr_expect_eq(json_line_of(json_place_of("", 0), "a", NULL), 0);
}

Test(json_place, an_array_is_walked)
{
	struct json_place place = start();

	cr_assert(json_place_enter(&place, "rows"));
	cr_assert(json_place_first(&place));
	cr_expect_eq(json_line_of(place, "id", NULL), 6);
	cr_assert(json_place_next(&place));
	cr_expect_eq(json_line_of(place, "name", NULL), 8);
	cr_expect_not(json_place_next(&place));
	place = json_place_of("[ ]", 3);
	cr_expect_not(json_place_first(&place));
}

/* Cut anywhere, nothing beyond the end is read; the sanitizers watch. */
Test(json_place, a_cut_text_ends_where_it_ends)
{
	for (size_t len = 0; len <= strlen(text); len++) {
		char *cut = strndup(text, len);
		struct json_place place = json_place_of(cut, len);

		json_line_of(place, "a", "last", NULL);
		if (json_place_enter(&place, "rows") && json_place_first(&place))
			while (json_place_next(&place))
				cr_assert_leq(place.at, place.end);
		free(cut);
	}
}

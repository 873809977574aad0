/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "runbook.h"

struct sample {
	char *text, *path, *disk;
	bool yes;
	int64_t number;
	uint64_t size, duration;
	char **texts, **paths, **disks;
};

static const struct param_row rows[] = {
	{ .name = "text", .type = PARAM_STRING, .offset = PARAM_OFFSET(sample, text) },
	{ .name = "path", .type = PARAM_PATH, .offset = PARAM_OFFSET(sample, path) },
	{ .name = "disk", .type = PARAM_DISK, .offset = PARAM_OFFSET(sample, disk) },
	{ .name = "yes",
	  .type = PARAM_BOOL,
	  .fallback = "true",
	  .offset = PARAM_OFFSET(sample, yes) },
	{ .name = "number", .type = PARAM_INT, .offset = PARAM_OFFSET(sample, number) },
	{ .name = "size",
	  .type = PARAM_SIZE,
	  .fallback = "10 GB",
	  .offset = PARAM_OFFSET(sample, size) },
	{ .name = "duration", .type = PARAM_DURATION, .offset = PARAM_OFFSET(sample, duration) },
	{ .name = "texts", .type = PARAM_STRINGS, .offset = PARAM_OFFSET(sample, texts) },
	{ .name = "paths", .type = PARAM_PATHS, .offset = PARAM_OFFSET(sample, paths) },
	{ .name = "disks", .type = PARAM_DISKS, .offset = PARAM_OFFSET(sample, disks) },
	{ 0 },
};

static const struct kind kind = {
	.name = "sample.kind",
	.params_size = sizeof(struct sample),
	.params = rows,
};

#define VALUE(...)                                                                                 \
	&(struct runbook_value)                                                                    \
	{                                                                                          \
		.items = (char *[])                                                                \
		{                                                                                  \
			__VA_ARGS__, NULL                                                          \
		}                                                                                  \
	}

Test(params, every_type_by_its_row)
{
	char no[] = "no", path[] = "//srv/./state/", disk[] = "wwn-0x5002538f", yes[] = "false",
	     number[] = "-12", size[] = "2 GiB", duration[] = "5min", a[] = "a", b[] = "b",
	     root[] = "/";
	const struct runbook_value *values[] = {
		VALUE(no),   VALUE(path),     VALUE(disk), VALUE(yes),  VALUE(number),
		VALUE(size), VALUE(duration), VALUE(a, b), VALUE(root), VALUE(disk),
	};
	struct sample sample;

	cr_assert_eq(params_parse(&kind, values, &sample, NULL), 0);
	cr_expect_str_eq(sample.text, "no", "a string stays what it is");
	cr_expect_str_eq(sample.path, "/srv/state");
	cr_expect_str_eq(sample.disk, "wwn-0x5002538f");
	cr_expect_not(sample.yes);
	cr_expect_eq(sample.number, -12);
	cr_expect_eq(sample.size, UINT64_C(2) << 30);
	cr_expect_eq(sample.duration, UINT64_C(300000000));
	cr_expect_str_eq(sample.texts[0], "a");
	cr_expect_str_eq(sample.texts[1], "b");
	cr_expect_null(sample.texts[2]);
	cr_expect_str_eq(sample.paths[0], "/");
	cr_expect_str_eq(sample.disks[0], "wwn-0x5002538f");
	params_done(&kind, &sample);
	cr_expect_null(sample.text);
	cr_expect_null(sample.disks);
}

Test(params, fallbacks)
{
	const struct runbook_value *values[ELEMENTS(rows)] = { NULL };
	struct sample sample;

	cr_assert_eq(params_parse(&kind, values, &sample, NULL), 0);
	cr_expect(sample.yes);
	cr_expect_eq(sample.size, UINT64_C(10000000000));
	cr_expect_null(sample.text);
	cr_expect_null(sample.texts);
	params_done(&kind, &sample);
}

Test(params, the_error_names_the_parameter)
{
	CLEANUP(error_done) struct error err = ERROR_INIT;
	char bad[] = "yes";
	const struct runbook_value *values[ELEMENTS(rows)] = { [3] = VALUE(bad) };
	struct sample sample;

	cr_assert_eq(params_parse(&kind, values, &sample, &err), -EINVAL);
	cr_expect_str_eq(err.message, "parameter 'yes': 'yes' is neither 'true' nor 'false'");
}

static void refused(enum param_type type, const char *text, const char *expected)
{
	CLEANUP(error_done) struct error err = ERROR_INIT;

	cr_expect_lt(param_check(type, text, &err), 0, "%s", text);
	cr_expect_str_eq(error_text(&err), expected);
}

Test(params, what_is_refused)
{
	refused(PARAM_BOOL, "yes", "'yes' is neither 'true' nor 'false'");
	refused(PARAM_BOOL, "True", "'True' is neither 'true' nor 'false'");
	refused(PARAM_INT, "1.5", "'1.5' is not a whole number");
	refused(PARAM_INT, "", "'' is not a whole number");
	refused(PARAM_SIZE, "10 pigs",
		"'10 pigs' is not a size, such as '4096', '10 GB' (10^9 bytes) or '10 GiB' (2^30)");
	refused(PARAM_DURATION, "5",
		"'5' is not a duration, such as '500ms', '60s', '5min' or '2h'");
	refused(PARAM_PATH, "srv/state", "'srv/state' is not an absolute path");
	refused(PARAM_PATH, "/srv/../etc", "a path cannot hold '..'");
	refused(PARAM_DISK, "",
		"a disk is named by its serial, WWN, by-id name or a mount point on it");
	cr_expect_eq(param_check(PARAM_PATH, "/srv/..state", NULL), 0);
	cr_expect_eq(param_check(PARAM_STRING, "", NULL), 0);
}

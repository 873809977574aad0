/* SPDX-License-Identifier: MIT */
#include "exec/pinned.h"

#include <criterion/criterion.h>
#include <errno.h>

#include "base/digest.h"
#include "tree.h"

static const char head[] = "coldswap: 1\nname: n\n";
static const char tail[] = "steps:\n  - id: a\n    use: names.fstab\n";

static json_t *opened(const char *file, const char *text)
{
	json_t *body = json_pack("{s:{s:s, s:s}, s:{s:s}, s:[{s:s, s:s, s:s}]}", "runbook", "file",
				 file, "text", text, "vars", "disk", "K1", "work", "type",
				 "exchange", "disk", "K1", "other", "K2");

	cr_assert(body);
	return body;
}

/* What is said when `now` lies where `then` was pinned; NULL: nothing. */
static char *difference(const char *then, const char *now)
{
	AUTO_TREE tree = tree_new();
	AUTO_PINNED pinned = PINNED_INIT;
	AUTO_JSON body = NULL;
	char path[512];
	char *said = NULL;
	int r;

	tree_path(&tree, "r.yaml", path);
	if (now)
		tree_file(&tree, "r.yaml", now);
	body = opened(path, then);
	cr_assert_eq(pinned_take(body, &pinned, NULL), 0);
	r = pinned_file_differs(&pinned, &said, NULL);
	cr_expect_eq(r, !now ? -ENOENT : said ? 1 : 0);
	return said;
}

static void expect_said(const char *now, const char *expected)
{
	char then[256];
	AUTO_FREE char *said = NULL;

	snprintf(then, sizeof(then), "%s%s", head, tail);
	said = difference(then, now);
	if (expected)
		cr_expect(said && strstr(said, expected), "'%s' is not in '%s'", expected,
			  said ? said : "(nothing)");
	else
		cr_expect_null(said);
}

Test(pinned, the_same_text_is_no_difference)
{
	char now[256];

	snprintf(now, sizeof(now), "%s%s", head, tail);
	expect_said(now, NULL);
}

Test(pinned, a_file_that_is_gone_is_no_obstacle)
{
	expect_said(NULL, NULL);
}

Test(pinned, the_lines_that_differ_are_named)
{
	expect_said("coldswap: 1\nname: m\nsteps:\n  - id: a\n    use: names.fstab\n",
		    "line 2 differs");
	expect_said("coldswap: 1\nname: n\nsteps:\n  - id: b\n    use: names.boot\n",
		    "lines 4 to 5 differ");
	expect_said("coldswap: 1\nname: n\ntitle: t\nsteps:\n  - id: a\n    use: names.fstab\n",
		    "line 3 differs");
	expect_said("coldswap: 1\nname: n\n", "3 lines are missing behind line 2");
	expect_said("coldswap: 1\nsteps:\n  - id: a\n    use: names.fstab\n",
		    "1 line is missing behind line 1");
	expect_said("coldswap: 1\nname: n\nsteps:\n  - id: a\n    use: names.fstab",
		    "line 5 differs");
	expect_said("", "5 lines are missing behind line 0");
}

Test(pinned, variables_and_work_come_back)
{
	AUTO_PINNED pinned = PINNED_INIT;
	char text[256];
	AUTO_JSON body = NULL;

	snprintf(text, sizeof(text), "%s%s", head, tail);
	body = opened("r.yaml", text);
	cr_assert_eq(pinned_take(body, &pinned, NULL), 0);
	cr_expect_str_eq(pinned.vars[0], "disk=K1");
	cr_expect_null(pinned.vars[1]);
	cr_assert_eq(pinned.n_work, 1);
	cr_expect_eq(pinned.work[0].type, WORK_EXCHANGE);
	cr_expect_str_eq(pinned.work[0].disk, "K1");
	cr_expect_str_eq(pinned.work[0].other, "K2");
	cr_expect_eq(pinned.runbook->n_steps, 1);
}

Test(pinned, an_opening_that_is_damaged_is_an_error)
{
	AUTO_PINNED pinned = PINNED_INIT;
	AUTO_JSON body = json_pack("{s:{s:s}}", "runbook", "file", "x");
	AUTO_JSON strange = opened("r.yaml", "coldswap: 1\n");

	cr_expect_eq(pinned_take(body, &pinned, NULL), -EUCLEAN);
	pinned_done(&pinned);
	cr_expect_eq(pinned_take(strange, &pinned, NULL), -EINVAL);
}

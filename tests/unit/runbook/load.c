/* SPDX-License-Identifier: MIT */
/* Reading an operator's file. */
#include <criterion/criterion.h>
#include <errno.h>

#include "runbook.h"
#include "tree.h"

static const char sound[] = "coldswap: 1\nname: r\nsteps:\n  - id: a\n    use: net.link\n";

static int load(const char *path, struct diagnostics *diags, struct error *err)
{
	CLEANUP(cleanup_runbook) struct runbook *runbook = NULL;
	int r = runbook_load(path, &runbook, diags, err);

	cr_expect_eq(!runbook, r < 0);
	return r;
}

Test(load, absolute_and_relative)
{
	AUTO_TREE tree = tree_new();
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	char path[512];

	tree_file(&tree, "books/r.yaml", sound);
	tree_path(&tree, "books/r.yaml", path);
	cr_expect_eq(load(path, &diags, NULL), 0);
	tree_path(&tree, "books", path);
	cr_assert_eq(chdir(path), 0);
	cr_expect_eq(load("r.yaml", &diags, NULL), 0);
	cr_expect_eq(load("../books/r.yaml", &diags, NULL), 0);
	cr_expect_str_eq(diags.file, "../books/r.yaml", "as the operator called it");
	cr_assert_eq(chdir("/"), 0);
}

Test(load, what_is_no_file)
{
	AUTO_TREE tree = tree_new();
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	CLEANUP(error_done) struct error err = ERROR_INIT;
	char path[512];

	tree_path(&tree, "fifo", path);
	cr_expect_eq(load(path, &diags, &err), -ENOENT);
	cr_expect_not_null(err.hint, "what to do about it");
	cr_assert_eq(mkfifo(path, 0600), 0);
	cr_expect_eq(load(path, &diags, &err), -EINVAL);
	cr_expect(strstr(error_text(&err), "not a regular file"), "%s", error_text(&err));
	cr_expect_eq(load(tree.root, &diags, &err), -EINVAL);
	cr_expect_eq(diags.n, 0, "these are no errors of a runbook");
}

Test(load, a_file_over_the_bound_is_a_mistake_with_its_place)
{
	AUTO_TREE tree = tree_new();
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	char path[512];

	tree_file(&tree, "huge", "");
	tree_path(&tree, "huge", path);
	cr_assert_eq(truncate(path, (off_t)10 << 30), 0);
	cr_expect_eq(load(path, &diags, NULL), -EINVAL);
	cr_assert_eq(diags.n, 1);
	cr_expect_eq(diags.items[0].at.line, 1);
}

static int trusted(const char *path, struct error *err)
{
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	CLEANUP(cleanup_runbook) struct runbook *runbook = NULL;
	int r = runbook_load_trusted(path, &runbook, &diags, err);

	cr_expect_eq(!runbook, r < 0);
	cr_expect_eq(diags.n, 0);
	return r;
}

Test(load, what_is_run_is_written_by_nobody_else)
{
	AUTO_TREE tree = tree_new();
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	CLEANUP(error_done) struct error err = ERROR_INIT;
	char path[512];

	tree_file(&tree, "r.yaml", sound);
	tree_path(&tree, "r.yaml", path);
	cr_expect_eq(trusted(path, NULL), 0);
	cr_assert_eq(chmod(path, 0666), 0);
	cr_expect_eq(trusted(path, &err), -EINVAL);
	cr_expect_eq(err.code, -EINVAL, "a usage error");
	cr_expect(strstr(error_text(&err), "can be written to by others"), "%s", error_text(&err));
	cr_expect(err.hint && strstr(err.hint, "chmod go-w "));
	cr_expect_eq(load(path, &diags, NULL), 0, "what changes nothing reads it all the same");
	cr_assert_eq(chmod(path, 0600), 0);
	if (chown(path, 1234, 0) < 0)
		cr_skip("needs root");
	error_done(&err);
	cr_expect_eq(trusted(path, &err), -EINVAL);
	cr_expect(err.hint && strstr(err.hint, "chown root "), "%s", err.hint);
}

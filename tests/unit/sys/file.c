/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>

#include "sys/file.h"
#include "tree.h"

Test(file, is_read_whole)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_TREE tree;
	char at[PATH_MAX];

	tree_make(&tree);
	tree_file(&tree, "/book.yaml", "steps:\n");
	cr_assert_eq(file_read(tree_at(&tree, "/book.yaml", at), 7, &text, NULL), 0);
	cr_expect_str_eq(buf_text(&text), "steps:\n");
}

static void expect_refused(const char *path, int code)
{
	struct error err = ERROR_INIT;
	AUTO_BUF text = BUF_INIT;

	cr_expect_eq(file_read(path, 7, &text, &err), code, "%s", error_text(&err));
	cr_expect_not_null(strstr(error_text(&err), path));
	cr_expect_not_null(err.hint);
	cr_expect_eq(text.len, 0);
	error_done(&err);
}

Test(file, what_is_no_file_of_that_size_is_refused)
{
	AUTO_TREE tree;
	char at[PATH_MAX];

	tree_make(&tree);
	tree_file(&tree, "/large", "12345678");
	tree_dir(&tree, "/dir");
	cr_assert_eq(mkfifo(tree_at(&tree, "/fifo", at), 0644), 0);
	expect_refused(at, -EINVAL);
	expect_refused(tree_at(&tree, "/large", at), -EFBIG);
	expect_refused(tree_at(&tree, "/dir", at), -EINVAL);
	expect_refused(tree_at(&tree, "/none", at), -ENOENT);
	expect_refused("/dev/zero", -EINVAL);
	expect_refused("/proc/self/status", -EFBIG);
}

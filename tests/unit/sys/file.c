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

static int read_trusted(const char *path, struct error *err)
{
	AUTO_BUF text = BUF_INIT;

	return file_read_trusted(path, 100, &text, err);
}

Test(file, what_is_acted_by_is_nobody_elses)
{
	CLEANUP(error_done) struct error err = ERROR_INIT;
	AUTO_TREE tree;
	char file[PATH_MAX], dir[PATH_MAX], link[PATH_MAX];

	tree_make(&tree);
	tree_file(&tree, "/dir/book.yaml", "steps:\n");
	tree_at(&tree, "/dir/book.yaml", file);
	tree_at(&tree, "/dir", dir);
	chmod(file, 0644);
	cr_assert_eq(read_trusted(file, &err), 0, "%s", error_text(&err));
	chmod(file, 0664);
	cr_expect_eq(read_trusted(file, &err), -EPERM);
	cr_expect_not_null(strstr(err.hint, "chmod go-w "));
	cr_expect_not_null(strstr(err.hint, file));
	chmod(file, 0644);
	chmod(dir, 0757);
	cr_expect_eq(read_trusted(file, &err), -EPERM);
	cr_expect_not_null(strstr(err.hint, dir));
	chmod(dir, 01777);
	cr_expect_eq(read_trusted(file, &err), 0, "only the owner moves what lies in it");
	/* A link to a good file, in a directory where others could turn it. */
	tree_file(&tree, "/open/x", "");
	tree_link(&tree, "/open/link", file);
	tree_at(&tree, "/open", dir);
	tree_at(&tree, "/open/link", link);
	cr_expect_eq(read_trusted(link, &err), 0);
	chmod(dir, 0777);
	cr_expect_eq(read_trusted(link, &err), -EPERM);
}

Test(file, what_another_user_owns_is_not_acted_by)
{
	CLEANUP(error_done) struct error err = ERROR_INIT;
	AUTO_TREE tree;
	char file[PATH_MAX];

	if (geteuid() != 0)
		cr_skip_test("only root can give a file away");
	tree_make(&tree);
	tree_file(&tree, "/dir/book.yaml", "steps:\n");
	tree_at(&tree, "/dir/book.yaml", file);
	chmod(file, 0644);
	cr_assert_eq(chown(file, 12345, 0), 0);
	cr_expect_eq(read_trusted(file, &err), -EPERM);
	cr_expect_not_null(strstr(error_text(&err), "uid 12345"));
	cr_expect_not_null(strstr(err.hint, "chown root "));
}

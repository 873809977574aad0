/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mount.h>

#include "sys/statedir.h"
#include "tree.h"

static int open_at(const struct tree *tree, const char *name, enum statedir_mode mode,
		   struct error *err)
{
	CLEANUP(cleanup_statedir) struct statedir *dir = NULL;
	char at[PATH_MAX];

	return statedir_open(tree_at(tree, name, at), mode, &dir, err);
}

Test(statedir, is_made_for_its_owner_alone)
{
	CLEANUP(cleanup_statedir) struct statedir *dir = NULL;
	AUTO_FREE char *session = NULL;
	AUTO_TREE tree;
	char at[PATH_MAX];
	struct stat st;

	tree_make(&tree);
	umask(0);
	cr_expect_eq(open_at(&tree, "/state", STATEDIR_READ, NULL), -ENOENT);
	cr_expect_lt(stat(tree_at(&tree, "/state", at), &st), 0, "reading makes nothing");
	cr_assert_eq(statedir_open(strcat(at, "//"), STATEDIR_MAKE, &dir, NULL), 0);
	cr_expect_str_eq(statedir_path(dir), tree_at(&tree, "/state", at));
	cr_assert_eq(stat(at, &st), 0);
	cr_expect_eq(st.st_mode & 07777, 0700);
	cr_assert_eq(statedir_session(dir, 3, &session, NULL), 0);
	cr_expect_str_eq(session, tree_at(&tree, "/state/3", at));
	cr_assert_eq(stat(session, &st), 0);
	cr_expect_eq(st.st_mode & 07777, 0700);
	cr_expect_eq(open_at(&tree, "/state", STATEDIR_READ, NULL), 0);
}

static void expect_refused(const struct tree *tree, int code, const char *hint)
{
	CLEANUP(error_done) struct error err = ERROR_INIT;

	cr_expect_eq(open_at(tree, "/state", STATEDIR_MAKE, &err), code, "%s", error_text(&err));
	cr_expect(err.hint && strstr(err.hint, hint), "%s", err.hint);
	error_done(&err);
	cr_expect_eq(open_at(tree, "/state", STATEDIR_READ, &err), code, "%s", error_text(&err));
}

Test(statedir, others_have_no_hand_in_it)
{
	AUTO_TREE tree;
	char at[PATH_MAX];

	tree_make(&tree);
	tree_dir(&tree, "/state");
	tree_at(&tree, "/state", at);
	chmod(at, 0770);
	expect_refused(&tree, -EPERM, "chmod go-w ");
	chmod(at, 0702);
	expect_refused(&tree, -EPERM, "chmod go-w ");
	chmod(at, 01777);
	expect_refused(&tree, -EPERM, "chmod go-w ");
	chmod(at, 0755);
	cr_expect_eq(open_at(&tree, "/state", STATEDIR_READ, NULL), 0);
	chmod(tree.path, 0777);
	expect_refused(&tree, -EPERM, "chmod o-w ");
	chmod(tree.path, 01777);
	cr_expect_eq(open_at(&tree, "/state", STATEDIR_READ, NULL), 0);
}

Test(statedir, is_a_directory_of_its_own)
{
	AUTO_TREE tree;

	tree_make(&tree);
	tree_dir(&tree, "/other");
	tree_link(&tree, "/state", "other");
	expect_refused(&tree, -ENOTDIR, "the directory that it leads to");
	cr_expect_eq(open_at(&tree, "/other/", STATEDIR_READ, NULL), 0);
	cr_expect_eq(open_at(&tree, "/other/.", STATEDIR_READ, NULL), -EINVAL);
	cr_expect_eq(open_at(&tree, "/other/..", STATEDIR_READ, NULL), -EINVAL);
	cr_expect_eq(open_at(&tree, "/state/below", STATEDIR_MAKE, NULL), 0,
		     "links above it are the machine's own");
}

Test(statedir, a_file_is_none)
{
	AUTO_TREE tree;

	tree_make(&tree);
	tree_file(&tree, "/state", "");
	expect_refused(&tree, -ENOTDIR, "--state");
}

Test(statedir, another_users_is_refused)
{
	AUTO_TREE tree;
	char at[PATH_MAX];

	if (geteuid() != 0)
		cr_skip_test("only root can give a directory away");
	tree_make(&tree);
	tree_dir(&tree, "/state");
	cr_assert_eq(chown(tree_at(&tree, "/state", at), 12345, 0), 0);
	expect_refused(&tree, -EPERM, "run as that user");
}

Test(statedir, files_are_replaced_as_a_whole)
{
	CLEANUP(cleanup_statedir) struct statedir *dir = NULL;
	AUTO_FREE char *scratch = NULL;
	AUTO_BUF text = BUF_INIT;
	AUTO_TREE tree;
	char at[PATH_MAX];
	struct stat st;

	tree_make(&tree);
	cr_assert_eq(statedir_open(tree_at(&tree, "/state", at), STATEDIR_MAKE, &dir, NULL), 0);
	cr_assert_eq(statedir_directory(dir, "3/scratch/copy", &scratch, NULL), 0);
	cr_assert_eq(statedir_write(dir, "3/card.txt", "one", 3, NULL), 0);
	cr_assert_eq(statedir_write(dir, "3/card.txt", "two", 3, NULL), 0);
	cr_assert_eq(statedir_read(dir, "3/card.txt", 3, &text, NULL), 0);
	cr_expect_str_eq(buf_text(&text), "two");
	cr_expect_eq(statedir_read(dir, "3/card.txt", 2, &text, NULL), -EFBIG);
	cr_expect_eq(statedir_read(dir, "3", 2, &text, NULL), -EINVAL);
	cr_expect_eq(statedir_read(dir, "4", 2, &text, NULL), -ENOENT);
	cr_assert_eq(stat(tree_at(&tree, "/state/3/card.txt", at), &st), 0);
	cr_expect_eq(st.st_mode & 07777, 0600);
	cr_expect_lt(stat(tree_at(&tree, "/state/3/.card.txt.new", at), &st), 0);
	/* What an attempt left that was cut off is in nobody's way. */
	tree_file(&tree, "/state/3/.card.txt.new", "half");
	cr_assert_eq(statedir_write(dir, "3/card.txt", "three", 5, NULL), 0);
	cr_expect_eq(statedir_remove(dir, "3/card.txt", NULL), 0);
	cr_expect_eq(statedir_remove(dir, "3/card.txt", NULL), 0);
	cr_expect_eq(statedir_read(dir, "3/card.txt", 9, &text, NULL), -ENOENT);
}

Test(statedir, names_never_lead_out_of_it)
{
	static const char *const names[] = {
		"../x", "3/../../x", "/x", "", "3//x", "./x", "link/x"
	};
	CLEANUP(cleanup_statedir) struct statedir *dir = NULL;
	AUTO_FREE char *path = NULL;
	AUTO_BUF text = BUF_INIT;
	AUTO_TREE tree;
	char at[PATH_MAX];
	size_t i;

	tree_make(&tree);
	tree_dir(&tree, "/out");
	cr_assert_eq(statedir_open(tree_at(&tree, "/state", at), STATEDIR_MAKE, &dir, NULL), 0);
	tree_link(&tree, "/state/link", "../out");
	tree_link(&tree, "/state/file", "/etc/passwd");
	tree_dir(&tree, "/state/3");
	for (i = 0; i < ELEMENTS(names); i++) {
		cr_expect_lt(statedir_write(dir, names[i], "", 0, NULL), 0, "%s", names[i]);
		cr_expect_lt(statedir_directory(dir, names[i], &path, NULL), 0, "%s", names[i]);
		cr_expect_lt(statedir_read(dir, names[i], 9, &text, NULL), 0, "%s", names[i]);
	}
	cr_expect_eq(statedir_read(dir, "file", 9999, &text, NULL), -EINVAL);
	cr_expect_eq(statedir_clear(dir, "link", NULL), -ENOTDIR);
}

Test(statedir, a_tree_is_cleared_without_following_a_link)
{
	CLEANUP(cleanup_statedir) struct statedir *dir = NULL;
	AUTO_TREE tree;
	char at[PATH_MAX];
	struct stat st;

	tree_make(&tree);
	tree_file(&tree, "/out/kept", "");
	cr_assert_eq(statedir_open(tree_at(&tree, "/state", at), STATEDIR_MAKE, &dir, NULL), 0);
	tree_file(&tree, "/state/3/scratch/copy/a/b", "");
	tree_link(&tree, "/state/3/scratch/copy/a/out", tree_at(&tree, "/out", at));
	cr_assert_eq(statedir_clear(dir, "3/scratch", NULL), 0);
	cr_expect_lt(stat(tree_at(&tree, "/state/3/scratch", at), &st), 0);
	cr_expect_eq(stat(tree_at(&tree, "/state/3", at), &st), 0);
	cr_expect_eq(stat(tree_at(&tree, "/out/kept", at), &st), 0);
	cr_expect_eq(statedir_clear(dir, "3/scratch", NULL), 0);
	cr_expect_eq(statedir_clear(dir, "4/scratch", NULL), 0);
}

/* A filesystem of one page, in a mount namespace of the test's own. */
static void mount_small(const char *at, unsigned long flags)
{
	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("small", at, "tmpfs", flags, "size=64k,mode=700") < 0)
		cr_skip_test("no mount namespaces here");
}

Test(statedir, a_full_filesystem_is_told)
{
	CLEANUP(cleanup_statedir) struct statedir *dir = NULL;
	CLEANUP(error_done) struct error err = ERROR_INIT;
	AUTO_BUF text = BUF_INIT;
	static char zeros[128 << 10];
	AUTO_TREE tree;
	char at[PATH_MAX];

	tree_make(&tree);
	tree_dir(&tree, "/state");
	mount_small(tree_at(&tree, "/state", at), 0);
	cr_assert_eq(statedir_open(at, STATEDIR_READ, &dir, NULL), 0);
	cr_expect_eq(statedir_writable(dir, NULL), 0);
	cr_assert_eq(statedir_write(dir, "kept", "old", 3, NULL), 0);
	cr_expect_eq(statedir_write(dir, "kept", zeros, sizeof(zeros), &err), -ENOSPC);
	cr_expect_not_null(strstr(err.hint, "make room"));
	cr_assert_eq(statedir_read(dir, "kept", 9, &text, NULL), 0);
	cr_expect_str_eq(buf_text(&text), "old", "the old file stands");
	cr_assert_eq(statedir_write(dir, "filler", zeros, 60 << 10, NULL), 0);
	cr_expect_eq(statedir_writable(dir, &err), -ENOSPC);
	umount2(at, MNT_DETACH);
}

Test(statedir, a_filesystem_for_reading_is_told)
{
	CLEANUP(cleanup_statedir) struct statedir *dir = NULL;
	CLEANUP(error_done) struct error err = ERROR_INIT;
	AUTO_TREE tree;
	char at[PATH_MAX];

	tree_make(&tree);
	tree_dir(&tree, "/state");
	mount_small(tree_at(&tree, "/state", at), MS_RDONLY);
	cr_assert_eq(statedir_open(at, STATEDIR_MAKE, &dir, NULL), 0);
	cr_expect_eq(statedir_writable(dir, &err), -EROFS);
	cr_expect_not_null(strstr(err.hint, "mount it for writing"));
	cr_expect_eq(statedir_write(dir, "x", "", 0, NULL), -EROFS);
	umount2(at, MNT_DETACH);
}

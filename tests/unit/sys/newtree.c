/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>

#include "sys/newtree.h"
#include "sys/tree.h"

static void read_back(const char *path, char ret[64])
{
	FILE *file = fopen(path, "r");

	cr_assert_not_null(file);
	ret[fread(ret, 1, 63, file)] = '\0';
	fclose(file);
}

Test(newtree, is_written_apart_and_named_at_the_end)
{
	AUTO_TREE place;
	CLEANUP(cleanup_newtree) struct newtree *tree = NULL;
	char dir[PATH_MAX], path[PATH_MAX * 2], text[64];
	struct stat st;

	tree_make(&place);
	snprintf(dir, sizeof(dir), "%s/new/", place.path);
	cr_assert_eq(newtree_create(dir, &tree, NULL), 0);
	cr_expect_eq(newtree_file(tree, "/etc/fstab", "x\n", 2, NULL), 0);
	cr_expect_eq(newtree_file(tree, "/etc/fstab", "y\n", 2, NULL), -EEXIST);
	cr_expect_eq(newtree_link(tree, "/etc/link", "../out", NULL), 0);
	cr_expect_eq(newtree_directory(tree, "/run/a/b", NULL), 0);
	cr_expect_eq(newtree_directory(tree, "/run/a/b", NULL), 0);
	cr_expect_lt(stat(dir, &st), 0);
	cr_expect_not_null(strstr(newtree_partial(tree), "/new.partial"));
	cr_assert_eq(newtree_commit(tree, NULL), 0);
	cr_expect_null(newtree_partial(tree));
	snprintf(path, sizeof(path), "%s/etc/fstab", dir);
	read_back(path, text);
	cr_expect_str_eq(text, "x\n");
	cr_assert_eq(stat(path, &st), 0);
	cr_expect_eq(st.st_mode & 0777, 0600);
	cr_assert_eq(stat(dir, &st), 0);
	cr_expect_eq(st.st_mode & 0777, 0700);
}

Test(newtree, never_leaves_its_directory)
{
	AUTO_TREE place;
	CLEANUP(cleanup_newtree) struct newtree *tree = NULL;
	char dir[PATH_MAX];

	tree_make(&place);
	snprintf(dir, sizeof(dir), "%s/new", place.path);
	cr_assert_eq(newtree_create(dir, &tree, NULL), 0);
	cr_expect_eq(newtree_file(tree, "/../x", "", 0, NULL), -EINVAL);
	cr_expect_eq(newtree_file(tree, "/a/../../x", "", 0, NULL), -EINVAL);
	cr_expect_eq(newtree_file(tree, "/a/./x", "", 0, NULL), -EINVAL);
	cr_expect_eq(newtree_file(tree, "/..", "", 0, NULL), -EINVAL);
	cr_expect_eq(newtree_file(tree, "x", "", 0, NULL), -EINVAL);
	cr_expect_eq(newtree_file(tree, "/a//x", "", 0, NULL), -EINVAL);
	cr_expect_eq(newtree_link(tree, "/out", "/tmp", NULL), 0);
	cr_expect_lt(newtree_file(tree, "/out/x", "", 0, NULL), 0);
	cr_expect_lt(newtree_directory(tree, "/out/x", NULL), 0);
	cr_expect_eq(newtree_file(tree, "/..x/.y", "", 0, NULL), 0);
}

Test(newtree, takes_what_is_empty_and_nothing_else)
{
	AUTO_TREE place;
	CLEANUP(cleanup_newtree) struct newtree *tree = NULL;
	char path[PATH_MAX];

	tree_make(&place);
	tree_file(&place, "/full/file", "");
	tree_dir(&place, "/empty");
	cr_expect_eq(newtree_create(tree_at(&place, "/full", path), &tree, NULL), -EINVAL);
	cr_expect_eq(newtree_create(tree_at(&place, "/full/file", path), &tree, NULL), -ENOTDIR);
	cr_expect_eq(newtree_create(tree_at(&place, "/no", path), &tree, NULL), 0);
	cr_assert_eq(newtree_commit(tree, NULL), 0);
	newtree_free(TAKE(tree));
	cr_assert_eq(newtree_create(tree_at(&place, "/empty", path), &tree, NULL), 0);
	cr_expect_eq(newtree_file(tree, "/x", "", 0, NULL), 0);
	cr_expect_eq(newtree_commit(tree, NULL), 0);
	cr_expect_eq(access(tree_at(&place, "/empty/x", path), F_OK), 0);
}

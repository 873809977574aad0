/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>

#include "base/strv.h"
#include "host.h"
#include "tree.h"

Test(host_list, sorts_as_people_count)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	AUTO_STRV char **names = NULL;
	AUTO_TREE tree;

	tree_make(&tree);
	tree_file(&tree, "/d/ata10", "");
	tree_file(&tree, "/d/ata2", "");
	tree_file(&tree, "/d/.hidden", "");
	tree_dir(&tree, "/d/ata1");
	cr_assert_eq(host_open(tree.path, &host, NULL), 0);
	cr_assert_eq(host_list(host, "/d", &names, NULL), 0);
	cr_assert_eq(strv_length(names), 4);
	cr_expect_str_eq(names[0], ".hidden");
	cr_expect_str_eq(names[1], "ata1");
	cr_expect_str_eq(names[2], "ata2");
	cr_expect_str_eq(names[3], "ata10");
}

Test(host_list, an_empty_directory_is_an_empty_array)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	AUTO_STRV char **names = NULL;
	AUTO_TREE tree;

	tree_make(&tree);
	tree_dir(&tree, "/d");
	cr_assert_eq(host_open(tree.path, &host, NULL), 0);
	cr_assert_eq(host_list(host, "/d", &names, NULL), 0);
	cr_assert_not_null(names);
	cr_expect_null(names[0]);
}

Test(host_list, only_directories_have_names)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	char **names = NULL;
	char at[PATH_MAX];
	AUTO_TREE tree;

	tree_make(&tree);
	tree_file(&tree, "/file", "");
	cr_assert_eq(mkfifo(tree_at(&tree, "/fifo", at), 0644), 0);
	tree_link(&tree, "/out", "../../../../../../usr");
	cr_assert_eq(host_open(tree.path, &host, NULL), 0);
	cr_expect_eq(host_list(host, "/file", &names, NULL), -ENOTDIR);
	cr_expect_eq(host_list(host, "/fifo", &names, NULL), -ENOTDIR);
	cr_expect_eq(host_list(host, "/none", &names, NULL), -ENOENT);
	cr_expect_eq(host_list(host, "/out", &names, NULL), -ENOENT);
	cr_expect_null(names);
}

Test(host_list, the_number_of_names_is_bounded)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	AUTO_STRV char **names = NULL;
	AUTO_TREE tree;
	char at[PATH_MAX];
	int dir, i;

	tree_make(&tree);
	tree_dir(&tree, "/d");
	dir = open(tree_at(&tree, "/d", at), O_RDONLY | O_DIRECTORY);
	for (i = 0; i < 65536; i++) {
		snprintf(at, sizeof(at), "%d", i);
		cr_assert_eq(mknodat(dir, at, S_IFREG | 0644, 0), 0);
	}
	cr_assert_eq(host_open(tree.path, &host, NULL), 0);
	cr_assert_eq(host_list(host, "/d", &names, NULL), 0);
	cr_expect_eq(strv_length(names), 65536);
	cr_assert_eq(mknodat(dir, "more", S_IFREG | 0644, 0), 0);
	strv_free(TAKE(names));
	cr_expect_eq(host_list(host, "/d", &names, NULL), -EFBIG);
	cr_expect_null(names);
	close(dir);
}

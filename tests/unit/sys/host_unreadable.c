/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>

#include "base/strv.h"
#include "host.h"
#include "tree.h"

#define LIST "/coldswap/unreadable.tsv"

static struct host *make(struct tree *tree)
{
	struct host *host = NULL;
	struct error err = ERROR_INIT;

	tree_make(tree);
	tree_file(tree, LIST, "/efi/Boot0005\tEIO\n\n/etc/secret\tEACCES\r\n");
	tree_file(tree, "/efi/Boot0005", "bytes");
	tree_file(tree, "/efi/Boot00051", "other");
	tree_file(tree, "/etc/secret/key", "bytes");
	tree_link(tree, "/detour", "efi");
	cr_assert_eq(host_open(tree->path, &host, &err), 0, "%s", error_text(&err));
	return host;
}

Test(host_unreadable, a_listed_path_fails_as_it_did)
{
	AUTO_TREE tree;
	CLEANUP(cleanup_host) struct host *host = make(&tree);
	struct error err = ERROR_INIT;
	AUTO_BUF content = BUF_INIT;
	AUTO_FREE char *text = NULL;
	struct stat st;

	cr_expect_eq(host_read(host, "/efi/Boot0005", 100, &content, &err), -EIO);
	cr_expect_not_null(err.hint);
	cr_expect_eq(host_read_line(host, "/efi/Boot0005", &text, NULL), -EIO);
	cr_expect_eq(host_stat(host, "/efi/Boot0005", &st, NULL), -EIO);
	cr_expect_eq(host_exists(host, "/efi/Boot0005", NULL), -EIO);
	cr_expect_eq(host_realpath(host, "/efi/Boot0005", &text, NULL), -EIO);
	cr_expect_eq(host_read(host, "/efi/Boot00051", 100, &content, NULL), 0);
	error_done(&err);
}

Test(host_unreadable, no_way_around_it)
{
	AUTO_TREE tree;
	CLEANUP(cleanup_host) struct host *host = make(&tree);
	AUTO_BUF content = BUF_INIT;

	cr_expect_eq(host_read(host, "/detour/Boot0005", 100, &content, NULL), -EIO);
	cr_expect_eq(host_read(host, "//efi/../efi/./Boot0005", 100, &content, NULL), -EIO);
}

Test(host_unreadable, what_lies_below_is_unreadable_too)
{
	AUTO_TREE tree;
	CLEANUP(cleanup_host) struct host *host = make(&tree);
	struct error err = ERROR_INIT;
	AUTO_BUF content = BUF_INIT;
	char **names = NULL;

	cr_expect_eq(host_list(host, "/etc/secret", &names, NULL), -EACCES);
	cr_expect_eq(host_read(host, "/etc/secret/key", 100, &content, &err), -EACCES);
	cr_expect_str_eq(err.hint, "make the capture again as root");
	error_done(&err);
}

static void expect_refused(const char *text)
{
	struct error err = ERROR_INIT;
	struct host *host = NULL;
	AUTO_TREE tree;

	tree_make(&tree);
	tree_file(&tree, LIST, text);
	cr_expect_eq(host_open(tree.path, &host, &err), -EINVAL, "%s", text);
	cr_expect_not_null(strstr(error_text(&err), "unreadable.tsv:2"), "%s", error_text(&err));
	cr_expect_null(host);
	error_done(&err);
}

Test(host_unreadable, a_broken_list_is_an_error)
{
	expect_refused("/a\tEIO\n/b EIO\n");
	expect_refused("/a\tEIO\n/b\tENOSUCH\n");
	expect_refused("/a\tEIO\nb\tEIO\n");
	expect_refused("/a\tEIO\n/b\t\n");
}

/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>

#include "host.h"
#include "tree.h"

static void expect_real(struct host *host, const char *path, const char *expected)
{
	AUTO_FREE char *real = NULL;
	struct error err = ERROR_INIT;

	cr_expect_eq(host_realpath(host, path, &real, &err), 0, "%s: %s", path, error_text(&err));
	if (real)
		cr_expect_str_eq(real, expected, "%s gives %s", path, real);
	error_done(&err);
}

static struct host *make(struct tree *tree)
{
	struct host *host = NULL;

	tree_make(tree);
	tree_file(tree, "/sys/devices/pci/ata1/host0/block/sda/size", "1");
	tree_link(tree, "/sys/class/block/sda", "../../devices/pci/ata1/host0/block/sda");
	tree_link(tree, "/sys/devices/pci/ata1/host0/block/sda/subsystem", "/sys/class/block");
	tree_link(tree, "/sys/block", "class/block");
	tree_link(tree, "/escape", "../../../sys/../sys/class");
	tree_link(tree, "/dangling", "nowhere");
	cr_assert_eq(host_open(tree->path, &host, NULL), 0);
	return host;
}

Test(host_path, resolves_every_link_inside)
{
	AUTO_TREE tree;
	CLEANUP(cleanup_host) struct host *host = make(&tree);

	expect_real(host, "/", "/");
	expect_real(host, "/..", "/");
	expect_real(host, "/sys/class/block/sda", "/sys/devices/pci/ata1/host0/block/sda");
	expect_real(host, "//sys/./block//sda/size", "/sys/devices/pci/ata1/host0/block/sda/size");
	expect_real(host, "/sys/class/block/sda/subsystem", "/sys/class/block");
	expect_real(host, "/sys/class/block/sda/..", "/sys/devices/pci/ata1/host0/block");
	expect_real(host, "/escape/block/sda/", "/sys/devices/pci/ata1/host0/block/sda");
}

Test(host_path, must_exist)
{
	AUTO_TREE tree;
	CLEANUP(cleanup_host) struct host *host = make(&tree);
	AUTO_FREE char *real = NULL;

	cr_expect_eq(host_realpath(host, "/dangling", &real, NULL), -ENOENT);
	cr_expect_eq(host_realpath(host, "/sys/none", &real, NULL), -ENOENT);
	cr_expect_eq(host_realpath(host, "/sys/class/block/sda/size/x", &real, NULL), -ENOTDIR);
	cr_expect_eq(host_realpath(host, "relative", &real, NULL), -EINVAL);
	cr_expect_null(real);
}

/* The names inside do not depend on where the capture lies, nor on whether it still has a name. */
Test(host_path, outlives_a_rename_of_the_root)
{
	AUTO_TREE tree;
	CLEANUP(cleanup_host) struct host *host = make(&tree);
	struct tree moved;

	moved = tree;
	moved.path[strlen(moved.path) - 1] = '-'; /* mkdtemp(3) never makes one */
	cr_assert_eq(rename(tree.path, moved.path), 0);
	expect_real(host, "/sys/block/sda", "/sys/devices/pci/ata1/host0/block/sda");
	tree_done(&moved);
	expect_real(host, "/", "/");
}

Test(host_path, a_path_too_long_is_an_error)
{
	AUTO_TREE tree;
	CLEANUP(cleanup_host) struct host *host = make(&tree);
	AUTO_FREE char *real = NULL;
	char path[PATH_MAX + 2];

	memset(path, '/', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	cr_expect_eq(host_realpath(host, path, &real, NULL), -ENAMETOOLONG);
	memset(path + 1, 'x', 300);
	path[301] = '\0';
	cr_expect_eq(host_realpath(host, path, &real, NULL), -ENAMETOOLONG);
}

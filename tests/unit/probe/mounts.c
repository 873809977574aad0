/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "base/strv.h"
#include "probe/mounts.h"
#include "tree.h"

static struct mounts *load(const char *text)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	AUTO_TREE tree = tree_new();
	struct mounts *mounts = NULL;

	tree_file(&tree, "proc/self/mountinfo", text);
	cr_assert_eq(host_open(tree.root, &host, NULL), 0);
	cr_assert_eq(mounts_load(host, &mounts, NULL), 0);
	return mounts;
}

Test(mounts, fields)
{
	CLEANUP(cleanup_mounts)
	struct mounts *mounts =
		load("21 29 0:20 / /sys rw,nosuid shared:2 - sysfs sysfs rw\n"
		     "29 1 8:1 / / rw,relatime shared:1 master:3 - ext4 /dev/sda1 rw\n"
		     "30 29 0:41 /@home /a\\040b ro - btrfs /dev/sdb rw,subvol=/@home\n"
		     "31 29 0:50 / /fuse rw - fuse  rw\n");

	cr_assert_eq(mounts->n, 4);
	cr_assert_null(mounts->malformed);
	cr_assert_eq(mounts->items[1].line, 2);
	cr_assert_eq(mounts->items[1].major, 8);
	cr_assert_eq(mounts->items[1].minor, 1);
	cr_assert_str_eq(mounts->items[2].target, "/a b");
	cr_assert_str_eq(mounts->items[2].root, "/@home");
	cr_assert_eq(mounts->items[2].major, 0);
	cr_assert(strstr(mounts->items[2].options, "ro"));
	cr_assert_null(mounts->items[3].source);
}

Test(mounts, dev_root_of_a_capture_is_not_asked_of_this_machine)
{
	CLEANUP(cleanup_mounts)
	struct mounts *mounts = load("29 1 8:1 / / rw - ext4 /dev/root rw\n");

	cr_assert_str_eq(mounts->items[0].source, "/dev/root");
}

Test(mounts, refused_lines_are_kept)
{
	CLEANUP(cleanup_mounts)
	struct mounts *mounts =
		load("29 1 8:1 / / rw - ext4 /dev/sda1 rw\ngarbage here\n/dev/sda1 /x ext4 rw 0 0\n"
		     "30 29 8:2 / /b rw - ext4 /dev/sda2 rw");

	cr_assert_eq(mounts->n, 2);
	cr_assert_eq(strv_length(mounts->malformed), 2);
	cr_assert_str_eq(mounts->malformed[0], "2: garbage here");
	cr_assert_eq(mounts->items[1].line, 4);
}

Test(mounts, the_mount_of_a_path)
{
	CLEANUP(cleanup_mounts)
	struct mounts *mounts = load("30 29 8:2 / /data rw - ext4 /dev/sda2 rw\n"
				     "29 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
				     "31 30 8:3 / /data/deep rw - ext4 /dev/sda3 rw\n"
				     "32 30 8:4 / /data rw - ext4 /dev/sda4 rw\n");

	cr_assert_str_eq(mounts_over(mounts, "/etc")->source, "/dev/sda1");
	cr_assert_str_eq(mounts_over(mounts, "/database")->source, "/dev/sda1");
	cr_assert_str_eq(mounts_over(mounts, "/data/x")->source, "/dev/sda4", "the topmost");
	cr_assert_str_eq(mounts_at(mounts, "/data")->source, "/dev/sda4");
	cr_assert_null(mounts_at(mounts, "/data/x"));
	cr_assert(mounts->items[2].hidden, "/data was mounted over it");
	cr_assert_null(mounts_at(mounts, "/data/deep"));
	cr_assert_str_eq(mounts_hidden_at(mounts, "/data/deep")->source, "/dev/sda3");
	cr_assert_null(mounts_hidden_at(mounts, "/"));
}

Test(mounts, below)
{
	cr_assert(path_is_below("/a/b", "/a"));
	cr_assert(path_is_below("/a", "/a"));
	cr_assert(path_is_below("/a", "/"));
	cr_assert_not(path_is_below("/ab", "/a"));
	cr_assert_not(path_is_below("/a", "/a/b"));
}

static int load_swaps(const char *text, struct swaps **ret, struct error *err)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	AUTO_TREE tree = tree_new();

	if (text)
		tree_file(&tree, "proc/swaps", text);
	cr_assert_eq(host_open(tree.root, &host, NULL), 0);
	return swaps_load(host, ret, err);
}

Test(swaps, partitions_and_files)
{
	CLEANUP(cleanup_swaps) struct swaps *swaps = NULL;

	cr_assert_eq(load_swaps("Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
				"/dev/sdb2                               partition\t100\t0\t-2\n"
				"/var/swap\\040file                      file\t100\t0\t-3\n",
				&swaps, NULL),
		     0);
	cr_assert_eq(swaps->n, 2);
	cr_assert_str_eq(swaps->items[0].source, "/dev/sdb2");
	cr_assert_not(swaps->items[0].file);
	cr_assert_str_eq(swaps->items[1].source, "/var/swap file");
	cr_assert(swaps->items[1].file);
	cr_assert_eq(swaps->items[1].line, 3);
}

Test(swaps, none_damaged_and_absent)
{
	CLEANUP(cleanup_swaps) struct swaps *none = NULL;
	struct swaps *swaps = NULL;

	cr_assert_eq(load_swaps("Filename\tType\tSize\tUsed\tPriority\n", &none, NULL), 0);
	cr_assert_eq(none->n, 0);
	cr_assert_eq(load_swaps("Filename\tType\tSize\tUsed\tPriority\n/dev/sdb2 partition\n",
				&swaps, NULL),
		     -EBADMSG);
	cr_assert_eq(load_swaps(NULL, &swaps, NULL), -ENOENT, "a capture without it does not tell");
}

/* SPDX-License-Identifier: MIT */
/* Links that leave a source, and what is mounted below it. */
#include "files_copy_made.h"

Test(files_copy_links, a_link_that_leaves_its_source)
{
	AUTO_TREE tree = tree_new();
	struct look look = { .tree = &tree,
			     .removed = "BBB",
			     .to = (char[]){ "/backup" },
			     .entries = { { .path = (char[]){ "/data/app" } } } };
	struct result result;

	add_host(&tree, "", "8721");
	tree_file(&tree, "data/app/x", "x");
	tree_file(&tree, "etc/keys/key", "k");
	tree_file(&tree, "tmp/socket", "");
	tree_link(&tree, "data/app/keys", "/etc/keys");
	tree_link(&tree, "data/app/nowhere", "/etc/none");
	tree_link(&tree, "data/app/inside", "x");
	tree_link(&tree, "data/app/memory", "/tmp/socket");
	foresee(&look, &result);
	says(&result, "leaving-link", "/data/app/keys", VERDICT_FAIL,
	     "/data/app/keys leads to /etc/keys, which no source covers: the copy would hold the "
	     "link alone.");
	says(&result, "link-covered", "/data/app/memory", VERDICT_PASS,
	     "/data/app/memory leads to /tmp/socket, which is on no disk.");
	cr_expect_null(find(&result, "leaving-link", "/data/app/nowhere"));
	cr_expect_null(find(&result, "leaving-link", "/data/app/inside"));
	result_done(&result);
	look.entries[1] = (struct files_copy_entry){ .path = (char[]){ "/etc/keys" } };
	foresee(&look, &result);
	says(&result, "link-covered", "/data/app/keys", VERDICT_PASS,
	     "/data/app/keys leads to /etc/keys, which is copied too.");
	result_done(&result);
	look.entries[1] = (struct files_copy_entry)LEFT("/etc/keys", "made again");
	foresee(&look, &result);
	says(&result, "link-covered", "/data/app/keys", VERDICT_PASS,
	     "/data/app/keys leads to /etc/keys, which can be had again.");
	result_done(&result);
}

Test(files_copy_links, a_source_ends_where_something_is_mounted)
{
	AUTO_TREE tree = tree_new();
	struct look look = { .tree = &tree,
			     .removed = "BBB",
			     .to = (char[]){ "/backup" },
			     .entries = { { .path = (char[]){ "/data/app" } } } };
	struct result result;

	add_host(&tree, "," FILE_ROW("/data/app/more/blob", "5000"), "8721");
	tree_file(&tree, "proc/self/mountinfo",
		  "29 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
		  "30 29 8:17 / /data rw - ext4 /dev/sdb1 rw\n"
		  "31 30 8:17 /x /data/app/more rw - ext4 /dev/sdb1 rw\n"
		  "32 30 0:30 / /data/app/memory rw - tmpfs tmpfs rw\n");
	tree_file(&tree, "data/app/memory/x", "");
	foresee(&look, &result);
	says(&result, "mount-below", "/data/app/more", VERDICT_FAIL,
	     "/data/app/more is mounted below /data/app, and no source covers it: the copy would "
	     "have nothing of it.");
	says(&result, "mount-covered", "/data/app/memory", VERDICT_PASS,
	     "/data/app/memory is mounted below /data/app, and is on no disk.");
	result_done(&result);
	look.entries[1] = (struct files_copy_entry){ .path = (char[]){ "/data/app/more" } };
	foresee(&look, &result);
	says(&result, "mount-covered", "/data/app/more", VERDICT_PASS,
	     "/data/app/more is mounted below /data/app, and is copied as a source.");
	cr_expect_null(find(&result, "mount-below", NULL));
	result_done(&result);
	look.entries[1] = (struct files_copy_entry)LEFT("/data/app/more", "made again");
	foresee(&look, &result);
	says(&result, "mount-covered", "/data/app/more", VERDICT_PASS,
	     "/data/app/more is mounted below /data/app, and can be had again.");
	result_done(&result);
}

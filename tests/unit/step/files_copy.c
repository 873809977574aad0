/* SPDX-License-Identifier: MIT */
/* What a cold copy would be, told by reading alone; and when it stands. */
#include "files_copy_made.h"

Test(files_copy, row_by_row)
{
	AUTO_TREE tree = tree_new();
	struct look look = { .tree = &tree,
			     .removed = "BBB",
			     .to = (char[]){ "/backup" },
			     .entries = { APP, LEFT("/data/cache", "it fills again") } };
	struct result result;

	add_host(&tree, "," FILE_ROW("/data/photos/a", "3000000000") "," FILE_ROW("/data/b", "5"),
		 "5700");
	foresee(&look, &result);
	cr_expect_eq(result.verdict, VERDICT_WARN);
	cr_expect_str_eq(result.summary, "79 MB are copied to /backup; 200 MB are left out and can "
					 "be had again.");
	says(&result, "source", "/data/app", VERDICT_PASS, "79 MB in 1 file are copied: orders.");
	says(&result, "left-out", "/data/cache", VERDICT_PASS,
	     "200 MB are left out: it fills again.");
	says(&result, "unclassified", "/data/photos", VERDICT_WARN,
	     "/data/photos holds 3.0 GB that no entry of the sources names.");
	says(&result, "unclassified", "/data/b", VERDICT_WARN,
	     "/data/b holds 5 bytes that no entry of the sources names.");
	cr_expect_lt(find(&result, "unclassified", "/data/photos"),
		     find(&result, "unclassified", "/data/b"), "the largest first");
	cr_expect_null(find(&result, "unclassified", "/data"), "21 MB are the filesystem's own");
	cr_assert(find(&result, "room", "/backup"));
	result_done(&result);
}

Test(files_copy, of_two_in_each_other_the_longer_name_says_it)
{
	AUTO_TREE tree = tree_new();
	struct look look = { .tree = &tree,
			     .removed = "BBB",
			     .to = (char[]){ "/backup" },
			     .entries = { LEFT("/data", "a mirror"), APP } };
	struct result result;

	add_host(&tree, "", "8721");
	foresee(&look, &result);
	cr_expect_eq(result.verdict, VERDICT_PASS);
	cr_expect_str_eq(result.summary, "79 MB are copied to /backup; 200 MB are left out and can "
					 "be had again.");
	result_done(&result);
	look.entries[0] = (struct files_copy_entry){ .path = (char[]){ "/data" } };
	look.entries[1] = (struct files_copy_entry)LEFT("/data/cache", "it fills again");
	foresee(&look, &result);
	cr_expect_eq(result.verdict, VERDICT_PASS);
	cr_expect_str_eq(result.summary, "79 MB are copied to /backup; 200 MB are left out and can "
					 "be had again.");
	result_done(&result);
}

Test(files_copy, what_is_used_and_not_seen)
{
	AUTO_TREE tree = tree_new();
	struct look look = { .tree = &tree,
			     .removed = "BBB",
			     .to = (char[]){ "/backup" },
			     .entries = { APP, LEFT("/data/cache", "it fills again") } };
	struct result result;

	add_host(&tree, "", "8000");
	foresee(&look, &result);
	says(&result, "unclassified", "/data", VERDICT_WARN,
	     "/data uses 721 MB more than the files that were seen.");
	result_done(&result);
}

Test(files_copy, the_system_is_recreatable_when_the_operator_says_so)
{
	AUTO_TREE tree = tree_new();
	struct look look = { .tree = &tree,
			     .removed = "AAA",
			     .to = (char[]){ "/data/backup" },
			     .entries = { APP } };
	struct result result;

	add_host(&tree, "," FILE_ROW("/usr/bin/x", "700000000") "," FILE_ROW("/etc/x", "290000000"),
		 "8721");
	foresee(&look, &result);
	says(&result, "unclassified", "/usr", VERDICT_WARN,
	     "/usr holds 700 MB that no entry of the sources names.");
	cr_expect(find(&result, "unclassified", "/etc"));
	result_done(&result);
	look.entries[1] = (struct files_copy_entry)LEFT("/", "installed again by the playbook");
	foresee(&look, &result);
	cr_expect_null(find(&result, "unclassified", NULL));
	result_done(&result);
}

Test(files_copy, at_most_ten_are_told_and_the_rest_in_one)
{
	AUTO_TREE tree = tree_new();
	AUTO_BUF more = BUF_INIT;
	struct look look = { .tree = &tree,
			     .removed = "BBB",
			     .to = (char[]){ "/backup" },
			     .entries = { APP, LEFT("/data/cache", "it fills again") } };
	struct result result;

	for (int i = 0; i < 12; i++)
		buf_addf(&more, "," FILE_ROW("/data/d%d/f", "1000000"), i);
	add_host(&tree, buf_text(&more), "8700");
	foresee(&look, &result);
	says(&result, "unclassified", "/data", VERDICT_WARN,
	     "/data holds 2.0 MB more in 2 other places that no entry of the sources names.");
	result_done(&result);
}

Test(files_copy, a_filesystem_that_is_not_mounted)
{
	AUTO_TREE tree = tree_new();
	struct look look = { .tree = &tree,
			     .removed = "BBB",
			     .to = (char[]){ "/backup" },
			     .entries = { APP, LEFT("/data/cache", "it fills again") } };
	struct result result;

	add_host(&tree, "", "8721");
	disk_part(&tree, PORT("2", "1") "sdb/sdb2", "2", "8:18");
	disk_udev(&tree, "8:18", "E:ID_FS_TYPE=xfs\nE:ID_FS_USAGE=filesystem\n");
	foresee(&look, &result);
	says(&result, "not-mounted", "sdb2", VERDICT_WARN,
	     "sdb2 holds a filesystem (xfs) that is not mounted: what lies in it is not known.");
	result_done(&result);
}

static const struct {
	const char *to;
	bool allow_network;
	const char *id;
	enum verdict verdict;
} destinations[] = {
	{ "/backup", false, "room", VERDICT_PASS },
	{ "/data/backup", false, "dest-on-moved-disk", VERDICT_FAIL },
	{ "/bound/backup", false, "dest-on-moved-disk", VERDICT_FAIL },
	{ "/tmp/x", false, "dest-in-memory", VERDICT_FAIL },
	{ "/z/x", false, "dest-in-memory", VERDICT_FAIL },
	{ "/odd/x", false, "dest-stacked", VERDICT_FAIL },
	{ "/ssh/x", true, "dest-stacked", VERDICT_FAIL },
	{ "/ro/x", false, "dest-read-only", VERDICT_FAIL },
	{ "/nas/x", false, "dest-network", VERDICT_FAIL },
	{ "/nas/x", true, "dest-network", VERDICT_WARN },
	{ "/data/app/x", false, "nested", VERDICT_FAIL },
	{ "/data", false, "nested", VERDICT_FAIL },
};

Test(files_copy, destinations)
{
	AUTO_TREE tree = tree_new();

	add_host(&tree, "", "8721");
	for (size_t i = 0; i < ELEMENTS(destinations); i++) {
		AUTO_FREE char *to = strdup(destinations[i].to);
		struct look look = { .tree = &tree,
				     .removed = "BBB",
				     .to = to,
				     .allow_network = destinations[i].allow_network,
				     .entries = { APP } };
		struct result result;

		foresee(&look, &result);
		cr_assert(find(&result, destinations[i].id, NULL), "%s: %s", to,
			  destinations[i].id);
		cr_expect_eq(find(&result, destinations[i].id, NULL)->verdict,
			     destinations[i].verdict, "%s", to);
		result_done(&result);
	}
}

Test(files_copy, sources_that_cannot_be)
{
	AUTO_TREE tree = tree_new();
	struct look look = { .tree = &tree,
			     .removed = "BBB",
			     .to = (char[]){ "/backup" },
			     .entries = { APP,
					  { .path = (char[]){ "/data/none" } },
					  { .path = (char[]){ "postgres:/data/cache" } },
					  { .path = (char[]){ "/data/cache" },
					    .keep = (char[]){ "recreatable" } } } };
	struct result result;

	add_host(&tree, "", "8721");
	foresee(&look, &result);
	cr_expect_eq(find(&result, "source-missing", "/data/none")->verdict, VERDICT_FAIL);
	cr_expect_eq(find(&result, "source-missing", "postgres:/data/cache")->verdict,
		     VERDICT_FAIL);
	cr_expect_eq(find(&result, "no-reason", "/data/cache")->verdict, VERDICT_FAIL);
	cr_expect_null(find(&result, "room", NULL), "no promise is made of a part");
	result_done(&result);
}

Test(files_copy, nothing_to_copy)
{
	AUTO_TREE tree = tree_new();
	struct look look = { .tree = &tree, .to = (char[]){ "/backup" } };
	struct result result;

	add_host(&tree, "", "8721");
	foresee(&look, &result);
	cr_expect_eq(result.verdict, VERDICT_SKIP);
	cr_expect_not_null(result.summary);
	result_done(&result);
}

Test(files_copy, what_cannot_be_read_is_unknown)
{
	AUTO_TREE tree = tree_new();
	struct look look = {
		.tree = &tree, .removed = "BBB", .to = (char[]){ "/backup" }, .entries = { APP }
	};
	struct result result;

	add_host(&tree, "", "8721");
	tree_file(&tree, "coldswap/unreadable.tsv", "/proc/self/mountinfo\tEACCES\n");
	foresee(&look, &result);
	cr_expect_eq(result.verdict, VERDICT_UNKNOWN);
	result_done(&result);
}

Test(files_copy, changes_nothing_where_nothing_may_be_changed)
{
	CLEANUP(error_done) struct error err = ERROR_INIT;
	struct files_copy_params params = { .to = (char[]){ "/backup" } };
	struct step step = { .id = "copy" };
	struct result result;

	result_init(&result, &kind_files_copy);
	cr_expect_eq(kind_files_copy.run(&step, &params, &result, &err), -EPERM);
	result_done(&result);
}

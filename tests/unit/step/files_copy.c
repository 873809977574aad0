/* SPDX-License-Identifier: MIT */
/* What a cold copy would be, told by reading alone; and when it stands. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "disks.h"
#include "probe/facts.h"
#include "step/files_copy.h"
#include "step/kinds.h"
#include "work/work.h"

#define FILE_ROW(path, size) "{\"path\":\"" path "\",\"type\":\"file\",\"size\":" size "}"
#define SPACE(blocks, free)                                                                        \
	"{\"f_frsize\":1000000,\"f_blocks\":" blocks ",\"f_bfree\":" free ",\"f_bavail\":" free    \
	",\"f_files\":0,\"f_favail\":0}"

/* / on sda, /data on sdb: 79 MB of an application, 200 MB of a cache, `more` files. */
static void add_host(const struct tree *tree, const char *more, const char *data_free)
{
	char files[4096], room[1024];

	disk_at(tree, PORT("1", "0") "sda", "8:0", "8");
	disk_at(tree, PORT("2", "1") "sdb", "8:16", "8");
	disk_part(tree, PORT("1", "0") "sda/sda1", "1", "8:1");
	disk_part(tree, PORT("2", "1") "sdb/sdb1", "1", "8:17");
	disk_udev(tree, "8:0", "E:ID_SERIAL_SHORT=AAA\nE:ID_MODEL=M\n");
	disk_udev(tree, "8:16", "E:ID_SERIAL_SHORT=BBB\nE:ID_MODEL=M\n");
	tree_file(tree, "proc/self/mountinfo",
		  "29 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
		  "30 29 8:17 / /data rw - ext4 /dev/sdb1 rw\n"
		  "31 29 0:30 / /tmp rw - tmpfs tmpfs rw\n"
		  "32 29 0:31 / /nas rw - nfs4 nas:/x rw\n"
		  "33 29 8:1 /x /ro ro - ext4 /dev/sda1 rw\n"
		  "34 29 0:33 / /odd rw - overlay overlay rw\n"
		  "35 29 0:34 / /ssh rw - fuse.mergerfs a:b rw\n"
		  "36 29 8:17 /bound /bound rw - ext4 /dev/sdb1 rw\n"
		  "37 29 252:0 / /z rw - ext4 /dev/zram0 rw\n");
	disk_at(tree, "virtual/block/zram0", "252:0", "8");
	snprintf(files, sizeof(files), "[%s,%s%s]", FILE_ROW("/data/app/state", "79000000"),
		 FILE_ROW("/data/cache/blob", "200000000"), more);
	snprintf(
		room, sizeof(room),
		"{\"/\":" SPACE(
			"9000",
			"8000") ",\"/data\":{\"f_frsize\":1000000,\"f_blocks\":9000,\"f_bfree\":%s,"
				"\"f_bavail\":5000,\"f_files\":0,\"f_favail\":0}}",
		data_free);
	tree_file(tree, "coldswap/files.json", files);
	tree_file(tree, "coldswap/statvfs.json", room);
}

struct look {
	const struct tree *tree;
	const char *removed; /* the disk of the work */
	char *to;
	bool allow_network;
	struct files_copy_entry entries[4];
};

static void foresee(const struct look *look, struct result *ret)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	CLEANUP(cleanup_facts) struct facts *facts = NULL;
	CLEANUP(cleanup_work) struct work *work = NULL;
	AUTO_FREE char *disk = look->removed ? strdup(look->removed) : NULL;
	struct work_request request = { .type = WORK_REMOVE, .disk = disk };
	struct files_copy_entry entries[4];
	struct files_copy_params params = { .to = look->to,
					    .sources = { entries, 0 },
					    .allow_network = look->allow_network };
	struct step step = { .id = "copy" };

	memcpy(entries, look->entries, sizeof(entries));
	for (; params.sources.n < 4 && entries[params.sources.n].path; params.sources.n++)
		if (!entries[params.sources.n].keep)
			entries[params.sources.n].keep = (char[]){ "irreplaceable" };
	cr_assert_eq(host_open(look->tree->root, &host, NULL), 0);
	cr_assert_eq(facts_new(host, &facts, NULL), 0);
	cr_assert_eq(work_resolve(facts, &request, disk ? 1 : 0, &work, NULL), 0);
	step.host = host;
	step.facts = facts;
	step.work = work;
	result_init(ret, &kind_files_copy);
	cr_assert_eq(kind_files_copy.foresee(&step, &params, ret, NULL), 0);
	cr_assert_eq(ret->failed, 0);
}

static const struct finding *find(const struct result *result, const char *id, const char *subject)
{
	for (size_t i = 0; i < result->n_findings; i++)
		if (strcmp(strchr(result->findings[i].id, '/') + 1, id) == 0 &&
		    (!subject || strcmp(result->findings[i].subject, subject) == 0))
			return &result->findings[i];
	return NULL;
}

static void says(const struct result *result, const char *id, const char *subject,
		 enum verdict verdict, const char *words)
{
	const struct finding *finding = find(result, id, subject);

	cr_assert(finding, "%s %s", id, subject);
	cr_expect_eq(finding->verdict, verdict, "%s", id);
	cr_expect_str_eq(finding->summary, words);
	cr_expect_gt(finding->n_evidence, 0, "%s", id);
	cr_expect(verdict == VERDICT_PASS || finding->remedy, "%s", id);
}

#define APP                                                                                        \
	{                                                                                          \
		.path = (char[]){ "/data/app" }, .reason = (char[])                                \
		{                                                                                  \
			"orders"                                                                   \
		}                                                                                  \
	}
#define LEFT(text, why)                                                                            \
	{                                                                                          \
		.path = (char[]){ text }, .keep = (char[]){ "recreatable" }, .reason = (char[])    \
		{                                                                                  \
			why                                                                        \
		}                                                                                  \
	}

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

Test(files_copy, a_link_that_leaves_its_source)
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

Test(files_copy, a_source_ends_where_something_is_mounted)
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

/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>

#include "base/json.h"
#include "host.h"
#include "tree.h"

static struct host *make(struct tree *tree)
{
	struct host *host = NULL;

	tree_make(tree);
	tree_file(tree, "/coldswap/host.json", "{\"name\": \"h\"}");
	tree_file(tree, "/coldswap/kernel.log", "[    0.000000] Linux version 6.1\n");
	tree_file(tree, "/coldswap/smart/sda.json", "{}");
	tree_file(tree, "/coldswap/systemd/k3s.service.json", "{\"Id\": \"k3s.service\"}");
	tree_file(tree, "/coldswap/measures.json", "[]");
	tree_file(tree, "/coldswap/files.json", "[1]");
	tree_file(tree, "/coldswap/statvfs.json",
		  "{\"/\": {\"f_bavail\": 1}, \"/data\": {\"f_bavail\": 2}}");
	tree_file(tree, "/dev/sda1", "ID_FS_UUID=1-2\n");
	cr_assert_eq(host_open(tree->path, &host, NULL), 0);
	return host;
}

Test(host_fact, a_capture_gives_its_files)
{
	static const struct {
		enum host_fact fact;
		const char *name, *text, *source;
	} rows[] = {
		{ HOST_FACT_IDENTITY, NULL, "{\"name\": \"h\"}", "coldswap/host.json" },
		{ HOST_FACT_KERNEL_LOG, NULL, "[    0.000000] Linux version 6.1\n",
		  "coldswap/kernel.log" },
		{ HOST_FACT_SMART, "sda", "{}", "coldswap/smart/sda.json" },
		{ HOST_FACT_UNIT, "k3s.service", "{\"Id\": \"k3s.service\"}",
		  "coldswap/systemd/k3s.service.json" },
		{ HOST_FACT_MEASURES, NULL, "[]", "coldswap/measures.json" },
		{ HOST_FACT_FILES, NULL, "[1]", "coldswap/files.json" },
		{ HOST_FACT_TAGS, "sda1", "ID_FS_UUID=1-2\n", "dev/sda1" },
		{ HOST_FACT_STATVFS, "/data", "{\"/data\":{\"f_bavail\":2}}\n",
		  "coldswap/statvfs.json" },
	};
	AUTO_TREE tree;
	CLEANUP(cleanup_host) struct host *host = make(&tree);
	size_t i;

	for (i = 0; i < ELEMENTS(rows); i++) {
		AUTO_BUF text = BUF_INIT;
		AUTO_FREE char *source = NULL;

		cr_expect_eq(host_fact(host, rows[i].fact, rows[i].name, &text, &source, NULL), 0);
		cr_expect_str_eq(buf_text(&text), rows[i].text);
		cr_expect_str_eq(source, rows[i].source);
	}
}

Test(host_fact, the_source_may_be_left_out)
{
	AUTO_TREE tree;
	CLEANUP(cleanup_host) struct host *host = make(&tree);
	AUTO_BUF text = BUF_INIT;

	cr_expect_eq(host_fact(host, HOST_FACT_FILES, NULL, &text, NULL, NULL), 0);
}

static void expect_absent(struct host *host, enum host_fact fact, const char *name, bool hint)
{
	struct error err = ERROR_INIT;
	AUTO_BUF text = BUF_INIT;
	AUTO_FREE char *source = NULL;

	cr_expect_eq(host_fact(host, fact, name, &text, &source, &err), -ENOENT, "%d", fact);
	cr_expect_eq(err.hint != NULL, hint, "%s", error_text(&err));
	cr_expect_null(source);
	cr_expect_eq(text.len, 0);
	error_done(&err);
}

Test(host_fact, what_a_capture_lacks_is_absent)
{
	AUTO_TREE tree;
	CLEANUP(cleanup_host) struct host *host = NULL;
	struct host *full = make(&tree);
	AUTO_TREE empty;

	expect_absent(full, HOST_FACT_SMART, "sdz", true);
	expect_absent(full, HOST_FACT_STATVFS, "/dat", false);
	host_free(full);
	tree_make(&empty);
	cr_assert_eq(host_open(empty.path, &host, NULL), 0);
	expect_absent(host, HOST_FACT_KERNEL_LOG, NULL, true);
	expect_absent(host, HOST_FACT_STATVFS, "/data", true);
	expect_absent(host, HOST_FACT_MEASURES, NULL, false);
}

Test(host_fact, names_lead_nowhere_else)
{
	static const struct {
		enum host_fact fact;
		const char *name;
	} rows[] = {
		{ HOST_FACT_SMART, NULL },     { HOST_FACT_SMART, "" },
		{ HOST_FACT_SMART, ".." },     { HOST_FACT_SMART, "../kernel" },
		{ HOST_FACT_SMART, "a/b" },    { HOST_FACT_SMART, "-d" },
		{ HOST_FACT_SMART, "sd a" },   { HOST_FACT_TAGS, "sda\n" },
		{ HOST_FACT_UNIT, "a/../b" },  { HOST_FACT_UNIT, "caf\xc3\xa9.service" },
		{ HOST_FACT_STATVFS, "data" }, { HOST_FACT_MEASURES, "name" },
	};
	AUTO_TREE tree;
	CLEANUP(cleanup_host) struct host *host = make(&tree);
	CLEANUP(cleanup_host) struct host *live = NULL;
	AUTO_BUF text = BUF_INIT;
	size_t i;

	cr_assert_eq(host_open("/", &live, NULL), 0);
	for (i = 0; i < ELEMENTS(rows); i++) {
		cr_expect_eq(host_fact(host, rows[i].fact, rows[i].name, &text, NULL, NULL),
			     -EINVAL);
		cr_expect_eq(host_fact(live, rows[i].fact, rows[i].name, &text, NULL, NULL),
			     -EINVAL);
	}
}

Test(host_fact, hostile_files_of_a_capture_are_errors)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	AUTO_BUF text = BUF_INIT;
	AUTO_TREE tree;
	char at[PATH_MAX];

	tree_make(&tree);
	tree_file(&tree, "/coldswap/statvfs.json", "{");
	tree_link(&tree, "/coldswap/kernel.log", "/etc/shadow");
	tree_dir(&tree, "/coldswap/measures.json");
	cr_assert_eq(mkfifo(tree_at(&tree, "/coldswap/smart/sda.json", at), 0644), 0);
	cr_assert_eq(host_open(tree.path, &host, NULL), 0);
	cr_expect_eq(host_fact(host, HOST_FACT_STATVFS, "/", &text, NULL, NULL), -EBADMSG);
	cr_expect_eq(host_fact(host, HOST_FACT_KERNEL_LOG, NULL, &text, NULL, NULL), -ENOENT);
	cr_expect_eq(host_fact(host, HOST_FACT_MEASURES, NULL, &text, NULL, NULL), -EINVAL);
	cr_expect_eq(host_fact(host, HOST_FACT_SMART, "sda", &text, NULL, NULL), -EINVAL);
	cr_expect_eq(text.len, 0);
}

static json_t *live_json(enum host_fact fact, const char *name)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	AUTO_FREE char *source = NULL;
	AUTO_BUF text = BUF_INIT;
	struct error err = ERROR_INIT;
	json_t *value = NULL;

	cr_assert_eq(host_open("/", &host, NULL), 0);
	cr_assert_eq(host_fact(host, fact, name, &text, &source, &err), 0, "%s", error_text(&err));
	cr_assert_not_null(source);
	cr_assert_eq(json_parse(buf_text(&text), text.len, source, &value, NULL), 0);
	return value;
}

Test(host_fact, live_identity_is_that_of_this_boot)
{
	AUTO_JSON identity = live_json(HOST_FACT_IDENTITY, NULL);

	cr_expect_not_null(json_text(identity, "name"));
	cr_expect_eq(strlen(json_text(identity, "boot_id")), 36);
}

Test(host_fact, live_room_has_the_shape_of_a_capture)
{
	static const char *const keys[] = { "f_bsize",  "f_frsize", "f_blocks", "f_bfree",
					    "f_bavail", "f_files",  "f_ffree",  "f_favail",
					    "f_flag",   "f_namemax" };
	AUTO_JSON all = live_json(HOST_FACT_STATVFS, NULL);
	AUTO_JSON proc = live_json(HOST_FACT_STATVFS, "/proc");
	size_t i;

	cr_expect_gt(json_object_size(all), 0);
	cr_expect_null(json_object_get(all, "/proc"), "not a place to keep data");
	for (i = 0; i < ELEMENTS(keys); i++)
		cr_expect(json_is_integer(json_at(proc, "/proc", keys[i], NULL)), "%s", keys[i]);
	cr_expect_str_eq(json_text(json_at(proc, "/proc", NULL), "fstype"), "proc");
}

Test(host_fact, live_refusals_name_the_next_action)
{
	CLEANUP(cleanup_host) struct host *host = NULL;

	cr_assert_eq(host_open("/", &host, NULL), 0);
	expect_absent(host, HOST_FACT_MEASURES, NULL, false);
	expect_absent(host, HOST_FACT_FILES, NULL, false);
	expect_absent(host, HOST_FACT_STATVFS, "/no/such/mount", false);
	expect_absent(host, HOST_FACT_SMART, "no-such-disk", false);
	expect_absent(host, HOST_FACT_TAGS, "no-such-disk", false);
}

Test(host_fact, live_kernel_log_has_time_stamps_or_asks_for_root)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	struct error err = ERROR_INIT;
	AUTO_BUF text = BUF_INIT;
	int r;

	cr_assert_eq(host_open("/", &host, NULL), 0);
	r = host_fact(host, HOST_FACT_KERNEL_LOG, NULL, &text, NULL, &err);
	if (r == 0)
		cr_expect_eq(buf_text(&text)[0], '[');
	else
		cr_expect_not_null(err.hint, "%s", error_text(&err));
	error_done(&err);
}

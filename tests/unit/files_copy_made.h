/* SPDX-License-Identifier: MIT */
/* A host in front of files.copy, and what it foresees there. */
#ifndef COLDSWAP_TESTS_FILES_COPY_MADE_H
#define COLDSWAP_TESTS_FILES_COPY_MADE_H

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
static inline void add_host(const struct tree *tree, const char *more, const char *data_free)
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

static inline void foresee(const struct look *look, struct result *ret)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	CLEANUP(cleanup_facts) struct facts *facts = NULL;
	CLEANUP(cleanup_work) struct work *work = NULL;
	AUTO_FREE char *disk = look->removed ? strdup(look->removed) : NULL;
	char irreplaceable[] = "irreplaceable";
	struct work_request request = { .type = WORK_REMOVE, .disk = disk };
	struct files_copy_entry entries[4];
	struct files_copy_params params = { .to = look->to,
					    .sources = { entries, 0 },
					    .allow_network = look->allow_network };
	struct step step = { .id = "copy" };

	memcpy(entries, look->entries, sizeof(entries));
	for (; params.sources.n < 4 && entries[params.sources.n].path; params.sources.n++)
		if (!entries[params.sources.n].keep)
			entries[params.sources.n].keep = irreplaceable;
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

static inline const struct finding *find(const struct result *result, const char *id,
					 const char *subject)
{
	for (size_t i = 0; i < result->n_findings; i++)
		if (strcmp(strchr(result->findings[i].id, '/') + 1, id) == 0 &&
		    (!subject || strcmp(result->findings[i].subject, subject) == 0))
			return &result->findings[i];
	return NULL;
}

static inline void says(const struct result *result, const char *id, const char *subject,
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

#endif

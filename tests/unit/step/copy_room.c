/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "base/strv.h"
#include "disks.h"
#include "probe/facts.h"
#include "step/kinds.h"
#include "work/work.h"

struct copy_room_params {
	char **sources;
	char *copy_to;
};

#define ROOM(blocks)                                                                               \
	"{\"/\": {\"f_frsize\": 1000000, \"f_blocks\": 9000, \"f_bavail\": " blocks                \
	", \"f_files\": 100, \"f_favail\": 3}, \"/data\": {\"f_frsize\": 1000000, \"f_blocks\": "  \
	"9000, \"f_bavail\": 8000, \"f_files\": 0, \"f_favail\": 0}}"

/* / on sda, /data on sdb with a k3s of 79 MB. */
static void add_host(const struct tree *tree, const char *room)
{
	disk_at(tree, PORT("1", "0") "sda", "8:0", "8");
	disk_at(tree, PORT("2", "1") "sdb", "8:16", "8");
	disk_part(tree, PORT("1", "0") "sda/sda1", "1", "8:1");
	disk_part(tree, PORT("2", "1") "sdb/sdb1", "1", "8:17");
	disk_udev(tree, "8:0", "E:ID_SERIAL_SHORT=AAA\nE:ID_MODEL=M\n");
	disk_udev(tree, "8:16", "E:ID_SERIAL_SHORT=BBB\nE:ID_MODEL=M\n");
	tree_file(tree, "proc/self/mountinfo",
		  "29 1 8:1 / / rw - ext4 /dev/sda1 rw\n30 29 8:17 / /data rw - ext4 /dev/sdb1 "
		  "rw\n31 29 0:30 / /tmp rw - tmpfs tmpfs rw\n32 29 0:31 / /nas rw - nfs4 nas:/x "
		  "rw\n33 29 8:1 /x /ro ro - ext4 /dev/sda1 rw\n34 29 0:33 / /odd rw - overlay "
		  "overlay rw\n");
	tree_file(tree, "coldswap/files.json",
		  "[{\"path\": \"/data/k3s/server/db/state.db\", \"type\": \"file\", \"size\": "
		  "79000000}]");
	tree_file(tree, "coldswap/statvfs.json", room);
}

static void run(const struct tree *tree, const char *source, const char *copy_to,
		const char *removed, struct result *ret)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	CLEANUP(cleanup_facts) struct facts *facts = NULL;
	CLEANUP(cleanup_work) struct work *work = NULL;
	AUTO_STRV char **sources = NULL;
	AUTO_FREE char *to = strdup(copy_to), *disk = removed ? strdup(removed) : NULL;
	struct work_request request = { .type = WORK_REMOVE, .disk = disk };
	struct copy_room_params params = { NULL, to };
	struct step step = { .id = "room" };

	if (source)
		cr_assert_eq(strv_add(&sources, source), 0);
	params.sources = sources;
	cr_assert_eq(host_open(tree->root, &host, NULL), 0);
	cr_assert_eq(facts_new(host, &facts, NULL), 0);
	cr_assert_eq(work_resolve(facts, &request, removed ? 1 : 0, &work, NULL), 0);
	step.host = host;
	step.facts = facts;
	step.work = work;
	result_init(ret, &kind_copy_room);
	cr_assert_eq(kind_copy_room.run(&step, &params, ret, NULL), 0);
	cr_assert_eq(ret->failed, 0);
	cr_assert_not_null(ret->summary);
}

static const struct finding *find(const struct result *result, const char *id)
{
	for (size_t i = 0; i < result->n_findings; i++)
		if (strcmp(strchr(result->findings[i].id, '/') + 1, id) == 0)
			return &result->findings[i];
	return NULL;
}

Test(copy_room, the_law_and_its_numbers)
{
	CLEANUP(result_done) struct result fits, short_of_one;
	AUTO_TREE tree = tree_new();
	const struct finding *finding;

	/* 79000000 + 64 MiB = 146108864 */
	add_host(&tree, ROOM("147"));
	run(&tree, "/data/k3s/server/db", "/backup", NULL, &fits);
	cr_assert_eq(fits.verdict, VERDICT_PASS);
	cr_assert(strstr(fits.summary, "79 MB"));
	finding = find(&fits, "room");
	cr_assert_str_eq(finding->evidence[0].formula, "79000000 + max(79000000 / 10, 64 MiB)");
	cr_assert_str_eq(finding->evidence[0].derived, "146108864 <= 147000000");
	cr_assert_str_eq(finding->evidence[0].source, "coldswap/statvfs.json");
	tree_file(&tree, "coldswap/statvfs.json", ROOM("146"));
	run(&tree, "/data/k3s/server/db", "/backup", NULL, &short_of_one);
	cr_assert_eq(short_of_one.verdict, VERDICT_FAIL);
	cr_assert(find(&short_of_one, "no-room")->remedy);
}

Test(copy_room, found_on_a_disk_of_the_work)
{
	CLEANUP(result_done) struct result touched, untouched, all;
	AUTO_TREE tree = tree_new();

	add_host(&tree, ROOM("8000"));
	tree_file(&tree, "coldswap/statvfs.json",
		  "{\"/\": {\"f_frsize\": 1000000, \"f_blocks\": 9000, \"f_bavail\": 8000}}");
	run(&tree, NULL, "/backup", "BBB", &touched);
	cr_assert_eq(touched.verdict, VERDICT_PASS);
	cr_assert_str_eq(find(&touched, "source")->subject, "/data/k3s/server");
	run(&tree, NULL, "/backup", "AAA", &untouched);
	cr_assert_eq(untouched.verdict, VERDICT_SKIP, "nothing lies in the usual places");
	cr_assert(untouched.summary);
	/* The power goes from every disk. */
	run(&tree, NULL, "/backup", NULL, &all);
	cr_assert_eq(all.verdict, VERDICT_PASS);
	cr_assert_str_eq(find(&all, "source")->subject, "/data/k3s/server");
}

Test(copy_room, inodes)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE tree = tree_new();

	/* One file in server/db and their parent: three inodes are free. */
	add_host(&tree, ROOM("8000"));
	run(&tree, "/data/k3s", "/backup", NULL, &result);
	cr_assert_eq(result.verdict, VERDICT_FAIL);
	cr_assert(find(&result, "no-inodes"));
	cr_assert(find(&result, "room"));
}

static const struct {
	const char *source, *copy_to, *removed, *id;
	enum verdict verdict;
} destinations[] = {
	{ "/data/k3s/server/db", "/data/backup", "BBB", "dest-on-moved-disk", VERDICT_FAIL },
	{ "/data/k3s/server/db", "/data/backup", "AAA", NULL, VERDICT_PASS },
	{ "/data/k3s/server/db", "/data/k3s/server/db/copy", NULL, "nested", VERDICT_FAIL },
	{ "/data/k3s/server/db", "/data/k3s", NULL, "nested", VERDICT_FAIL },
	{ "/data/k3s/server/db", "/tmp/x", NULL, "dest-in-memory", VERDICT_FAIL },
	{ "/data/k3s/server/db", "/ro/x", NULL, "dest-read-only", VERDICT_FAIL },
	{ "/data/k3s/server/db", "/nas/x", NULL, "dest-network", VERDICT_WARN },
	{ "/data/k3s/server/db", "/odd/x", NULL, "dest-stacked", VERDICT_FAIL },
	{ "/data/none", "/backup", NULL, "source-missing", VERDICT_FAIL },
};

Test(copy_room, destinations)
{
	for (size_t i = 0; i < ELEMENTS(destinations); i++) {
		CLEANUP(result_done) struct result result;
		AUTO_TREE tree = tree_new();
		const struct finding *finding;

		add_host(&tree, ROOM("8000"));
		run(&tree, destinations[i].source, destinations[i].copy_to, destinations[i].removed,
		    &result);
		if (!destinations[i].id) {
			cr_assert_eq(result.verdict, destinations[i].verdict);
			continue;
		}
		finding = find(&result, destinations[i].id);
		cr_assert(finding, "%s", destinations[i].id);
		cr_assert_eq(finding->verdict, destinations[i].verdict);
		cr_assert(finding->remedy);
	}
}

Test(copy_room, a_link_leads_to_the_disk_of_the_work)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE tree = tree_new();

	add_host(&tree, ROOM("8000"));
	tree_file(&tree, "data/home/x", "");
	tree_link(&tree, "home", "data/home");
	run(&tree, "/data/k3s/server/db", "/home/backup", "BBB", &result);
	cr_assert(find(&result, "dest-on-moved-disk"));
}

Test(copy_room, what_cannot_be_read_is_unknown)
{
	CLEANUP(result_done) struct result source, room;
	AUTO_TREE tree = tree_new();

	add_host(&tree, ROOM("8000"));
	tree_file(&tree, "srv/db/x", "");
	tree_file(&tree, "coldswap/unreadable.tsv", "/srv/db\tEACCES\n");
	run(&tree, "/srv/db", "/backup", NULL, &source);
	cr_assert_eq(source.verdict, VERDICT_UNKNOWN);
	cr_assert_null(find(&source, "room"), "no promise from a part of the sum");
	tree_file(&tree, "coldswap/statvfs.json", "{}");
	run(&tree, "/data/k3s/server/db", "/backup", NULL, &room);
	cr_assert_eq(room.verdict, VERDICT_UNKNOWN);
	cr_assert_str_eq(room.summary, "Whether a copy has room could not be determined.");
}

Test(copy_room, a_place_that_may_not_be_searched_is_no_proof_of_absence)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE tree = tree_new();

	add_host(&tree, ROOM("8000"));
	tree_file(&tree, "coldswap/files.json", "[]");
	tree_file(&tree, "coldswap/unreadable.tsv", "/var/lib/postgresql\tEACCES\n");
	run(&tree, NULL, "/backup", NULL, &result);
	cr_assert_eq(result.verdict, VERDICT_UNKNOWN);
	cr_assert_str_eq(result.summary, "Whether a copy has room could not be determined.");
}

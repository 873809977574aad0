/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "base/strv.h"
#include "disks.h"
#include "probe/facts.h"
#include "step/kinds.h"
#include "work/work.h"

struct mounts_present_params {
	char **mounts;
};

#define MOUNTED                                                                                    \
	"29 1 8:1 / / rw - ext4 /dev/sda1 rw\n"                                                    \
	"30 29 8:17 / /data rw - ext4 /dev/sdb1 rw\n"

static void run(const struct tree *tree, const char *named, struct result *ret)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	CLEANUP(cleanup_facts) struct facts *facts = NULL;
	CLEANUP(cleanup_work) struct work *work = NULL;
	AUTO_STRV char **mounts = NULL;
	struct mounts_present_params params = { NULL };
	struct step step = { .id = "mounts" };

	if (named)
		cr_assert_eq(strv_add(&mounts, named), 0);
	params.mounts = mounts;
	cr_assert_eq(host_open(tree->root, &host, NULL), 0);
	cr_assert_eq(facts_new(host, &facts, NULL), 0);
	cr_assert_eq(work_resolve(facts, NULL, 0, &work, NULL), 0);
	step.host = host;
	step.facts = facts;
	step.work = work;
	result_init(ret, &kind_mounts_present);
	cr_assert_eq(kind_mounts_present.run(&step, &params, ret, NULL), 0);
	cr_assert_eq(ret->failed, 0);
}

static void add_host(const struct tree *tree, const char *fstab, const char *mountinfo)
{
	disk_at(tree, PORT("1", "0") "sda", "8:0", "8");
	disk_at(tree, PORT("2", "1") "sdb", "8:16", "8");
	disk_part(tree, PORT("1", "0") "sda/sda1", "1", "8:1");
	disk_part(tree, PORT("1", "0") "sda/sda2", "2", "8:2");
	disk_part(tree, PORT("2", "1") "sdb/sdb1", "1", "8:17");
	disk_udev(tree, "8:0", "E:ID_SERIAL_SHORT=AAA\n");
	disk_udev(tree, "8:16", "E:ID_SERIAL_SHORT=BBB\n");
	disk_udev(tree, "8:1", "E:ID_FS_UUID=ua\nE:ID_FS_TYPE=ext4\n");
	disk_udev(tree, "8:2", "E:ID_FS_UUID=us\nE:ID_FS_TYPE=swap\n");
	disk_udev(tree, "8:17", "E:ID_FS_UUID=ub\nE:ID_FS_TYPE=ext4\n");
	tree_file(tree, "etc/fstab", fstab);
	tree_file(tree, "proc/self/mountinfo", mountinfo);
	tree_file(tree, "proc/swaps",
		  "Filename\tType\tSize\tUsed\tPriority\n/dev/sda2 partition 1 0 -2\n");
}

static const struct finding *find(const struct result *result, const char *id, const char *subject)
{
	for (size_t i = 0; i < result->n_findings; i++)
		if (strcmp(result->findings[i].id, id) == 0 &&
		    strcmp(result->findings[i].subject, subject) == 0)
			return &result->findings[i];
	return NULL;
}

Test(mounts_present, all_is_as_it_should_be)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE tree = tree_new();

	add_host(&tree,
		 "UUID=ua / ext4 defaults 0 1\nUUID=ub /data/ ext4 defaults 0 2\n"
		 "UUID=us none swap sw 0 0\nUUID=zz /media ext4 noauto 0 0\n",
		 MOUNTED);
	run(&tree, NULL, &result);
	cr_assert_eq(result.verdict, VERDICT_PASS, "%s", result.findings[0].summary);
	cr_assert_eq(result.outputs[0].value.integer, 3);
	cr_assert_eq(result.outputs[1].value.integer, 3);
}

Test(mounts_present, absent_ones)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE tree = tree_new();
	const struct finding *finding;

	add_host(&tree,
		 "UUID=ua / ext4 defaults 0 1\nUUID=ub /data ext4 defaults,nofail 0 2\n"
		 "nas:/x /nas nfs defaults 0 0\n",
		 "29 1 8:1 / / rw - ext4 /dev/sda1 rw\n");
	run(&tree, NULL, &result);
	cr_assert_eq(result.verdict, VERDICT_FAIL);
	finding = find(&result, "mounts.present/not-mounted", "/etc/fstab:2");
	cr_assert(finding && finding->verdict == VERDICT_WARN && finding->remedy);
	cr_assert_str_eq(finding->evidence[0].source, "/etc/fstab:2");
	finding = find(&result, "mounts.present/not-mounted", "/etc/fstab:3");
	cr_assert(finding && finding->verdict == VERDICT_FAIL);
}

Test(mounts_present, another_device)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE tree = tree_new();
	const struct finding *finding;

	add_host(&tree, "UUID=ua / ext4 defaults 0 1\nUUID=gone /data ext4 defaults 0 2\n",
		 "29 1 8:17 / / rw - ext4 /dev/root rw\n30 29 8:17 / /data rw - ext4 /dev/sdb1 "
		 "rw\n");
	run(&tree, NULL, &result);
	finding = find(&result, "mounts.present/other-device", "/etc/fstab:1");
	cr_assert(finding && finding->verdict == VERDICT_FAIL);
	cr_assert(strstr(finding->summary, "sda1"));
	cr_assert_str_eq(finding->evidence[1].source, "/proc/self/mountinfo:1");
	finding = find(&result, "mounts.present/other-device", "/etc/fstab:2");
	cr_assert(finding && strstr(finding->summary, "no device"));
}

Test(mounts_present, an_automount_that_waits)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE tree = tree_new();

	add_host(&tree, "UUID=ub /data ext4 x-systemd.automount 0 2\n",
		 "29 1 8:1 / / rw - ext4 /dev/sda1 rw\n30 29 0:40 / /data rw - autofs systemd-1 "
		 "rw\n");
	run(&tree, NULL, &result);
	cr_assert_eq(result.verdict, VERDICT_PASS);
}

Test(mounts_present, members_of_a_pool_stand_for_each_other)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE tree = tree_new();

	add_host(&tree, "UUID=u /pool btrfs subvol=@a 0 0\n",
		 "30 29 0:41 /@a /pool rw - btrfs /dev/sdb1 rw\n");
	disk_udev(&tree, "8:1", "E:ID_FS_TYPE=btrfs\nE:ID_FS_UUID=u\nE:ID_FS_UUID_SUB=1\n");
	disk_udev(&tree, "8:17", "E:ID_FS_TYPE=btrfs\nE:ID_FS_UUID=u\nE:ID_FS_UUID_SUB=2\n");
	run(&tree, NULL, &result);
	cr_assert_eq(result.verdict, VERDICT_PASS);
}

Test(mounts_present, covered_malformed_and_swap)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE tree = tree_new();

	add_host(&tree, "UUID=ub /data/x ext4 ro 0 2\nnonsense\nUUID=ub none swap sw 0 0\n",
		 "29 1 8:1 / / rw - ext4 /dev/sda1 rw\n30 29 8:17 / /data/x rw - ext4 /dev/sdb1 "
		 "rw\n31 29 8:2 / /data rw - ext4 /dev/sda2 rw\n");
	run(&tree, NULL, &result);
	cr_assert(find(&result, "mounts.present/covered", "/etc/fstab:1"));
	cr_assert(find(&result, "mounts.present/malformed", "/etc/fstab:2"));
	cr_assert(find(&result, "mounts.present/swap-inactive", "/etc/fstab:3"));
}

Test(mounts_present, without_tags_it_is_unknown)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE tree = tree_new();
	char path[512];

	add_host(&tree, "UUID=ub /data ext4 defaults 0 2\n", MOUNTED);
	for (const char *const *p = (const char *const[]){ "0", "1", "2", "16", "17", NULL }; *p;
	     p++) {
		snprintf(path, sizeof(path), "%s/run/udev/data/b8:%s", tree.root, *p);
		cr_assert_eq(unlink(path), 0);
	}
	run(&tree, NULL, &result);
	cr_assert_eq(result.verdict, VERDICT_UNKNOWN);
	cr_assert(result.findings[0].remedy);
}

Test(mounts_present, a_mount_that_cannot_be_read_may_be_any)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE tree = tree_new();
	const struct finding *finding;

	add_host(&tree, "UUID=ua / ext4 defaults 0 1\n", MOUNTED "31 29 8:2 /broken\n");
	run(&tree, NULL, &result);
	finding = find(&result, "mounts.present/unreadable", "/proc/self/mountinfo:3");
	cr_assert(finding && finding->verdict == VERDICT_UNKNOWN);
	cr_assert_str_eq(finding->evidence[0].observed, "31 29 8:2 /broken");
}

Test(mounts_present, named_mount_points)
{
	CLEANUP(result_done) struct result there, absent;
	AUTO_TREE tree = tree_new();

	add_host(&tree, "UUID=zz /media ext4 defaults 0 0\n", MOUNTED);
	run(&tree, "/data", &there);
	cr_assert_eq(there.verdict, VERDICT_PASS, "only what was named is looked at");
	run(&tree, "/srv", &absent);
	cr_assert(find(&absent, "mounts.present/not-mounted", "/srv"));
	cr_assert_eq(absent.verdict, VERDICT_FAIL);
}

Test(mounts_present, nothing_to_look_at)
{
	CLEANUP(result_done) struct result empty, none, blind;
	AUTO_TREE tree = tree_new();
	char path[512];

	add_host(&tree, "# nothing\n", MOUNTED);
	run(&tree, NULL, &empty);
	cr_assert(empty.verdict == VERDICT_SKIP && empty.summary);
	snprintf(path, sizeof(path), "%s/etc/fstab", tree.root);
	cr_assert_eq(unlink(path), 0);
	run(&tree, NULL, &none);
	cr_assert(none.verdict == VERDICT_SKIP && none.summary);
	tree_file(&tree, "etc/fstab", "UUID=ua / ext4 ro 0 1\n");
	tree_file(&tree, "coldswap/unreadable.tsv", "/proc/self/mountinfo\tEACCES\n");
	run(&tree, NULL, &blind);
	cr_assert_eq(blind.verdict, VERDICT_UNKNOWN);
}

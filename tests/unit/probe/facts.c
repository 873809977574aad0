/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "disks.h"
#include "probe/facts.h"

struct view {
	struct host *host;
	struct facts *facts;
};

static void view_done(struct view *view)
{
	facts_free(view->facts);
	host_free(view->host);
}

static struct view view_of(const struct tree *tree)
{
	struct view view = { NULL, NULL };

	cr_assert_eq(host_open(tree->root, &view.host, NULL), 0);
	cr_assert_eq(facts_new(view.host, &view.facts, NULL), 0);
	return view;
}
#define AUTO_VIEW CLEANUP(view_done) struct view

/* Two disks: /data on one, /pool on both. */
static void add_host(const struct tree *tree)
{
	disk_at(tree, PORT("1", "0") "sda", "8:0", "8");
	disk_at(tree, PORT("2", "1") "sdb", "8:16", "8");
	disk_part(tree, PORT("1", "0") "sda/sda1", "1", "8:1");
	disk_udev(tree, "8:0",
		  "E:ID_SERIAL_SHORT=AAA\nE:ID_MODEL=M\nE:ID_FS_TYPE=btrfs\nE:ID_FS_UUID=u\n");
	disk_udev(tree, "8:16",
		  "E:ID_SERIAL_SHORT=BBB\nE:ID_MODEL=M\nE:ID_FS_TYPE=btrfs\nE:ID_FS_UUID=u\n");
	tree_file(tree, "proc/self/mountinfo",
		  "29 1 8:1 / /data rw - ext4 /dev/sda1 rw\n"
		  "30 1 0:41 / /pool rw - btrfs /dev/sdb rw\n"
		  "31 1 0:22 / /proc rw - proc proc rw\n");
}

Test(facts, a_disk_by_its_mount_point)
{
	CLEANUP(error_done) struct error err = ERROR_INIT;
	AUTO_TREE tree = tree_new();
	const struct block *disk = NULL;

	add_host(&tree);
	{
		AUTO_VIEW view = view_of(&tree);

		cr_assert_eq(facts_find_disk(view.facts, "/data", &disk, &err), 0);
		cr_assert_str_eq(disk->name, "sda");
		cr_assert_eq(facts_find_disk(view.facts, "BBB", &disk, &err), 0);
		cr_assert_str_eq(disk->name, "sdb");
		cr_assert_eq(facts_find_disk(view.facts, "/dev/sda", &disk, &err), 0);
		cr_assert_eq(facts_find_disk(view.facts, "/pool", &disk, &err), -ENOTUNIQ);
		cr_assert(strstr(err.message, "AAA") && strstr(err.message, "BBB"));
		cr_assert_eq(facts_find_disk(view.facts, "/data/deep", &disk, &err), -ENOENT);
		cr_assert(strstr(err.hint, "/data"));
		cr_assert_eq(facts_find_disk(view.facts, "/proc", &disk, &err), -ENOENT);
		const struct blocks *blocks = NULL;

		cr_assert_eq(facts_blocks(view.facts, &blocks, &err), 0);
		cr_assert(facts_is_mounted(view.facts, blocks_by_name(blocks, "sda1")));
		cr_assert_not(facts_is_mounted(view.facts, blocks_by_name(blocks, "sda")));
	}
}

Test(facts, an_error_is_remembered)
{
	CLEANUP(error_done) struct error first = ERROR_INIT, second = ERROR_INIT;
	AUTO_TREE tree = tree_new();
	AUTO_VIEW view = view_of(&tree);
	const struct fstab *fstab = NULL;

	cr_assert_eq(facts_fstab(view.facts, &fstab, &first), -ENOENT);
	tree_file(&tree, "etc/fstab", "UUID=1 / ext4 ro 0 1\n");
	cr_assert_eq(facts_fstab(view.facts, &fstab, &second), -ENOENT, "each probe runs once");
	cr_assert_str_eq(first.message, second.message);
	cr_assert_eq(facts_fstab(view.facts, &fstab, NULL), -ENOENT);
	cr_assert_null(fstab);
}

Test(facts, a_pools_dataset_lies_on_its_members)
{
	AUTO_TREE tree = tree_new();
	AUTO_VIEW view = view_of(&tree);
	const struct blocks *blocks = NULL;
	struct mount mount = { .fstype = (char[]){ "zfs" }, .source = (char[]){ "tank/data" } };
	struct mount other = { .fstype = (char[]){ "zfs" }, .source = (char[]){ "tan/data" } };

	disk_at(&tree, PORT("1", "0") "sda", "8:0", "8");
	disk_udev(&tree, "8:0", "E:ID_FS_TYPE=zfs_member\nE:ID_FS_LABEL=tank\nE:ID_FS_UUID=1\n");
	cr_assert_eq(facts_blocks(view.facts, &blocks, NULL), 0);
	cr_assert_str_eq(blocks_of_mount(blocks, &mount)->name, "sda");
	cr_assert_null(blocks_of_mount(blocks, &other));
}

static int measured(const char *json, double *ret)
{
	AUTO_TREE tree = tree_new();
	AUTO_FREE char *source = NULL;
	const struct block *disk = NULL;
	int r;

	add_host(&tree);
	if (json)
		tree_file(&tree, "coldswap/measures.json", json);
	{
		AUTO_VIEW view = view_of(&tree);

		cr_assert_eq(facts_find_disk(view.facts, "AAA", &disk, NULL), 0);
		r = facts_measured_write(view.facts, disk, ret, &source, NULL);
	}
	if (r == 1)
		cr_assert_str_eq(source, "coldswap/measures.json");
	return r;
}

Test(measures, the_fastest_figure_of_the_disk)
{
	double mb_s = 0;

	cr_assert_eq(measured(NULL, &mb_s), 0, "nothing was measured");
	cr_assert_eq(measured("{\"figures\": [{\"kind\": \"disk.write\", \"disk\": \"AAA\", "
			      "\"mb_s\": [332, 333.5]}, {\"kind\": \"disk.read\", \"disk\": "
			      "\"AAA\", \"mb_s\": [999]}, {\"kind\": \"disk.write\", \"disk\": "
			      "\"BBB\", \"mb_s\": [400]}]}",
			      &mb_s),
		     1);
	cr_assert_eq(mb_s, 333.5);
	cr_assert_eq(measured("{\"figures\": [{\"kind\": \"disk.write\", \"disk\": \"M_AAA\", "
			      "\"mb_s\": 250}]}",
			      &mb_s),
		     1);
	cr_assert_eq(mb_s, 250);
	cr_assert_eq(measured("{\"figures\": [{\"kind\": \"disk.write\", \"path\": \"/data/x\", "
			      "\"mb_s\": [7]}, {\"kind\": \"disk.write\", \"path\": \"/pool\", "
			      "\"mb_s\": [9]}]}",
			      &mb_s),
		     1);
	cr_assert_eq(mb_s, 7, "a figure of two disks together is none of one");
}

Test(measures, hostile_documents)
{
	static const char *const none[] = {
		"[]",
		"{\"figures\": 5}",
		"{\"figures\": [null, 1, [], {}, {\"kind\": 5}]}",
		"{\"figures\": [{\"kind\": \"disk.write\", \"disk\": \"AAA\", \"mb_s\": "
		"[-5, 1e300, \"9\", null]}]}",
		"{\"figures\": [{\"kind\": \"disk.write\", \"disk\": [], \"path\": {}, \"mb_s\": "
		"3}]}",
	};
	double mb_s = 0;

	for (size_t i = 0; i < ELEMENTS(none); i++)
		cr_assert_eq(measured(none[i], &mb_s), 0, "%s", none[i]);
	cr_assert_lt(measured("{\"figures\": [", &mb_s), 0, "unreadable is not: not measured");
}

Test(space, figures_and_their_absence)
{
	CLEANUP(error_done) struct error err = ERROR_INIT;
	AUTO_TREE tree = tree_new();
	AUTO_VIEW view = view_of(&tree);
	struct space space = { 0 };

	cr_assert_eq(facts_space(view.facts, "/home", &space, &err), -ENOENT);
	tree_file(&tree, "coldswap/statvfs.json",
		  "{\"/home\": {\"f_bsize\": 8192, \"f_frsize\": 4096, \"f_blocks\": 100, "
		  "\"f_bavail\": 50, \"f_files\": 10, \"f_favail\": 4, \"device\": \"/dev/sda1\", "
		  "\"fstype\": \"ext4\"}, \"/btrfs\": {\"f_bsize\": 4096, \"f_blocks\": 1, "
		  "\"f_bavail\": 1, \"f_files\": 0, \"f_ffree\": 0}, \"/bad\": {\"f_frsize\": "
		  "4096, \"f_blocks\": 9223372036854775807, \"f_bavail\": 1}, \"/none\": []}");
	cr_assert_eq(facts_space(view.facts, "/home", &space, &err), 0);
	cr_assert_eq(space.total, 409600);
	cr_assert_eq(space.available, 204800);
	cr_assert_eq(space.inodes_available, 4);
	cr_assert_str_eq(space.fstype, "ext4");
	cr_assert_str_eq(space.source, "coldswap/statvfs.json");
	space_done(&space);
	cr_assert_eq(facts_space(view.facts, "/btrfs", &space, &err), 0);
	cr_assert_eq(space.inodes, 0);
	space_done(&space);
	cr_assert_eq(facts_space(view.facts, "/bad", &space, &err), -EBADMSG);
	cr_assert_eq(facts_space(view.facts, "/none", &space, &err), -EBADMSG);
}

static int ask(const struct tree *tree, const char *name, bool *ret)
{
	AUTO_VIEW view = view_of(tree);
	const struct fact_row *row = fact_find(name);

	cr_assert(row, "%s", name);
	return row->probe(view.facts, ret, NULL);
}

Test(facts, what_a_runbook_may_ask)
{
	AUTO_TREE tree = tree_new();
	bool answer = false;

	cr_assert_null(fact_find("nonsense"));
	cr_assert_eq(ask(&tree, "efi", &answer), -ENODATA, "no sysfs, no answer");
	cr_assert_eq(ask(&tree, "systemd", &answer), -ENODATA);
	cr_assert_lt(ask(&tree, "swap", &answer), 0);
	add_host(&tree);
	tree_file(&tree, "proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n");
	cr_assert(ask(&tree, "efi", &answer) == 0 && !answer);
	cr_assert(ask(&tree, "sata", &answer) == 0 && answer);
	cr_assert(ask(&tree, "nvme", &answer) == 0 && !answer);
	cr_assert(ask(&tree, "md", &answer) == 0 && !answer);
	cr_assert(ask(&tree, "swap", &answer) == 0 && !answer);
	cr_assert(ask(&tree, "live", &answer) == 0 && !answer);
	cr_assert(ask(&tree, "k3s", &answer) == 0 && !answer);
	tree_file(&tree, "sys/firmware/efi/fw_platform_size", "64\n");
	tree_file(&tree, "run/systemd/system/x", "");
	tree_file(&tree, "coldswap/systemd/k3s.service.json", "{\"LoadState\": \"loaded\"}");
	cr_assert(ask(&tree, "efi", &answer) == 0 && answer);
	cr_assert(ask(&tree, "systemd", &answer) == 0 && answer);
	cr_assert(ask(&tree, "k3s", &answer) == 0 && answer);
}

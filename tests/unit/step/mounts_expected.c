/* SPDX-License-Identifier: MIT */
/* What the pairs of trees of tests/pairs do not have: mounts that come and go, and pools. */
#include <criterion/criterion.h>

#include "pair.h"
#include "step/kinds.h"

#define ROOT "29 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
#define DATA "30 29 8:17 / /srv/b rw - ext4 /dev/sdb1 rw\n"

static struct pair pair_new(const char *before, const char *now)
{
	struct pair pair = { machine_new(), machine_new() };

	tree_file(&pair.before, "proc/self/mountinfo", before);
	tree_file(&pair.now, "proc/self/mountinfo", now);
	tree_file(&pair.now, "proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n");
	tree_file(&pair.before, "proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n");
	return pair;
}

Test(mounts_expected, the_same_filesystem_by_another_name_is_right)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new(ROOT DATA, ROOT "30 29 8:33 / /srv/b rw - ext4 /dev/sdc1 rw\n");

	/* The two disks have each other's names now. */
	machine_udev(&pair.now, 3, 1, MACHINE_FS("b"));
	machine_udev(&pair.now, 2, 1, MACHINE_FS("c"));
	pair_run(&pair, &kind_mounts_expected, true, NULL, &result);
	cr_expect_eq(result.verdict, VERDICT_PASS);
	cr_expect_eq(pair_verdict(&result, "present", "/srv/b"), VERDICT_PASS);
	cr_expect_str_eq(result.summary, "2 of 2 mounts are as before.");
}

Test(mounts_expected, the_same_name_with_another_filesystem_is_wrong)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new(ROOT DATA, ROOT DATA);

	machine_udev(&pair.now, 2, 1, MACHINE_FS("c"));
	pair_run(&pair, &kind_mounts_expected, true, NULL, &result);
	cr_expect_eq(pair_verdict(&result, "mount-other-filesystem", "/srv/b"), VERDICT_FAIL);
}

Test(mounts_expected, what_comes_and_goes_is_not_expected)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair =
		pair_new(ROOT "31 29 0:30 / /tmp rw - tmpfs tmpfs rw\n"
			      "32 29 8:17 /x /var/lib/other/bind rw - ext4 /dev/sdb1 rw\n"
			      "33 29 8:17 / /var/lib/kubelet/pods/1/v rw - ext4 /dev/sdb1 rw\n"
			      "34 29 8:17 / /run/media/me/stick rw - ext4 /dev/sdb1 rw\n"
			      "35 29 8:33 / /snap/core/1 ro - squashfs /dev/sdc1 ro\n",
			 ROOT);

	pair_run(&pair, &kind_mounts_expected, true, NULL, &result);
	cr_expect_eq(result.verdict, VERDICT_PASS);
	cr_expect_eq(result.n_findings, 1);
}

Test(mounts_expected, what_fstab_lists_is_expected_wherever_it_is)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new(ROOT "32 29 8:17 /x /bind rw - ext4 /dev/sdb1 rw\n", ROOT);

	tree_file(&pair.before, "etc/fstab", "/srv/b/x /bind none bind 0 0\n");
	pair_run(&pair, &kind_mounts_expected, true, NULL, &result);
	cr_expect_eq(pair_verdict(&result, "mount-missing", "/bind"), VERDICT_FAIL);
}

Test(mounts_expected, what_fstab_does_not_mount_at_boot_is_a_warning)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new(ROOT DATA, ROOT);

	tree_file(&pair.before, "etc/fstab", "/dev/sdb1 /srv/b ext4 noauto 0 0\n");
	pair_run(&pair, &kind_mounts_expected, true, NULL, &result);
	cr_expect_eq(pair_verdict(&result, "mount-missing", "/srv/b"), VERDICT_WARN);
}

Test(mounts_expected, nofail_is_no_excuse)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new(ROOT DATA, ROOT);

	tree_file(&pair.before, "etc/fstab", "/dev/sdb1 /srv/b ext4 nofail 0 0\n");
	pair_run(&pair, &kind_mounts_expected, true, NULL, &result);
	cr_expect_eq(pair_verdict(&result, "mount-missing", "/srv/b"), VERDICT_FAIL);
}

Test(mounts_expected, a_directory_in_the_place_of_a_mount_is_told_apart)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new(ROOT DATA, ROOT);

	tree_file(&pair.now, "srv/b/new", "");
	pair_run(&pair, &kind_mounts_expected, true, NULL, &result);
	cr_expect_eq(pair_verdict(&result, "mount-empty-directory", "/srv/b"), VERDICT_FAIL);
	cr_expect_null(pair_find(&result, "mount-missing", NULL));
}

Test(mounts_expected, another_subvolume_is_another_filesystem)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new(ROOT "30 29 0:40 /@a /srv/b rw - btrfs /dev/sdb1 rw\n",
				  ROOT "30 29 0:40 /@b /srv/b rw - btrfs /dev/sdb1 rw\n");

	pair_run(&pair, &kind_mounts_expected, true, NULL, &result);
	cr_expect_eq(pair_verdict(&result, "mount-other-filesystem", "/srv/b"), VERDICT_FAIL);
}

Test(mounts_expected, a_filesystem_that_tells_no_uuid_is_not_known)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new(ROOT DATA, ROOT DATA);

	machine_udev(&pair.now, 2, 1, "");
	pair_run(&pair, &kind_mounts_expected, true, NULL, &result);
	cr_expect_eq(pair_verdict(&result, "unreadable", "/srv/b"), VERDICT_UNKNOWN);
}

Test(mounts_expected, where_no_uuid_was_ever_told_the_partition_counts)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new(ROOT DATA, ROOT DATA);

	machine_udev(&pair.before, 2, 1, "");
	machine_udev(&pair.now, 2, 1, "");
	pair_run(&pair, &kind_mounts_expected, true, NULL, &result);
	cr_expect_eq(result.verdict, VERDICT_PASS);
}

Test(mounts_expected, a_mount_goes_with_the_disk_that_is_taken_out)
{
	CLEANUP(result_done) struct result result;
	struct work_request request = REMOVE("SERb");
	AUTO_PAIR pair = pair_new(ROOT DATA, ROOT);

	pair_run(&pair, &kind_mounts_expected, true, &request, &result);
	cr_expect_eq(result.verdict, VERDICT_PASS);
	cr_expect_eq(pair_verdict(&result, "mount-gone-as-planned", "/srv/b"), VERDICT_PASS);
}

Test(mounts_expected, a_line_that_cannot_be_read_is_not_known)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new(ROOT DATA, ROOT DATA "nonsense\n");

	pair_run(&pair, &kind_mounts_expected, true, NULL, &result);
	cr_expect_eq(pair_verdict(&result, "unreadable", "/proc/self/mountinfo:3"),
		     VERDICT_UNKNOWN);
}

Test(mounts_expected, nothing_recorded_judges_by_fstab)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new(ROOT, ROOT);

	tree_file(
		&pair.now, "etc/fstab",
		"UUID=" MACHINE_UUID("a") " / ext4 defaults 0 1\n"
					  "UUID=" MACHINE_UUID("b") " /srv/b ext4 defaults 0 2\n");
	pair_run(&pair, &kind_mounts_expected, false, NULL, &result);
	cr_expect_eq(pair_verdict(&result, "present", "/etc/fstab:1"), VERDICT_PASS);
	cr_expect_eq(pair_verdict(&result, "not-mounted", "/etc/fstab:2"), VERDICT_FAIL);
	cr_expect_eq(pair_verdict(&result, "nothing-recorded", "mounts"), VERDICT_SKIP);
}

#define SWAPS "Filename\tType\tSize\tUsed\tPriority\n"
#define SWAP_FILE SWAPS "/swap.img file 1048572 0 -2\n"

static void refuse(const struct tree *tree, const char *path)
{
	char text[128];

	snprintf(text, sizeof(text), "%s\tEACCES\n", path);
	tree_file(tree, "coldswap/unreadable.tsv", text);
}

static void drop(const struct tree *tree, const char *name)
{
	char path[512];

	tree_path(tree, name, path);
	cr_assert_eq(unlink(path), 0);
}

Test(mounts_expected, swap_of_now_that_cannot_be_read_is_not_known)
{
	CLEANUP(result_done) struct result refused;
	CLEANUP(result_done) struct result absent;
	AUTO_PAIR pair = pair_new(ROOT, ROOT);

	tree_file(&pair.before, "proc/swaps", SWAP_FILE);
	refuse(&pair.now, "/proc/swaps");
	pair_run(&pair, &kind_mounts_expected, true, NULL, &refused);
	cr_expect_eq(pair_verdict(&refused, "unreadable", "/proc/swaps"), VERDICT_UNKNOWN);
	cr_expect_eq(pair_verdict(&refused, "present", "/"), VERDICT_PASS);
	tree_file(&pair.now, "coldswap/unreadable.tsv", "");
	drop(&pair.now, "proc/swaps");
	pair_run(&pair, &kind_mounts_expected, true, NULL, &absent);
	cr_expect_eq(pair_verdict(&absent, "unreadable", "/proc/swaps"), VERDICT_UNKNOWN);
}

Test(mounts_expected, without_swap_before_that_of_now_is_not_asked_for)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new(ROOT, ROOT);

	drop(&pair.before, "proc/swaps");
	drop(&pair.now, "proc/swaps");
	pair_run(&pair, &kind_mounts_expected, true, NULL, &result);
	cr_expect_eq(result.verdict, VERDICT_PASS);
	cr_expect_eq(result.n_findings, 1);
}

static void expect_unknown_before(const char *path)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new(ROOT, ROOT);
	char subject[128];

	refuse(&pair.before, path);
	tree_file(&pair.before, path + 1, "");
	pair_run(&pair, &kind_mounts_expected, true, NULL, &result);
	snprintf(subject, sizeof(subject), "%s%s", pair.before.root, path);
	cr_expect_eq(pair_verdict(&result, "unreadable", subject), VERDICT_UNKNOWN, "%s", path);
	cr_expect_eq(result.n_findings, 2);
}

Test(mounts_expected, what_of_before_cannot_be_read_is_not_known)
{
	expect_unknown_before("/proc/swaps");
	expect_unknown_before("/etc/fstab");
}

Test(mounts_expected, a_device_that_was_not_recorded_is_not_known)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new(ROOT "30 29 8:99 / /srv/x rw - ext4 /dev/sdx3 rw\n"
				       "31 29 0:41 / /srv/y rw - btrfs /dev/sdx4 rw\n"
				       "32 29 0:42 / /srv/z rw - nfs4 nas:/z rw\n"
				       "33 29 7:1 / /srv/l rw - ext4 /dev/loop1 rw\n",
				  ROOT);

	tree_file(&pair.before, "proc/swaps", SWAPS "/dev/sdx5 partition 1048572 0 -2\n");
	pair_run(&pair, &kind_mounts_expected, true, NULL, &result);
	cr_expect_eq(pair_verdict(&result, "unreadable", "/srv/x"), VERDICT_UNKNOWN);
	cr_expect_eq(pair_verdict(&result, "unreadable", "/srv/y"), VERDICT_UNKNOWN);
	cr_expect_eq(pair_verdict(&result, "unreadable", "/dev/sdx5"), VERDICT_UNKNOWN);
	cr_expect_eq(result.n_findings, 4);
}

Test(mounts_expected, swap_of_before_without_a_uuid_is_not_known)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new(ROOT, ROOT);

	machine_udev(&pair.before, 2, 1, "");
	tree_file(&pair.before, "proc/swaps",
		  SWAPS "/dev/sdb1 partition 1048572 0 -2\n/dev/zram0 partition 1048572 0 100\n");
	pair_run(&pair, &kind_mounts_expected, true, NULL, &result);
	cr_expect_eq(pair_verdict(&result, "unreadable", "/dev/sdb1"), VERDICT_UNKNOWN);
	cr_expect_eq(result.n_findings, 2);
}

Test(mounts_expected, an_empty_list_of_before_is_not_known)
{
	CLEANUP(result_done) struct result result;
	AUTO_PAIR pair = pair_new("", ROOT);

	pair_run(&pair, &kind_mounts_expected, true, NULL, &result);
	cr_expect_eq(pair_verdict(&result, "unreadable", NULL), VERDICT_UNKNOWN);
}

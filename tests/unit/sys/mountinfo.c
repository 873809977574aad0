/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "attr.h"
#include "sys/mountinfo.h"

static void parse(const char *text, struct mountinfo *ret)
{
	cr_assert_eq(mountinfo_parse(strdup(text), ret, NULL), 0);
}

Test(mountinfo, fields_are_found_behind_optional_ones)
{
	CLEANUP(mountinfo_done) struct mountinfo mounts = { 0 };

	parse("1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"
	      "2 1 8:2 / /a\\040b rw shared:1 master:2 - xfs /dev/disk\\134x rw\n"
	      "broken\n"
	      "3 1 0:5 / /none rw\n",
	      &mounts);
	cr_assert_eq(mounts.n, 2);
	cr_expect_str_eq(mounts.lines[0].fstype, "ext4");
	cr_expect_str_eq(mounts.lines[1].target, "/a b");
	cr_expect_str_eq(mounts.lines[1].source, "/dev/disk\\x");
}

Test(mountinfo, only_local_ones_are_asked_directly)
{
	CLEANUP(mountinfo_done) struct mountinfo mounts = { 0 };

	parse("1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"
	      "2 1 0:9 / /z rw - zfs pool/data rw\n"
	      "3 1 0:5 / /nfs rw - nfs4 server:/x rw\n"
	      "4 1 0:6 / /f rw - fuseblk /dev/sdb1 rw\n"
	      "5 1 0:7 / /s rw - fuse.sshfs u@h:/ rw\n",
	      &mounts);
	cr_assert_eq(mounts.n, 5);
	cr_expect(mountinfo_is_local(&mounts, 0));
	cr_expect(mountinfo_is_local(&mounts, 1));
	cr_expect_not(mountinfo_is_local(&mounts, 2));
	cr_expect_not(mountinfo_is_local(&mounts, 3));
	cr_expect_not(mountinfo_is_local(&mounts, 4));
}

/* statvfs("/mnt/data") would wait for the server that was mounted over /mnt. */
Test(mountinfo, one_below_a_later_remote_mount_is_not)
{
	CLEANUP(mountinfo_done) struct mountinfo mounts = { 0 };

	parse("1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"
	      "2 1 8:2 / /mnt/data rw - ext4 /dev/sda2 rw\n"
	      "3 1 8:3 / /mnt2 rw - ext4 /dev/sda3 rw\n"
	      "4 1 0:5 / /mnt rw - nfs4 server:/x rw\n"
	      "5 4 8:4 / /mnt/later rw - ext4 /dev/sda4 rw\n",
	      &mounts);
	cr_expect_not(mountinfo_is_local(&mounts, 1));
	cr_expect(mountinfo_is_local(&mounts, 2));
	cr_expect(mountinfo_is_local(&mounts, 0));
}

Test(mountinfo, the_last_mount_of_a_place_hides_the_others)
{
	CLEANUP(mountinfo_done) struct mountinfo mounts = { 0 };

	parse("1 0 8:1 / /a rw - ext4 /dev/sda1 rw\n"
	      "2 1 8:2 / /a rw - ext4 /dev/sda2 rw\n",
	      &mounts);
	cr_expect(mountinfo_is_hidden(&mounts, 0));
	cr_expect_not(mountinfo_is_hidden(&mounts, 1));
}

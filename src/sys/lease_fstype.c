/* SPDX-License-Identifier: MIT */
#include "sys/lease_fstype.h"

#include <linux/magic.h>
#include <stddef.h>

#include "attr.h"

/*
 * What is local and has its inodes to itself counts.  What another program,
 * another host or another filesystem stands behind does not: the kernel
 * counts the openers of the inode in front.
 */
static const struct lease_fstype types[] = {
	{ EXT4_SUPER_MAGIC, "ext4", true }, /* ext2 and ext3 too */
	{ XFS_SUPER_MAGIC, "xfs", true },
	{ BTRFS_SUPER_MAGIC, "btrfs", true },
	{ F2FS_SUPER_MAGIC, "f2fs", true },
	{ TMPFS_MAGIC, "tmpfs", true },
	{ OVERLAYFS_SUPER_MAGIC, "overlay", false },
	{ FUSE_SUPER_MAGIC, "fuse", false },
	{ NFS_SUPER_MAGIC, "nfs", false },
	{ CIFS_SUPER_MAGIC, "cifs", false },
	{ SMB2_SUPER_MAGIC, "smb3", false },
	{ V9FS_MAGIC, "9p", false },
	{ CEPH_SUPER_MAGIC, "ceph", false },
	{ AFS_SUPER_MAGIC, "afs", false },
	{ MSDOS_SUPER_MAGIC, "vfat", false },
	{ EXFAT_SUPER_MAGIC, "exfat", false },
	{ ISOFS_SUPER_MAGIC, "iso9660", false },
	{ SQUASHFS_MAGIC, "squashfs", false },
	{ EROFS_SUPER_MAGIC_V1, "erofs", false },
	{ RAMFS_MAGIC, "ramfs", false },
	{ PROC_SUPER_MAGIC, "proc", false },
	{ SYSFS_MAGIC, "sysfs", false },
	{ 0x7366746e, "ntfs3", false },
	{ 0x2fc12fc1, "zfs", false },
	{ 0xca451a4e, "bcachefs", false },
};

const struct lease_fstype *lease_fstype(long magic)
{
	/* A long is signed, and half of the magic numbers have the upper bit set. */
	for (size_t i = 0; i < ELEMENTS(types); i++)
		if ((unsigned)types[i].magic == (unsigned)magic)
			return &types[i];
	return NULL;
}

/* SPDX-License-Identifier: MIT */
#include "probe/fskind.h"

#include <stddef.h>
#include <string.h>

static const char *const memory_types[] = { "tmpfs", "ramfs", "devtmpfs", NULL };
static const char *const kernel_types[] = { "proc", "sysfs", "devpts", "cgroup", "cgroup2", NULL };
static const char *const network_types[] = {
	"cifs",   "smb3",       "ceph",           "glusterfs",   "9p", "afs",
	"lustre", "fuse.sshfs", "fuse.glusterfs", "fuse.rclone", NULL,
};

static const char *const stacked_types[] = {
	"overlay", "aufs", "ecryptfs", "fuse", "fuseblk", "virtiofs", NULL,
};

static int is_one_of(const char *type, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(type, *list) == 0)
			return 1;
	return 0;
}

enum fskind fskind_of(const char *fstype)
{
	if (is_one_of(fstype, memory_types))
		return FSKIND_MEMORY;
	if (is_one_of(fstype, network_types) || strncmp(fstype, "nfs", 3) == 0)
		return FSKIND_NETWORK;
	if (is_one_of(fstype, stacked_types) || strncmp(fstype, "fuse.", 5) == 0)
		return FSKIND_STACKED;
	return FSKIND_DEVICE;
}

bool fskind_is_fleeting(const char *fstype)
{
	return is_one_of(fstype, memory_types) || is_one_of(fstype, kernel_types);
}

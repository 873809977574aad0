/* SPDX-License-Identifier: MIT */
#include "sys/loopdev.h"

#include <errno.h>
#include <linux/loop.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>

#include "sys/host_root.h"
#include "sys/io.h"

/* The kernel's encoding of a device number in 64 bits is that of makedev(3). */
int loopdev_backing(struct host *host, const char *name, dev_t *ret_dev, ino_t *ret_ino)
{
	AUTO_FREE char *path = NULL;
	struct loop_info64 info;
	struct stat st;
	int r;

	if (!host_is_live(host))
		return -EPERM;
	if (asprintf(&path, "/dev/%s", name) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	AUTO_FD place = host_look(host, path, 0, &st, NULL);
	if (place < 0)
		return place;
	if (!S_ISBLK(st.st_mode))
		return -ENOTBLK;
	AUTO_FD fd = host_reopen(host, path, &st, 0, NULL);
	if (fd < 0)
		return fd;
	r = ioctl(fd, LOOP_GET_STATUS64, &info) < 0 ? -errno : 0;
	if (r < 0)
		return r;
	*ret_dev = (dev_t)info.lo_device;
	*ret_ino = (ino_t)info.lo_inode;
	return 0;
}

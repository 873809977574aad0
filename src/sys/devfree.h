/* SPDX-License-Identifier: MIT */
/*
 * Unmounting, mounting, and the question that counts behind it: is the block
 * device itself free?
 *
 * umount(2) that returns 0 says so of one mount namespace.  The kernel grants
 * open(2) with O_EXCL on a block device only when no filesystem, no device
 * mapper, no md and no swap holds it, in whatever namespace.
 */
#ifndef COLDSWAP_SYS_DEVFREE_H
#define COLDSWAP_SYS_DEVFREE_H

#include <sys/types.h>

#include "error.h"
#include "host.h"

/* 1 granted (and closed again), 0 EBUSY: the kernel holds it; else a negative errno. */
int device_is_free(struct host *host, const char *name, dev_t expected, struct error *err);

/*
 * umount2(2) with UMOUNT_NOFOLLOW; never lazy, never forced.  -EBUSY.
 * Live alone: -EPERM for a capture.
 */
int mount_take_down(struct host *host, const char *mount_point, struct error *err);
/* mount(8)'s own way (libmount), by the entry of fstab, or as given. */
int mount_put_up(struct host *host, const char *mount_point, const char *source, const char *fstype,
		 const char *options, struct error *err);

#endif

/* SPDX-License-Identifier: MIT */
/* What stands behind a loop device: the kernel holds it, and no process shows it. */
#ifndef COLDSWAP_SYS_LOOPDEV_H
#define COLDSWAP_SYS_LOOPDEV_H

#include <sys/types.h>

#include "error.h"
#include "host.h"

/*
 * The backing file of "loop0": its device and inode as stat(2) gives them.
 * Live alone.  -ENXIO: nothing is behind it; -EACCES and others: not told.
 */
int loopdev_backing(struct host *host, const char *name, dev_t *ret_dev, ino_t *ret_ino);

#endif

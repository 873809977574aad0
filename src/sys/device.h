/* SPDX-License-Identifier: MIT */
/* Device nodes of the running system, by kernel name. */
#ifndef COLDSWAP_SYS_DEVICE_H
#define COLDSWAP_SYS_DEVICE_H

#include "error.h"
#include "host.h"

/* "/dev/NAME"; sysfs writes the slash of "cciss/c0d0" as '!'.  0 or -ENOMEM. */
int device_path(const char *name, char **ret);

/* 0 when it is a block device; -ENOENT when it is not there, -EINVAL when it is something else. */
int device_check(struct host *host, const char *device, struct error *err);

#endif

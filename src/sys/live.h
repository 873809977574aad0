/* SPDX-License-Identifier: MIT */
/*
 * Facts of the running system that have no file.  Each appends what a
 * capture would hold under coldswap/ and says where it came from.
 */
#ifndef COLDSWAP_SYS_LIVE_H
#define COLDSWAP_SYS_LIVE_H

#include "buf.h"
#include "error.h"
#include "host.h"

#define LIVE_HINT_ROOT "run as root"

typedef int live_function(struct host *host, const char *name, struct buf *ret, char **ret_source,
			  struct error *err);

live_function live_identity;
live_function live_klog;
live_function live_statvfs;
live_function live_smart;
live_function live_unit;
live_function live_tags;

#endif

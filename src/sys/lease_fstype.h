/* SPDX-License-Identifier: MIT */
/* Which filesystems keep the promise of a lease. */
#ifndef COLDSWAP_SYS_LEASE_FSTYPE_H
#define COLDSWAP_SYS_LEASE_FSTYPE_H

#include <stdbool.h>

struct lease_fstype {
	long magic;       /* f_type of statfs(2) */
	const char *name; /* as the kernel names it */
	bool counts;      /* a lease that is granted there means what it says */
};

/* NULL: not known, so nothing counts there. */
const struct lease_fstype *lease_fstype(long magic);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Files of data: looked at and read in part, where they lie.
 *
 * A recording notes that they were looked at, never that they were read: a
 * capture holds no data of an operator, only its types and sizes.
 */
#ifndef COLDSWAP_SYS_HOSTDATA_H
#define COLDSWAP_SYS_HOSTDATA_H

#include <sys/stat.h>

#include "error.h"
#include "host.h"

/*
 * lstat(2) inside the root.  *ret_mounted: a filesystem, or a part of one, is
 * mounted just there; false where the kernel (before 5.8) does not tell.
 */
int host_lstat(struct host *host, const char *path, struct stat *ret, bool *ret_mounted,
	       struct error *err);

/* host_list() of a directory of data, of which some hold very many: at most 1000000 names. */
int host_list_data(struct host *host, const char *path, char ***ret, struct error *err);

/*
 * A descriptor to read from; its access time stays as it is where that may be
 * asked for.  -EINVAL: no regular file; -EWOULDBLOCK: somebody's lease is in
 * the way.
 */
int host_open_data(struct host *host, const char *path, struct error *err);

#endif

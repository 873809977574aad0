/* SPDX-License-Identifier: MIT */
/*
 * One SHA-256 for a whole tree: names, what each of them is, the bytes of
 * files and where links lead.  Owners, modes and times are no part of it.
 */
#ifndef COLDSWAP_SYS_TREESUM_H
#define COLDSWAP_SYS_TREESUM_H

#include "error.h"

/*
 * `path` is a directory itself: no link is followed there (-ELOOP) nor below.
 * The negative errno comes with words.
 */
int treesum(const char *path, char ret[65], struct error *err);

#endif

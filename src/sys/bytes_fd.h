/* SPDX-License-Identifier: MIT */
/*
 * The bytes of an open file, by pread(2): whole or an error.  The descriptor
 * stays the caller's, and its offset where it is.
 */
#ifndef COLDSWAP_SYS_BYTES_FD_H
#define COLDSWAP_SYS_BYTES_FD_H

#include "base/bytes_at.h"

/* `name` is borrowed.  The size is that of now; -EINVAL: no regular file. */
int bytes_of_fd(int fd, const char *name, struct bytes_at *ret, struct error *err);

#endif

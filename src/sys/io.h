/* SPDX-License-Identifier: MIT */
/* Whole, bounded reads of open descriptors. */
#ifndef COLDSWAP_SYS_IO_H
#define COLDSWAP_SYS_IO_H

#include <stddef.h>
#include <unistd.h>

#include "attr.h"
#include "buf.h"

static inline void cleanup_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}
#define AUTO_FD CLEANUP(cleanup_fd) int

/*
 * Append everything up to the end of the file: 0, -EFBIG over `max` bytes,
 * or the errno of read(2).  After an error `ret` is as long as before.
 * Never trusts st_size: files of proc and sysfs say 0 or 4096.
 */
int io_read_all(int fd, size_t max, struct buf *ret);

#endif

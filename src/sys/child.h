/* SPDX-License-Identifier: MIT */
/*
 * Another program, run for its standard output.
 *
 * It gets a fixed environment, /dev/null as standard input and error, no
 * other descriptor, the directory "/", a process group of its own (Ctrl-C is
 * answered here, not by it) and a deadline, at which the group is killed.
 * Its output is whole and bounded, or there is an error.
 */
#ifndef COLDSWAP_SYS_CHILD_H
#define COLDSWAP_SYS_CHILD_H

#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "error.h"

/*
 * The absolute path of a program in the system's own directories; PATH is
 * never asked.  -ENOENT when it is not installed.
 */
int child_find(const char *name, char **ret, struct error *err);

/*
 * Run argv[0], an absolute path.  `ret` receives at most `max` bytes,
 * *ret_status the exit status.  -ETIMEDOUT at the deadline, -EFBIG over the
 * bound, -ECANCELED when the operator stopped us, -EPIPE when it died of a
 * signal.  The child is gone in every case; only one that hangs in the kernel
 * is left, killed, to init.
 */
int child_run(const char *const argv[], uint64_t timeout_us, size_t max, struct buf *ret,
	      int *ret_status, struct error *err);

#endif

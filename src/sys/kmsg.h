/* SPDX-License-Identifier: MIT */
/* Records of the kernel's ring buffer as lines of a kernel log; no I/O here. */
#ifndef COLDSWAP_SYS_KMSG_H
#define COLDSWAP_SYS_KMSG_H

#include <stddef.h>
#include <stdint.h>

#include "buf.h"

/* "[    1.234567] text\n"; a newline inside the text becomes "\n" in letters. */
int kmsg_line(uint64_t us, const char *text, size_t len, struct buf *ret);

/*
 * One record of /dev/kmsg, "PRIORITY,SEQUENCE,MICROSECONDS,FLAGS;TEXT\n KEY=VALUE...".
 * Only what the kernel itself said is kept: a program that writes to
 * /dev/kmsg has another facility and cannot pose as it.
 */
int kmsg_record(const char *record, size_t len, struct buf *ret);

/* The text of syslog(2): lines of "<PRIORITY>[    1.234567] text". */
int kmsg_syslog(const char *text, size_t len, struct buf *ret);

#endif

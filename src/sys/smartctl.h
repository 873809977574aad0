/* SPDX-License-Identifier: MIT */
/* What an answer of smartctl is worth; no I/O here. */
#ifndef COLDSWAP_SYS_SMARTCTL_H
#define COLDSWAP_SYS_SMARTCTL_H

#include <stddef.h>

#include "error.h"

/*
 * 0: the JSON tells about the disk, whatever the health bits of `status`
 * say.  -ENODATA: no JSON, or smartctl could not ask the disk (bits 0 and 1:
 * usage, open, asleep); the words are smartctl's own.
 */
int smartctl_judge(const char *text, size_t len, int status, const char *device, struct error *err);

#endif

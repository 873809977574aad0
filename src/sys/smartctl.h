/* SPDX-License-Identifier: MIT */
/* What an answer of smartctl is worth; no I/O here. */
#ifndef COLDSWAP_SYS_SMARTCTL_H
#define COLDSWAP_SYS_SMARTCTL_H

#include <stddef.h>

#include "error.h"

/*
 * 0: the JSON is smartctl's own, whatever its exit status says: that stands in
 * the document, with the reason of a drive that could not be asked.
 * -ENODATA: no JSON.
 */
int smartctl_judge(const char *text, size_t len, const char *device, struct error *err);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef COLDSWAP_SYS_ENTROPY_H
#define COLDSWAP_SYS_ENTROPY_H

#include <stddef.h>

#include "error.h"

/* Bytes that nobody can guess, from the kernel. */
int entropy_bytes(void *ret, size_t len, struct error *err);

#endif

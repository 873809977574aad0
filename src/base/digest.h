/* SPDX-License-Identifier: MIT */
/* SHA-256 by libcrypto's EVP. */
#ifndef COLDSWAP_BASE_DIGEST_H
#define COLDSWAP_BASE_DIGEST_H

#include <stddef.h>

#include "error.h"

/* Lower-case hexadecimal with a terminating NUL. */
int sha256_hex(const void *bytes, size_t len, char ret[65], struct error *err);

#endif

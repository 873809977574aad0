/* SPDX-License-Identifier: MIT */
/* SHA-256 by libcrypto's EVP, and a keyed code by it. */
#ifndef COLDSWAP_BASE_DIGEST_H
#define COLDSWAP_BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

/* Lower-case hexadecimal with a terminating NUL. */
int sha256_hex(const void *bytes, size_t len, char ret[65], struct error *err);

#define HMAC_SHA256_LEN 32
/* HMAC-SHA-256 of `len` bytes. */
int hmac_sha256(const void *key, size_t key_len, const void *bytes, size_t len,
		uint8_t ret[HMAC_SHA256_LEN], struct error *err);

#endif

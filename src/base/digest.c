/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "base/digest.h"

int sha256_hex(const void *bytes, size_t len, char ret[65], struct error *err)
{
	static const char hex[] = "0123456789abcdef";
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned size = 0, i;

	/* An openssl.cnf of this machine is no part of the program. */
	OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL);
	if (EVP_Digest(bytes, len, digest, &size, EVP_sha256(), NULL) != 1 || size != 32)
		return error_set(err, -EIO, "libcrypto cannot compute SHA-256");
	for (i = 0; i < size; i++) {
		ret[2 * i] = hex[digest[i] >> 4];
		ret[2 * i + 1] = hex[digest[i] & 15];
	}
	ret[64] = '\0';
	return 0;
}

int hmac_sha256(const void *key, size_t key_len, const void *bytes, size_t len,
		uint8_t ret[HMAC_SHA256_LEN], struct error *err)
{
	unsigned size = 0;

	OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL);
	if (!HMAC(EVP_sha256(), key, (int)key_len, bytes, len, ret, &size) ||
	    size != HMAC_SHA256_LEN)
		return error_set(err, -EIO, "libcrypto cannot compute HMAC-SHA-256");
	return 0;
}

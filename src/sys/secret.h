/* SPDX-License-Identifier: MIT */
/*
 * Bytes that must not outlive their use: pages of their own, locked, kept out
 * of core dumps and of children, wiped before they are given back.
 */
#ifndef COLDSWAP_SYS_SECRET_H
#define COLDSWAP_SYS_SECRET_H

#include <stddef.h>

#include "attr.h"
#include "error.h"

struct secret {
	char *text; /* NUL-terminated; NULL: none */
	size_t len;
	size_t capacity; /* bytes that are mapped */
};

#define SECRET_INIT                                                                                \
	{                                                                                          \
		0                                                                                  \
	}

/* Room for `len` bytes and a NUL.  -EPERM: the memory cannot be locked; the hint says how. */
int secret_make(struct secret *ret, size_t len, struct error *err);
/* Wipe and give back; may be repeated. */
void secret_done(struct secret *secret);
#define AUTO_SECRET CLEANUP(secret_done) struct secret

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Bytes that are wiped when they are let go: tokens, keys, passwords.
 *
 * The memory is locked where the limit allows it, left out of core dumps and
 * never moved: a secret has one size from its making on, and no copy is left
 * behind by a growing buffer.  Nothing here is ever printed or logged.
 */
#ifndef COLDSWAP_SYS_SECRET_H
#define COLDSWAP_SYS_SECRET_H

#include <stddef.h>

#include "attr.h"
#include "error.h"

struct secret {
	char *data; /* `len` bytes and a NUL behind them; NULL = none */
	size_t len;
};

/* Room for `len` bytes, zeroed.  -ENOMEM. */
int secret_new(size_t len, struct secret *ret, struct error *err);
/* A copy; the caller wipes what it copied from. */
int secret_copy(const void *bytes, size_t len, struct secret *ret, struct error *err);
/* Wiped and given back; `secret` is empty then. */
void secret_done(struct secret *secret);
#define AUTO_SECRET CLEANUP(secret_done) struct secret

#endif

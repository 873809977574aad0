/* SPDX-License-Identifier: MIT */
/*
 * A private directory with copies of files that a look would change: a
 * database is opened there, and never where it lies.  It is removed with all
 * that was made in it.
 */
#ifndef COLDSWAP_SYS_SCRATCH_H
#define COLDSWAP_SYS_SCRATCH_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "attr.h"
#include "error.h"

struct scratch;

/* A fresh one, 0700, in `parent`. */
int scratch_open(const char *parent, struct scratch **ret, struct error *err);
void scratch_free(struct scratch *scratch);
DEFINE_CLEANUP(scratch, scratch_free)

const char *scratch_path(const struct scratch *scratch);

/*
 * Copy a regular file under a new name: its blocks are shared where the
 * filesystem can, and holes stay holes.  -ENOENT: it is not there; -ECANCELED.
 */
int scratch_copy(struct scratch *scratch, const char *from, const char *name,
		 const volatile sig_atomic_t *cancelled, struct error *err);
/* Write `bytes` at `offset` of a file, which is made if need be and ends behind them. */
int scratch_write_tail(struct scratch *scratch, const char *name, uint64_t offset,
		       const void *bytes, size_t len, struct error *err);

#endif

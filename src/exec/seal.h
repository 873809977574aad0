/* SPDX-License-Identifier: MIT */
/*
 * The machine before the work, as a capture in the session's directory: what
 * the steps after the boundary compare with, and what an undo is planned from.
 *
 * 1. It is asked of the machine itself, by an object of its own: nothing that
 *    was read before is taken over.
 * 2. It is whole, or there is none, and no session.
 * 3. Its hash stands in the journal's chain: another record is not taken for it.
 */
#ifndef COLDSWAP_EXEC_SEAL_H
#define COLDSWAP_EXEC_SEAL_H

#include "exec/executor.h"

/* Sets the session's number and directory, and makes STATE/N/before. */
int seal_make(struct executor *executor, struct error *err);
/* Is the record that lies there the one with this treesum()?  -EUCLEAN; `sha256` NULL: not told. */
int seal_check(const char *path, const char *sha256, struct error *err);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * A runbook for this host, written from what the probes find on it.
 *
 * The draft is text for an operator to read, correct and keep: what it does
 * stands in comments, each step's from the rows of its kind.  It is a sound
 * runbook as it stands, and its audit says what the built-in audit says:
 * where naming what was found would look at less than the kind's own search,
 * the parameter is left out and a comment says why.
 *
 * Names of the host are data: in the runbook they are quoted scalars, in
 * comments they are inert; what no YAML can hold (bytes that are not UTF-8)
 * is left out, saying so.
 */
#ifndef COLDSWAP_DRAFT_DRAFT_H
#define COLDSWAP_DRAFT_DRAFT_H

#include "buf.h"
#include "error.h"
#include "probe/facts.h"

/* Errors: the block devices cannot be read; -ENOMEM. */
int draft_write(struct facts *facts, struct buf *ret, struct error *err);

#endif

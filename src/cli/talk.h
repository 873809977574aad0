/* SPDX-License-Identifier: MIT */
/* The two mouths of the program: the result on stdout, the talk on stderr. */
#ifndef COLDSWAP_CLI_TALK_H
#define COLDSWAP_CLI_TALK_H

#include "buf.h"
#include "error.h"

/*
 * Write the whole result.  Returns `exit_code`, or EXIT_SYSTEM with words on
 * stderr when it could not be written (a full disk, a closed pipe).  Once the
 * operator asked to stop, nothing is written and the signal's code returned.
 */
int talk_result(const struct buf *result, int exit_code);

/* An error in words with its next action; returns `exit_code`. */
int talk_error(const struct error *err, int exit_code);

/* Lines for the operator that are no result, as they are. */
void talk_lines(const struct buf *lines);

#endif

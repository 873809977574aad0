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

/* The last word of a session: written whatever the operator asked to stop. */
int talk_last(const struct buf *text, int exit_code);

/* To the standard error; a negative errno when nobody can be told there any more. */
int talk_try(const struct buf *text);

/* Lines for the operator that are no result, as they are. */
void talk_lines(const struct buf *lines);

#endif

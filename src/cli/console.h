/* SPDX-License-Identifier: MIT */
/*
 * The operator of a session, at a terminal or without one.
 *
 * What is told goes to the standard error.  Questions are asked at the
 * terminal; what stands above a prompt goes to both where these are two.
 * Once the standard error is a terminal or a pipe that went away, the session
 * is stopped as by SIGHUP: nobody is told any more what happens.
 */
#ifndef COLDSWAP_CLI_CONSOLE_H
#define COLDSWAP_CLI_CONSOLE_H

#include "cli/cli.h"
#include "cli/progress.h"
#include "exec/operator.h"
#include "sys/console.h"

struct desk {
	struct operator operator;
	struct screen screen;    /* of the standard error */
	struct console *console; /* NULL: there is no terminal */
	struct error no_console; /* then why */
	struct progress_line progress;
	char *stopping; /* what a first Ctrl-C says */
};

/*
 * `state`: where the journal lies; `again`: the command that goes on.  A desk
 * without a terminal is no error: asking at it is.
 */
int desk_open(struct desk *desk, const struct call *call, const char *state, const char *again,
	      struct error *err);
void desk_done(struct desk *desk);
#define AUTO_DESK CLEANUP(desk_done) struct desk

#endif

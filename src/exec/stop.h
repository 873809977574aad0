/* SPDX-License-Identifier: MIT */
/*
 * How a call of the program ends while its session goes on, and how a session
 * ends.  Each says so to the journal first; `end` gets what the command line
 * shows.  All return 1 (see executor.h), or a negative errno.
 */
#ifndef COLDSWAP_EXEC_STOP_H
#define COLDSWAP_EXEC_STOP_H

#include "exec/executor.h"

/* Stop here; `resume` goes on.  The sentence says why. */
int stop_here(struct executor *executor, int exit_code, struct error *err, const char *fmt, ...)
	PRINTF_LIKE(4, 5);
/* The same without a word to the journal: it is not this machine's to write. */
int stop_unsaid(struct executor *executor, int exit_code, char *why, struct error *err);
/*
 * The operator did not answer, or asked to stop: by signal, by `q`, by going
 * away.  `why` is what executor_ask() said; its other codes are returned.
 */
int stop_asked(struct executor *executor, const struct error *why, struct error *err);
/* After executor_interrupted(). */
int stop_interrupted(struct executor *executor, struct error *err);
/* The session is over: "pass", "differs", "aborted". */
int stop_closed(struct executor *executor, const char *as, const char *how, int exit_code,
		struct error *err);

#endif

/* SPDX-License-Identifier: MIT */
/* The process itself: what main() sets right before anything else runs. */
#ifndef COLDSWAP_SYS_PROCESS_H
#define COLDSWAP_SYS_PROCESS_H

#include <signal.h>
#include <stdbool.h>

#include "error.h"

/* Where programs are looked for, and the PATH of this process and its children. */
#define PROCESS_PATH "/usr/sbin:/usr/bin:/sbin:/bin"

/*
 * Descriptors 0 to 2 are open (else on /dev/null), umask 077, the
 * environment is reduced to an allow-list with a fixed PATH, signals are as
 * a program expects them, SIGPIPE is ignored, and SIGINT, SIGTERM and SIGHUP
 * set the flag below.  To be called once, before setlocale(3).
 */
int process_harden(struct error *err);

/*
 * Not zero once the operator asked to stop: the number of the signal, SIGHUP
 * when the terminal went away.  SIGINT or SIGTERM a second time ends the
 * process at once; SIGHUP is ignored after the first.
 */
const volatile sig_atomic_t *process_cancelled(void);

/*
 * What the first SIGINT or SIGTERM says on standard error, at once: nobody who
 * pressed Ctrl-C waits for the next safe point without a word.  `text` must
 * outlive the next call; NULL = nothing (the default).
 */
void process_cancel_says(const char *text);

/*
 * Take the signal back, so that what must still be done can be: undo, record.
 * Returns its number, 0 if none came.  The next signal of another number sets
 * the flag again; the same one ends the process at once, but for SIGHUP: a
 * terminal that goes away often says so twice, and is ignored from then on.
 */
int process_cancel_reset(void);

/* Effective uid 0? */
bool process_is_root(void);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The operator's terminal: where questions are asked, and nothing else.
 *
 * It is the controlling terminal; where there is none, standard input and
 * error when both are one terminal.  What is piped into the program never
 * answers a question.
 *
 * An answer is waited for without an end: only the operator (-ECANCELED, by a
 * signal) or the terminal itself ends it.  End of file, a hang-up and EIO are
 * -EIO: "the terminal went away".  The terminal's settings are what they were
 * after every call, whatever ended it; a signal that would end the program at
 * once is held back until they are.
 *
 * Whatever is written is made inert (base/text.h) but for its newlines.
 */
#ifndef COLDSWAP_SYS_CONSOLE_H
#define COLDSWAP_SYS_CONSOLE_H

#include <stdbool.h>

#include "attr.h"
#include "error.h"
#include "sys/secret.h"

#define CONSOLE_LINE_MAX 4096

struct console;

/* -ENOTTY: there is no terminal; the hint says what to do. */
int console_open(struct console **ret, struct error *err);
/* Lets go of what is held. */
void console_free(struct console *console);
DEFINE_CLEANUP(console, console_free)

/* Text for the operator, as it is; no newline is added. */
int console_write(struct console *console, const char *text, struct error *err);

/*
 * Write `prompt`, drop what was typed before it, and read one line, without
 * its newline and with blanks as typed.  -EINVAL: it holds a NUL byte, or has
 * no end within CONSOLE_LINE_MAX bytes: ask again.
 */
int console_ask(struct console *console, const char *prompt, char **ret, struct error *err);

/* The same without echo. */
int console_ask_secret(struct console *console, const char *prompt, struct secret *ret,
		       struct error *err);

/* While held, SIGTSTP is ignored: a stopped process would keep what it holds from everybody. */
void console_hold(struct console *console, bool hold);

/*
 * Does the session come over a network (SSH)?  Then it freezes before the machine is off.  By the
 * processes that it descends from, and by logind; within tmux or screen, whose server descends
 * from nobody, by the environment too.  *ret_back: the command that leads back into that one;
 * static, NULL within none.
 */
bool console_is_remote(const struct console *console, const char **ret_back);

#endif

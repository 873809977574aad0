/* SPDX-License-Identifier: MIT */
/*
 * The settings of a terminal, changed for the time of one question.
 *
 * Between tty_begin() and tty_end() no signal is delivered but inside of
 * tty_wait(): whatever comes, the settings are restored before it takes effect.
 */
#ifndef COLDSWAP_SYS_CONSOLE_TTY_H
#define COLDSWAP_SYS_CONSOLE_TTY_H

#include <signal.h>
#include <stdbool.h>
#include <termios.h>

struct tty {
	int fd;
	struct termios before;
	sigset_t mask;    /* as it was */
	sigset_t waiting; /* while waiting: what asks to stop gets through */
};

/* Lines as a whole, Ctrl-C as a signal; what was typed before is dropped. */
int tty_begin(int fd, bool echo, struct tty *ret);
void tty_end(struct tty *tty);

/* Until `events` (of poll(2)); -ECANCELED, -EIO when the terminal is gone. */
int tty_wait(const struct tty *tty, short events);

#endif

/* SPDX-License-Identifier: MIT */
#include "sys/console_tty.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "attr.h"
#include "sys/process.h"

static int hold_signals(struct tty *tty)
{
	static const int stops[] = { SIGINT, SIGTERM, SIGHUP };
	sigset_t all;
	size_t i;

	sigfillset(&all);
	if (sigprocmask(SIG_SETMASK, &all, &tty->mask) < 0)
		return -errno;
	/* The others would stop or end the program with its terminal changed: they come after. */
	tty->waiting = all;
	for (i = 0; i < ELEMENTS(stops); i++)
		if (!sigismember(&tty->mask, stops[i]))
			sigdelset(&tty->waiting, stops[i]);
	return 0;
}

static void settings(const struct termios *before, bool echo, struct termios *ret)
{
	*ret = *before;
	ret->c_iflag |= ICRNL;
	ret->c_lflag |= ICANON | ISIG | IEXTEN;
	if (echo)
		ret->c_lflag |= ECHO | ECHOE | ECHOK;
	else
		ret->c_lflag &= ~(tcflag_t)(ECHO | ECHOE | ECHOK | ECHONL);
	/* The keys whose signals are held back would seem dead, and then strike. */
	ret->c_cc[VQUIT] = ret->c_cc[VSUSP] = _POSIX_VDISABLE;
}

int tty_begin(int fd, bool echo, struct tty *ret)
{
	struct termios now;
	int r;

	ret->fd = fd;
	/* In the background this stops the program until it is the foreground again. */
	if (tcflush(fd, TCIFLUSH) < 0)
		return errno == EINTR && *process_cancelled() ? -ECANCELED : -EIO;
	r = hold_signals(ret);
	if (r < 0)
		return r;
	if (tcgetattr(fd, &ret->before) < 0) {
		sigprocmask(SIG_SETMASK, &ret->mask, NULL);
		return -EIO;
	}
	settings(&ret->before, echo, &now);
	/* Never draining: output that Ctrl-S or a serial line holds back would hang us. */
	if (tcsetattr(fd, TCSANOW, &now) < 0 || tcflush(fd, TCIFLUSH) < 0) {
		tty_end(ret);
		return -EIO;
	}
	return 0;
}

void tty_end(struct tty *tty)
{
	/* A terminal that is gone keeps no settings. */
	(void)tcsetattr(tty->fd, TCSANOW, &tty->before);
	sigprocmask(SIG_SETMASK, &tty->mask, NULL);
}

int tty_wait(const struct tty *tty, short events)
{
	struct pollfd fd = { .fd = tty->fd, .events = events };
	int n;

	for (;;) {
		if (*process_cancelled())
			return *process_cancelled() == SIGHUP ? -EIO : -ECANCELED;
		n = ppoll(&fd, 1, NULL, &tty->waiting);
		if (n < 0 && errno != EINTR)
			return -errno;
		/* A terminal that is gone, too: the read or the write that follows tells. */
		if (n > 0)
			return 0;
	}
}

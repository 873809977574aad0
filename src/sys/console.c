/* SPDX-License-Identifier: MIT */
#include "sys/console.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "sys/console_tty.h"
#include "sys/io.h"
#include "sys/process.h"

struct console {
	int fd;
	bool held;
	struct sigaction stop; /* what SIGTSTP did before it was held */
};

static int went_away(struct error *err)
{
	error_set(err, -EIO, "the terminal went away");
	error_hint(err, "come back on another one: coldswap status tells where the session stands");
	return -EIO;
}

static int cannot(int code, struct error *err)
{
	if (code == -ENOMEM)
		return error_oom(err);
	if (code == -ECANCELED)
		return error_set(err, code, "stopped at a question");
	if (code == -EINVAL) {
		error_set(err, code, "the answer cannot be read as one line of text");
		error_hint(err, "type it again");
		return code;
	}
	return went_away(err);
}

/* A description of our own: another's would stay non-blocking after us, for the shell. */
static int reopen(int fd)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
}

static bool is_one_terminal(int a, int b)
{
	struct stat one, other;

	return isatty(a) == 1 && isatty(b) == 1 && fstat(a, &one) == 0 && fstat(b, &other) == 0 &&
	       one.st_rdev == other.st_rdev;
}

int console_open(struct console **ret, struct error *err)
{
	CLEANUP(cleanup_console) struct console *console = calloc(1, sizeof(*console));

	if (!console)
		return error_oom(err);
	console->fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (console->fd < 0 && is_one_terminal(STDIN_FILENO, STDERR_FILENO))
		console->fd = reopen(STDIN_FILENO);
	if (console->fd < 0) {
		error_set(err, -ENOTTY, "there is no terminal to ask at");
		error_hint(err, "run it at a terminal, or over ssh -t");
		return -ENOTTY;
	}
	*ret = TAKE(console);
	return 0;
}

void console_free(struct console *console)
{
	if (!console)
		return;
	console_hold(console, false);
	cleanup_fd(&console->fd);
	free(console);
}

void console_hold(struct console *console, bool hold)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	if (hold == console->held)
		return;
	if (sigaction(SIGTSTP, hold ? &ignore : &console->stop, hold ? &console->stop : NULL) == 0)
		console->held = hold;
}

/* Newlines are the only control characters that get through. */
static int make_inert(const char *text, struct buf *ret)
{
	for (;;) {
		size_t len = strcspn(text, "\n");
		AUTO_FREE char *line = strndup(text, len);

		if (!line || text_inert(line, ret) < 0)
			return -ENOMEM;
		if (!text[len])
			return buf_error(ret);
		if (buf_addc(ret, '\n') < 0)
			return -ENOMEM;
		text += len + 1;
	}
}

static int put(const struct tty *tty, const char *text)
{
	AUTO_BUF inert = BUF_INIT;
	const char *at;
	int r = make_inert(text, &inert);

	at = buf_text(&inert);
	while (r == 0 && *at) {
		ssize_t n = write(tty->fd, at, strlen(at));

		if (n >= 0)
			at += n;
		else if (errno == EAGAIN)
			r = tty_wait(tty, POLLOUT);
		else if (errno == EINTR)
			r = *process_cancelled() ? -ECANCELED : 0;
		else
			r = -EIO;
	}
	return r;
}

int console_write(struct console *console, const char *text, struct error *err)
{
	struct tty tty = { .fd = console->fd };
	int r;

	/* Nothing is changed at the terminal, so that no signal need wait. */
	sigprocmask(SIG_SETMASK, NULL, &tty.waiting);
	r = put(&tty, text);
	return r < 0 ? cannot(r, err) : 0;
}

/*
 * One line without its newline, into room for CONSOLE_LINE_MAX + 1 bytes.  A
 * line that is cut by the end of file key comes in pieces.
 */
static int get_line(const struct tty *tty, char *line, size_t *ret_len)
{
	size_t len = 0;
	ssize_t n;
	int r;

	while (len < CONSOLE_LINE_MAX) {
		r = tty_wait(tty, POLLIN);
		if (r < 0)
			return r;
		n = read(tty->fd, line + len, CONSOLE_LINE_MAX - len);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			continue;
		if (n <= 0)
			return -EIO;
		len += (size_t)n;
		if (line[len - 1] == '\n')
			break;
	}
	if (line[len - 1] != '\n')
		return -EINVAL;
	line[--len] = '\0';
	*ret_len = len;
	return memchr(line, '\0', len) ? -EINVAL : 0;
}

static int ask(struct console *console, const char *prompt, bool echo, char *line, size_t *ret_len)
{
	struct tty tty;
	int r = tty_begin(console->fd, echo, &tty);

	if (r < 0)
		return r;
	r = put(&tty, prompt);
	if (r == 0)
		r = get_line(&tty, line, ret_len);
	/* The key that ended it was not shown, nor does a signal end the line. */
	if (!echo || r == -ECANCELED)
		(void)!write(tty.fd, "\n", 1);
	tty_end(&tty);
	return r;
}

int console_ask(struct console *console, const char *prompt, char **ret, struct error *err)
{
	AUTO_FREE char *line = calloc(1, CONSOLE_LINE_MAX + 1);
	size_t len = 0;
	int r = line ? ask(console, prompt, true, line, &len) : -ENOMEM;

	if (r < 0)
		return cannot(r, err);
	*ret = TAKE(line);
	return 0;
}

int console_ask_secret(struct console *console, const char *prompt, struct secret *ret,
		       struct error *err)
{
	AUTO_SECRET secret = SECRET_INIT;
	int r = secret_make(&secret, CONSOLE_LINE_MAX, err);

	if (r < 0)
		return r;
	r = ask(console, prompt, false, secret.text, &secret.len);
	if (r < 0)
		return cannot(r, err);
	*ret = secret;
	secret = (struct secret)SECRET_INIT;
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include "cli/talk.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/intl.h"
#include "base/text.h"
#include "report.h"
#include "sys/process.h"

static int write_all(int fd, const char *text, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, text, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		text += n;
		len -= (size_t)n;
	}
	return 0;
}

/* When stderr is gone too, nobody is left to be told. */
static void say(const char *text, size_t len)
{
	(void)write_all(STDERR_FILENO, text, len);
}

/* What to do about errors that may come from anywhere, where nothing nearer is known. */
static const struct {
	int code;
	bool always; /* whatever was thought to be the cause */
	const char *hint;
} hints[] = {
	{ -EMFILE, true, N_("raise the limit of open files, then try again: ulimit -n 1024") },
	{ -ENFILE, true, N_("too many files are open on this host: see who has them with lsof") },
	{ -ENOMEM, false, N_("free some memory, then try again") },
	{ -ENOSPC, false, N_("make room, then try again") },
	{ -EDQUOT, false, N_("make room, then try again") },
	{ -EROFS, false, N_("have it mounted for writing, or name another place") },
	{ -EACCES, false, N_("run as root") },
	{ -EPERM, false, N_("run as root") },
	{ -EIO, false, N_("look for errors of its disk in: dmesg") },
	{ -ENOENT, false,
	  N_("see that it is there; a capture that lacks it is made anew by: "
	     "coldswap capture DIR") },
};

static const char *hint_of(const struct error *err)
{
	for (size_t i = 0; i < ELEMENTS(hints); i++)
		if (hints[i].code == err->code && (hints[i].always || !err->hint))
			return _(hints[i].hint);
	return err->hint;
}

int talk_error(const struct error *err, int exit_code)
{
	const char *hint = hint_of(err);
	AUTO_BUF text = BUF_INIT;

	buf_adds(&text, "coldswap: ");
	text_inert(error_text(err), &text);
	buf_addc(&text, '\n');
	if (hint) {
		buf_adds(&text, "  ");
		text_inert(hint, &text);
		buf_addc(&text, '\n');
	}
	say(buf_text(&text), text.len);
	return exit_code;
}

void talk_lines(const struct buf *lines)
{
	say(buf_text(lines), lines->len);
}

int talk_try(const struct buf *text)
{
	return write_all(STDERR_FILENO, buf_text(text), text->len);
}

/* Facts that a stopped probe left out would look like facts that are not there. */
static int stopped(void)
{
	struct error err = ERROR_INIT;

	error_set(&err, -ECANCELED, "%s",
		  _("stopped by the operator; nothing of the host was changed"));
	talk_error(&err, 0);
	error_done(&err);
	return EXIT_BY_SIGNAL(*process_cancelled());
}

static int not_written(int code, const char *next)
{
	struct error err = ERROR_INIT;

	error_set(&err, code, _("cannot write the result: %s"), strerror(-code));
	error_hint(&err, "%s", next);
	talk_error(&err, EXIT_SYSTEM);
	error_done(&err);
	return EXIT_SYSTEM;
}

static int put(const struct buf *text)
{
	int r = buf_error(text);

	return r < 0 ? r : write_all(STDOUT_FILENO, buf_text(text), text->len);
}

int talk_last(const struct buf *text, int exit_code)
{
	int r = put(text);

	if (r >= 0)
		return exit_code;
	return not_written(r, _("The session itself is in the journal: coldswap status."));
}

int talk_result(const struct buf *result, int exit_code)
{
	int r;

	if (*process_cancelled())
		return stopped();
	r = put(result);
	if (r >= 0)
		return exit_code;
	return not_written(r, _("Nothing of the host was changed; give the output another place."));
}

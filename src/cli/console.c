/* SPDX-License-Identifier: MIT */
#include "cli/console.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/intl.h"
#include "cli/talk.h"
#include "report/notice.h"
#include "report/question.h"
#include "sys/clock.h"
#include "sys/process.h"
#include "sys/terminal.h"

/* ---- telling ------------------------------------------------------------------ */

static void say(const struct buf *text)
{
	int r = talk_try(text);

	if (r == -EIO || r == -EPIPE)
		raise(SIGHUP);
}

/* A page of text, after whatever line of progress stood there. */
static void say_page(struct desk *desk, const struct buf *text)
{
	AUTO_BUF all = BUF_INIT;

	progress_clear(&desk->progress, &all);
	buf_add(&all, buf_text(text), text->len);
	say(&all);
}

static void tell_place(struct page *page, const struct notice *notice)
{
	const struct notice_place place = { notice->step, notice->number, notice->of };

	switch (notice->type) {
	case NOTICE_BEGINS:
		notice_begins(page, &place);
		break;
	case NOTICE_ENDS:
		notice_ends(page, &place, notice->outcome);
		break;
	case NOTICE_UNDOES:
		notice_undoes(page, &place);
		break;
	default:
		notice_undone(page, &place, notice->outcome);
		break;
	}
}

static void tell(void *data, const struct notice *notice)
{
	struct desk *desk = data;
	AUTO_BUF text = BUF_INIT;
	struct page page = { &desk->screen, &text };

	if (notice->type == NOTICE_TEXT)
		notice_text(&page, notice->text);
	else if (notice->type == NOTICE_WARNING)
		notice_warning(&page, notice->text);
	else if (notice->type == NOTICE_PAGE)
		notice_page(&page, notice->text);
	else
		tell_place(&page, notice);
	say_page(desk, &text);
}

static void progress(void *data, const struct progress *progress)
{
	struct desk *desk = data;
	AUTO_BUF text = BUF_INIT;

	if (progress_text(&desk->progress, progress, clock_monotonic_us(), desk->screen.width,
			  &text) == 0 &&
	    text.len)
		say(&text);
}

/* ---- asking ------------------------------------------------------------------- */

static int no_console(struct desk *desk, struct error *err)
{
	if (err)
		error_copy(err, &desk->no_console);
	return desk->no_console.code;
}

/* Whoever sits at the terminal must see what is asked, wherever the talk goes. */
static int show_question(struct desk *desk, const struct question *question, struct error *err)
{
	AUTO_BUF text = BUF_INIT;
	struct page page = { &desk->screen, &text };

	question_lines(&page, question);
	if (buf_error(&text) < 0)
		return error_oom(err);
	say_page(desk, &text);
	return terminal_is(STDERR_FILENO) ? 0 : console_write(desk->console, buf_text(&text), err);
}

static int prompt_of(const struct asked_by *by, const struct question *question, struct buf *ret,
		     struct error *err)
{
	return question_prompt(by->step, by->number, by->of, question, ret) < 0 ? error_oom(err)
										: 0;
}

static char *without_blanks(char *line)
{
	size_t len;

	line += strspn(line, " \t\r");
	for (len = strlen(line); len > 0 && strchr(" \t\r", line[len - 1]); len--)
		;
	line[len] = '\0';
	return line;
}

static int refuse(struct desk *desk, const char *answer, const struct question *question,
		  struct error *err)
{
	AUTO_BUF text = BUF_INIT;

	if (question_refused(answer, question, &text) < 0)
		return error_oom(err);
	return console_write(desk->console, buf_text(&text), err);
}

/* 1: this is no answer, ask again. */
static int judge(struct desk *desk, char *line, const struct question *question, char **ret,
		 struct error *err)
{
	const char *answer = without_blanks(line), *word = question_word(answer, question);
	int r;

	if (word) {
		*ret = strdup(word);
		return *ret ? 0 : error_oom(err);
	}
	if (strcmp(answer, "q") == 0)
		return error_set(err, -ECANCELED, "%s", _("stopped by the operator"));
	r = refuse(desk, answer, question, err);
	return r < 0 ? r : 1;
}

static int ask(void *data, const struct asked_by *by, const struct question *question, char **ret,
	       struct error *err)
{
	struct desk *desk = data;
	AUTO_BUF prompt = BUF_INIT;
	int r;

	if (!desk->console)
		return no_console(desk, err);
	r = show_question(desk, question, err);
	if (r >= 0)
		r = prompt_of(by, question, &prompt, err);
	if (r < 0)
		return r;
	do {
		AUTO_FREE char *line = NULL;

		r = console_ask(desk->console, buf_text(&prompt), &line, err);
		if (r == -EINVAL)
			r = refuse(desk, error_text(err), question, err) < 0 ? -EIO : 1;
		else if (r >= 0)
			r = judge(desk, line, question, ret, err);
	} while (r > 0);
	return r;
}

static int ask_secret(void *data, const struct asked_by *by, const struct question *question,
		      char **ret, struct error *err)
{
	struct desk *desk = data;
	AUTO_SECRET secret = SECRET_INIT;
	AUTO_BUF prompt = BUF_INIT;
	int r;

	if (!desk->console)
		return no_console(desk, err);
	r = show_question(desk, question, err);
	if (r >= 0)
		r = prompt_of(by, question, &prompt, err);
	if (r >= 0)
		r = console_ask_secret(desk->console, buf_text(&prompt), &secret, err);
	if (r < 0)
		return r;
	*ret = strdup(secret.text);
	return *ret ? 0 : error_oom(err);
}

/* ---- opening ------------------------------------------------------------------ */

/* How to come back after the line was cut, while it can still be read. */
static void greet_remote(struct desk *desk, const char *again, const char *back)
{
	AUTO_BUF words = BUF_INIT, text = BUF_INIT;
	struct page page = { &desk->screen, &text };

	if (back)
		buf_addf(&words,
			 _("You are connected over a network. Should the connection break, the "
			   "session goes on without you up to its next question: log in again and "
			   "type: %s\n"
			   "Should that show nothing any more, type: %s"),
			 back, again);
	else
		buf_addf(&words,
			 _("You are connected over a network. Should the connection break, the "
			   "session "
			   "stops at the next safe point: log in again and type: %s\n"
			   "Within tmux or screen it would go on without you."),
			 again);
	notice_text(&page, buf_text(&words));
	say(&text);
}

int desk_open(struct desk *desk, const struct call *call, const char *state, const char *again,
	      struct error *err)
{
	const char *back = NULL;
	int r;

	*desk = (struct desk){ .screen = cli_screen(&call->options, STDERR_FILENO) };
	r = console_open(&desk->console, &desk->no_console);
	if (r < 0 && r != -ENOTTY) {
		error_copy(err, &desk->no_console);
		return r;
	}
	desk->operator=(struct operator){
		.data = desk,
		.remote = desk->console && console_is_remote(desk->console, &back),
		.tell = tell,
		.ask = ask,
		.ask_secret = ask_secret,
		.progress = progress,
	};
	desk->progress.redraw = terminal_can_redraw(STDERR_FILENO) && !call->options.plain;
	if (asprintf(&desk->stopping,
		     _("\ncoldswap: stopping at the next safe point; all that was done so far is "
		       "in the journal in %s. Ctrl-C once more ends it at once.\n"),
		     state) < 0) {
		desk->stopping = NULL;
		return error_oom(err);
	}
	process_cancel_says(desk->stopping);
	if (desk->operator.remote)
		greet_remote(desk, again, back);
	return 0;
}

void desk_done(struct desk *desk)
{
	AUTO_BUF text = BUF_INIT;

	process_cancel_says(NULL);
	progress_clear(&desk->progress, &text);
	say(&text);
	progress_done(&desk->progress);
	console_free(desk->console);
	error_done(&desk->no_console);
	free(desk->stopping);
	*desk = (struct desk){ 0 };
}

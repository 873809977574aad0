/* SPDX-License-Identifier: MIT */
#include "sys/desk.h"

static int ask_word(struct console *console)
{
	AUTO_FREE char *answer = NULL;

	if (console_ask(console, "Type saved: ", &answer, NULL) < 0)
		return 1;
	return strcmp(answer, " saved ") == 0 ? 0 : 2;
}

Test(console, a_line_is_the_answer)
{
	struct desk desk;

	desk_open(&desk);
	desk_run(&desk, ask_word);
	cr_expect(desk_sees(&desk, "Type saved: "));
	desk_types(&desk, " saved \n");
	cr_expect(desk_sees(&desk, " saved "), "echoed");
	cr_expect_eq(desk_end(&desk), 0);
}

/* "y" typed while something ran must not answer a question that was not there yet. */
static int ask_late(struct console *console)
{
	AUTO_FREE char *answer = NULL;

	console_write(console, "working\n", NULL);
	usleep(300000);
	if (console_ask(console, "Go on? ", &answer, NULL) < 0)
		return 1;
	return strcmp(answer, "no") == 0 ? 0 : 2;
}

Test(console, what_was_typed_before_is_dropped)
{
	struct desk desk;

	desk_open(&desk);
	desk_run(&desk, ask_late);
	cr_expect(desk_sees(&desk, "working"));
	desk_types(&desk, "yes\n");
	cr_expect(desk_sees(&desk, "Go on? "));
	desk_types(&desk, "no\n");
	cr_expect_eq(desk_end(&desk), 0);
}

static int ask_again(struct console *console)
{
	CLEANUP(error_done) struct error err = ERROR_INIT;
	AUTO_FREE char *answer = NULL;

	if (console_ask(console, "First: ", &answer, &err) != -EINVAL || !err.hint)
		return 1;
	return ask_word(console);
}

Test(console, what_is_no_line_of_text_is_refused)
{
	struct desk desk;

	desk_open(&desk);
	desk_run(&desk, ask_again);
	cr_expect(desk_sees(&desk, "First: "));
	usleep(100000);
	cr_assert_eq(write(desk.operator, "a\0b\n", 4), 4);
	cr_expect(desk_sees(&desk, "Type saved: "));
	desk_types(&desk, " saved \n");
	cr_expect_eq(desk_end(&desk), 0);
}

static int write_hostile(struct console *console)
{
	return console_write(console, "disk \x1b]0;x\x07 of\r\nport\t5\xff\n.", NULL) < 0;
}

Test(console, names_from_outside_are_inert)
{
	struct desk desk;

	desk_open(&desk);
	desk_run(&desk, write_hostile);
	cr_expect(desk_sees(&desk, "."));
	cr_expect_null(strchr(desk.seen, 0x1b));
	cr_expect_null(strchr(desk.seen, 0x07));
	cr_expect_not_null(strstr(desk.seen, "disk \\x1b]0;x\\x07 of\\x0d\r\nport\\t5\\xff\r\n."),
			   "%s", desk.seen);
	cr_expect_eq(desk_end(&desk), 0);
}

/* A program before us left the terminal raw: a line is a line all the same, and it is raw again. */
Test(console, a_raw_terminal_is_asked_and_left_raw)
{
	struct termios raw, after;
	struct desk desk;

	desk_open(&desk);
	cr_assert_eq(tcgetattr(desk.tty, &raw), 0);
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
	raw.c_iflag &= ~(tcflag_t)ICRNL;
	cr_assert_eq(tcsetattr(desk.tty, TCSANOW, &raw), 0);
	desk_run(&desk, ask_word);
	cr_expect(desk_sees(&desk, "Type saved: "));
	cr_expect(desk_becomes(&desk, true));
	desk_types(&desk, " sav\x7fved \r");
	cr_expect(desk_becomes(&desk, false));
	cr_assert_eq(tcgetattr(desk.tty, &after), 0);
	cr_expect_eq(after.c_lflag, raw.c_lflag);
	cr_expect_eq(desk_end(&desk), 0);
}

static int hold(struct console *console)
{
	struct sigaction now;

	console_hold(console, true);
	console_hold(console, true);
	raise(SIGTSTP);
	console_write(console, "held\n", NULL);
	console_hold(console, false);
	if (sigaction(SIGTSTP, NULL, &now) < 0 || now.sa_handler != SIG_DFL)
		return 1;
	console_hold(console, true);
	console_free(console);
	return sigaction(SIGTSTP, NULL, &now) < 0 || now.sa_handler != SIG_DFL ? 2 : 0;
}

static int hold_and_leave(struct console *console)
{
	_exit(hold(console));
}

Test(console, what_holds_something_does_not_stop)
{
	struct desk desk;

	desk_open(&desk);
	desk_run(&desk, hold_and_leave);
	cr_expect(desk_sees(&desk, "held"));
	cr_expect_eq(desk_end(&desk), 0);
}

Test(console, what_is_piped_in_answers_nothing)
{
	CLEANUP(error_done) struct error err = ERROR_INIT;
	struct console *console = NULL;
	int ends[2], status;
	pid_t pid;

	cr_assert_eq(pipe(ends), 0);
	cr_assert_eq(write(ends[1], "yes\n", 4), 4);
	pid = fork();
	if (pid == 0) {
		setsid();
		dup2(ends[0], STDIN_FILENO);
		_exit(console_open(&console, &err) == -ENOTTY && err.hint ? 0 : 1);
	}
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_expect_eq(status, 0);
}

/* A container started with a terminal, but without it as the session's own. */
Test(console, input_and_error_at_one_terminal_will_do)
{
	struct console *console = NULL;
	struct desk desk;

	desk_open(&desk);
	desk.pid = fork();
	if (desk.pid == 0) {
		setsid();
		dup2(desk.tty, STDIN_FILENO);
		dup2(desk.tty, STDERR_FILENO);
		if (console_open(&console, NULL) < 0 || fcntl(STDIN_FILENO, F_GETFL) & O_NONBLOCK)
			_exit(1);
		_exit(ask_word(console));
	}
	cr_expect(desk_sees(&desk, "Type saved: "));
	usleep(100000);
	desk_types(&desk, " saved \n");
	cr_expect_eq(desk_end(&desk), 0);
}

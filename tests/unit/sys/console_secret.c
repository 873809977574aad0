/* SPDX-License-Identifier: MIT */
#include "sys/desk.h"

static int ask_share(struct console *console)
{
	AUTO_SECRET share = SECRET_INIT;
	int r = console_ask_secret(console, "Share 1 of 3: ", &share, NULL);

	if (r < 0)
		return r == -EIO ? 3 : r == -ECANCELED ? 4 : 5;
	return share.len == 6 && strcmp(share.text, "s3cret") == 0 ? 0 : 2;
}

Test(console_secret, a_secret_is_not_shown)
{
	struct desk desk;

	desk_open(&desk);
	desk_run(&desk, ask_share);
	cr_expect(desk_sees(&desk, "Share 1 of 3: "));
	cr_expect(desk_becomes(&desk, false));
	desk_types(&desk, "s3cret\n");
	cr_expect(desk_sees(&desk, "\n"));
	cr_expect_null(strstr(desk.seen, "s3cret"));
	cr_expect(desk_becomes(&desk, true));
	cr_expect_eq(desk_end(&desk), 0);
}

Test(console_secret, ctrl_c_restores_the_echo)
{
	struct desk desk;

	desk_open(&desk);
	desk_run(&desk, ask_share);
	cr_expect(desk_sees(&desk, "Share 1 of 3: "));
	cr_expect(desk_becomes(&desk, false));
	desk_types(&desk, "s3c\x03");
	cr_expect_eq(WEXITSTATUS(desk_end(&desk)), 4);
	cr_expect_null(strstr(desk.seen, "s3c\x03"));
}

Test(console_secret, quit_comes_after_the_echo)
{
	struct desk desk;
	int status;

	desk_open(&desk);
	desk_run(&desk, ask_share);
	cr_expect(desk_sees(&desk, "Share 1 of 3: "));
	cr_expect(desk_becomes(&desk, false));
	kill(desk.pid, SIGQUIT);
	usleep(100000);
	cr_expect_not(desk_echoes(&desk), "it still asks");
	desk_types(&desk, "s3cret\n");
	cr_expect(desk_becomes(&desk, true));
	status = desk_end(&desk);
	cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGQUIT);
}

/* As a shell's job, for what leads a session cannot be stopped. */
static int ask_as_job(struct console *console)
{
	struct termios now;
	int status, fd = open("/dev/tty", O_RDWR | O_CLOEXEC);
	pid_t pid = fork();

	if (pid == 0) {
		setpgid(0, 0);
		signal(SIGTTOU, SIG_IGN);
		tcsetpgrp(fd, getpid());
		signal(SIGTTOU, SIG_DFL);
		_exit(ask_share(console));
	}
	usleep(300000);
	kill(pid, SIGTSTP);
	usleep(100000);
	if (waitpid(pid, &status, WUNTRACED | WNOHANG) != 0)
		return 11; /* it must still ask */
	console_write(console, "pending", NULL);
	if (waitpid(pid, &status, WUNTRACED) != pid || !WIFSTOPPED(status))
		return 12;
	if (tcgetattr(fd, &now) < 0 || !(now.c_lflag & ECHO))
		return 13;
	kill(pid, SIGCONT);
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 14;
}

Test(console_secret, stop_comes_after_the_echo)
{
	struct desk desk;

	desk_open(&desk);
	desk_run(&desk, ask_as_job);
	cr_expect(desk_sees(&desk, "pending"));
	desk_types(&desk, "s3cret\n");
	cr_expect_eq(WEXITSTATUS(desk_end(&desk)), 0);
}

Test(console_secret, the_keys_of_quit_and_stop_are_letters)
{
	struct desk desk;

	desk_open(&desk);
	desk_run(&desk, ask_share);
	cr_expect(desk_sees(&desk, "Share 1 of 3: "));
	cr_expect(desk_becomes(&desk, false));
	desk_types(&desk, "\x1c\x1as3cret\n");
	cr_expect_eq(WEXITSTATUS(desk_end(&desk)), 2);
}

Test(console_secret, two_interrupts_leave_the_echo)
{
	struct desk desk;

	desk_open(&desk);
	desk_run(&desk, ask_share);
	cr_expect(desk_sees(&desk, "Share 1 of 3: "));
	cr_expect(desk_becomes(&desk, false));
	kill(desk.pid, SIGTERM);
	kill(desk.pid, SIGTERM);
	kill(desk.pid, SIGINT);
	kill(desk.pid, SIGINT);
	cr_expect(desk_becomes(&desk, true));
	desk_end(&desk);
}

Test(console_secret, a_terminal_that_goes_away_is_told)
{
	struct desk desk;
	int status;

	desk_open(&desk);
	desk_run(&desk, ask_share);
	cr_expect(desk_sees(&desk, "Share 1 of 3: "));
	close(desk.operator);
	desk.operator= - 1;
	status = desk_end(&desk);
	cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 3, "%x", status);
}

Test(console_secret, the_end_of_file_is_no_answer)
{
	struct desk desk;

	desk_open(&desk);
	desk_run(&desk, ask_share);
	cr_expect(desk_sees(&desk, "Share 1 of 3: "));
	cr_expect(desk_becomes(&desk, false));
	desk_types(&desk, "\x04");
	cr_expect_eq(WEXITSTATUS(desk_end(&desk)), 3);
}

/* Ctrl-D after some letters hands them on without a newline: the line goes on. */
Test(console_secret, a_line_in_pieces_is_one)
{
	struct desk desk;

	desk_open(&desk);
	desk_run(&desk, ask_share);
	cr_expect(desk_sees(&desk, "Share 1 of 3: "));
	cr_expect(desk_becomes(&desk, false));
	desk_types(&desk, "s3c\x04");
	usleep(100000);
	desk_types(&desk, "ret\n");
	cr_expect_eq(desk_end(&desk), 0);
}

/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/process.h"

Test(process, the_environment_is_an_allow_list)
{
	clearenv();
	setenv("TERM", "xterm", 1);
	setenv("LC_TIME", "C", 1);
	setenv("LANG", "de_DE.UTF-8", 1);
	setenv("LANGUAGE", "../../tmp/evil", 1);
	setenv("LC_MESSAGES", "/tmp/evil", 1);
	setenv("KUBECONFIG", "/root/k", 1);
	setenv("TZ", "Europe/Berlin", 1);
	setenv("PATH", "/tmp", 1);
	setenv("http_proxy", "x", 1);
	setenv("LIBMOUNT_FSTAB", "/tmp/fstab", 1);
	setenv("BLKID_FILE", "x", 1);
	setenv("DBUS_SYSTEM_BUS_ADDRESS", "x", 1);
	setenv("TERMCAP", "x", 1);
	cr_assert_eq(process_harden(NULL), 0);
	cr_expect_str_eq(getenv("TERM"), "xterm");
	cr_expect_str_eq(getenv("LC_TIME"), "C");
	cr_expect_str_eq(getenv("LANG"), "de_DE.UTF-8");
	cr_expect_str_eq(getenv("KUBECONFIG"), "/root/k");
	cr_expect_str_eq(getenv("TZ"), "Europe/Berlin");
	cr_expect_str_eq(getenv("PATH"), PROCESS_PATH);
	cr_expect_null(getenv("LANGUAGE"));
	cr_expect_null(getenv("LC_MESSAGES"));
	cr_expect_null(getenv("http_proxy"));
	cr_expect_null(getenv("LIBMOUNT_FSTAB"));
	cr_expect_null(getenv("BLKID_FILE"));
	cr_expect_null(getenv("DBUS_SYSTEM_BUS_ADDRESS"));
	cr_expect_null(getenv("TERMCAP"));
}

Test(process, a_time_zone_is_no_path)
{
	setenv("TZ", ":/etc/shadow", 1);
	cr_assert_eq(process_harden(NULL), 0);
	cr_expect_null(getenv("TZ"));
}

/* In a process of its own: the test's own output needs these descriptors. */
Test(process, closed_standard_descriptors_are_filled)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		close(0);
		close(1);
		close(2);
		if (process_harden(NULL) < 0)
			_exit(1);
		if (fcntl(0, F_GETFD) < 0 || fcntl(1, F_GETFD) < 0 || fcntl(2, F_GETFD) < 0)
			_exit(2);
		_exit(open("/dev/null", O_RDONLY) >= 3 ? 0 : 3);
	}
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_expect_eq(status, 0);
}

Test(process, umask_is_closed)
{
	umask(0);
	cr_assert_eq(process_harden(NULL), 0);
	cr_expect_eq(umask(0), 077);
}

Test(process, the_first_signal_asks_and_the_second_ends)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		/* A shell starts what runs in the background with SIGINT ignored. */
		signal(SIGINT, SIG_DFL);
		if (process_harden(NULL) < 0 || *process_cancelled())
			_exit(1);
		raise(SIGINT);
		if (*process_cancelled() != SIGINT)
			_exit(2);
		raise(SIGINT);
		_exit(3);
	}
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
}

Test(process, inherited_dispositions_are_put_right)
{
	struct sigaction action;
	sigset_t set;

	signal(SIGHUP, SIG_IGN);
	signal(SIGCHLD, SIG_IGN);
	sigfillset(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	cr_assert_eq(process_harden(NULL), 0);
	sigaction(SIGHUP, NULL, &action);
	cr_expect_eq(action.sa_handler, SIG_IGN, "nohup is respected");
	sigaction(SIGCHLD, NULL, &action);
	cr_expect_eq(action.sa_handler, SIG_DFL);
	sigaction(SIGPIPE, NULL, &action);
	cr_expect_eq(action.sa_handler, SIG_IGN);
	sigprocmask(SIG_BLOCK, NULL, &set);
	cr_expect_not(sigismember(&set, SIGINT));
}

Test(process, a_hang_up_is_told_apart_and_does_not_end_it)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		signal(SIGHUP, SIG_DFL);
		if (process_harden(NULL) < 0)
			_exit(1);
		raise(SIGHUP);
		if (*process_cancelled() != SIGHUP)
			_exit(2);
		raise(SIGHUP);
		if (process_cancel_reset() != SIGHUP || *process_cancelled())
			_exit(3);
		raise(SIGHUP);
		_exit(*process_cancelled() ? 4 : 0);
	}
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_expect_eq(status, 0);
}

Test(process, what_was_taken_back_counts_as_the_first)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		signal(SIGINT, SIG_DFL);
		signal(SIGTERM, SIG_DFL);
		if (process_harden(NULL) < 0 || process_cancel_reset() != 0)
			_exit(1);
		raise(SIGINT);
		if (process_cancel_reset() != SIGINT)
			_exit(2);
		raise(SIGTERM);
		if (*process_cancelled() != SIGTERM)
			_exit(3);
		raise(SIGINT);
		_exit(4);
	}
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
}

/* What a signal makes the program say, in a process of its own. */
static void expect_said(const char *says, int number, const char *want)
{
	char said[64] = "";
	int ends[2], status;
	pid_t pid;

	cr_assert_eq(pipe(ends), 0);
	pid = fork();
	if (pid == 0) {
		dup2(ends[1], STDERR_FILENO);
		process_harden(NULL);
		process_cancel_says(says);
		raise(number);
		_exit(*process_cancelled() == number ? 0 : 1);
	}
	close(ends[1]);
	cr_expect_geq(read(ends[0], said, sizeof(said) - 1), 0);
	close(ends[0]);
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_expect_eq(status, 0);
	cr_expect_str_eq(said, want);
}

Test(process, a_first_signal_is_answered_at_once)
{
	expect_said("stopping\n", SIGINT, "stopping\n");
	expect_said("stopping\n", SIGTERM, "stopping\n");
	expect_said("stopping\n", SIGHUP, "");
	expect_said(NULL, SIGINT, "");
}

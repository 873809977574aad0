/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "sys/child.h"
#include "sys/clock.h"
#include "tree.h"

#define SECOND 1000000

static int shell(const char *script, uint64_t timeout_us, size_t max, struct buf *ret, int *status)
{
	return child_run((const char *const[]){ "/bin/sh", "-c", script, NULL }, timeout_us, max,
			 ret, status, NULL);
}

static void expect_output(const char *script, const char *expected)
{
	AUTO_BUF out = BUF_INIT;
	int status = -1;

	cr_expect_eq(shell(script, 5 * SECOND, 4096, &out, &status), 0, "%s", script);
	cr_expect_eq(status, 0);
	cr_expect_str_eq(buf_text(&out), expected, "%s gives %s", script, buf_text(&out));
}

Test(child, gets_a_fixed_world)
{
	setenv("COLDSWAP_LEAK", "1", 1);
	expect_output("echo \"$PATH $LANG$COLDSWAP_LEAK\"", "/usr/sbin:/usr/bin:/sbin:/bin C\n");
	expect_output("pwd", "/\n");
	expect_output("cat", "");
	expect_output("echo lost >&2", "");
}

Test(child, signals_act_as_usual_in_it)
{
	AUTO_BUF out = BUF_INIT;
	int status;

	signal(SIGPIPE, SIG_IGN);
	cr_expect_eq(shell("kill -PIPE $$; echo survived", 5 * SECOND, 4096, &out, &status),
		     -EPIPE);
}

Test(child, inherits_no_descriptor)
{
	AUTO_BUF out = BUF_INIT;
	int status, fd = dup(STDIN_FILENO);

	cr_assert_geq(fd, 3);
	cr_assert_eq(child_run((const char *const[]){ "/bin/ls", "/proc/self/fd", NULL },
			       5 * SECOND, 4096, &out, &status, NULL),
		     0);
	/* The last one is ls's own, of the directory that it lists. */
	cr_expect_str_eq(buf_text(&out), "0\n1\n2\n3\n");
	close(fd);
}

Test(child, tells_the_exit_status)
{
	AUTO_BUF out = BUF_INIT;
	int status = -1;

	cr_expect_eq(shell("echo x; exit 68", 5 * SECOND, 4096, &out, &status), 0);
	cr_expect_eq(status, 68);
	cr_expect_str_eq(buf_text(&out), "x\n");
}

Test(child, a_large_output_is_whole)
{
	AUTO_BUF out = BUF_INIT;
	int status = -1;

	cr_assert_eq(
		shell("head -c 5000000 /dev/zero; echo end", 10 * SECOND, 6000000, &out, &status),
		0);
	cr_expect_eq(out.len, 5000004);
	cr_expect_str_eq(out.data + 5000000, "end\n");
}

Test(child, output_over_the_bound_is_an_error)
{
	AUTO_BUF out = BUF_INIT;
	uint64_t start = clock_monotonic_us();
	int status;

	cr_expect_eq(shell("cat /dev/zero", 10 * SECOND, 100000, &out, &status), -EFBIG);
	cr_expect_lt(clock_monotonic_us() - start, 2 * SECOND);
	cr_expect_eq(out.len, 0, "a part is no output");
}

Test(child, output_at_the_bound_is_whole)
{
	AUTO_BUF out = BUF_INIT;
	int status;

	cr_expect_eq(shell("printf 1234", 5 * SECOND, 4, &out, &status), 0);
	cr_expect_str_eq(buf_text(&out), "1234");
}

/* Its own children go with it: the pipe would be held open by them. */
Test(child, is_killed_at_the_deadline)
{
	AUTO_BUF out = BUF_INIT;
	struct error err = ERROR_INIT;
	AUTO_TREE tree;
	char script[256], at[PATH_MAX];
	uint64_t start = clock_monotonic_us();
	int status, r;

	tree_make(&tree);
	snprintf(script, sizeof(script), "echo part; (sleep 1; touch %s/alive) & sleep 60",
		 tree.path);
	r = child_run((const char *const[]){ "/bin/sh", "-c", script, NULL }, 300000, 4096, &out,
		      &status, &err);
	cr_expect_eq(r, -ETIMEDOUT);
	cr_expect_lt(clock_monotonic_us() - start, 900000);
	cr_expect_eq(out.len, 0);
	cr_expect_not_null(strstr(error_text(&err), "/bin/sh"));
	sleep(1);
	usleep(400000);
	cr_expect_neq(access(tree_at(&tree, "/alive", at), F_OK), 0);
	error_done(&err);
}

Test(child, one_that_ignores_signals_is_killed_too)
{
	AUTO_BUF out = BUF_INIT;
	uint64_t start = clock_monotonic_us();
	int status;

	cr_expect_eq(shell("trap '' TERM INT HUP; while :; do sleep 1; done", 300000, 4096, &out,
			   &status),
		     -ETIMEDOUT);
	cr_expect_lt(clock_monotonic_us() - start, 2 * SECOND);
}

Test(child, death_by_a_signal_is_an_error)
{
	AUTO_BUF out = BUF_INIT;
	int status;

	cr_expect_eq(shell("echo x; kill -9 $$", 5 * SECOND, 4096, &out, &status), -EPIPE);
	cr_expect_eq(out.len, 0);
}

Test(child, a_missing_program_is_said)
{
	struct error err = ERROR_INIT;
	AUTO_FREE char *path = NULL;
	AUTO_BUF out = BUF_INIT;
	int status;

	cr_expect_eq(child_find("no-such-program", &path, &err), -ENOENT);
	cr_expect_null(path);
	cr_expect_eq(child_run((const char *const[]){ "/no/such/program", NULL }, SECOND, 10, &out,
			       &status, &err),
		     -ENOENT);
	cr_expect_not_null(strstr(error_text(&err), "/no/such/program"));
	error_done(&err);
}

Test(child, programs_are_found_without_path)
{
	AUTO_FREE char *path = NULL;

	setenv("PATH", "/tmp", 1);
	cr_assert_eq(child_find("sh", &path, NULL), 0);
	cr_expect(path[0] == '/' && access(path, X_OK) == 0);
}

/* SPDX-License-Identifier: MIT */
/* A capture cannot lead out of itself, and cannot make a read wait. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

#include "base/strv.h"
#include "host.h"
#include "sys/clock.h"
#include "sys/host_root.h"
#include "tree.h"

#define BOUND 4096
#define PROMPT_US 200000

static struct host *open_tree(const struct tree *tree)
{
	struct error err = ERROR_INIT;
	struct host *host = NULL;

	cr_assert_eq(host_open(tree->path, &host, &err), 0, "%s", error_text(&err));
	return host;
}

static void expect_read(struct host *host, const char *path, int code, const char *text)
{
	AUTO_BUF content = BUF_INIT;
	struct error err = ERROR_INIT;
	uint64_t start = clock_monotonic_us();
	int r = host_read(host, path, BOUND, &content, &err);

	cr_expect_eq(r, code, "%s: %d %s", path, r, error_text(&err));
	cr_expect_lt(clock_monotonic_us() - start, PROMPT_US, "%s takes time", path);
	cr_expect_str_eq(buf_text(&content), text, "%s", path);
	if (r < 0) {
		cr_expect_eq(err.code, code);
		cr_expect_not_null(strstr(error_text(&err), path), "%s", error_text(&err));
	}
	error_done(&err);
}

Test(host, root_must_be_a_directory)
{
	AUTO_TREE tree;
	char at[PATH_MAX];
	struct error err = ERROR_INIT;
	struct host *host = NULL;

	tree_make(&tree);
	tree_file(&tree, "/file", "");
	cr_expect_eq(host_open(tree_at(&tree, "/none", at), &host, &err), -ENOENT);
	cr_expect_not_null(err.hint);
	cr_expect_eq(host_open(tree_at(&tree, "/file", at), &host, &err), -ENOTDIR);
	cr_expect_null(host);
	error_done(&err);
	host_free(NULL);
}

Test(host, the_running_system_is_live_by_any_name)
{
	CLEANUP(cleanup_host) struct host *a = NULL, *b = NULL, *c = NULL;
	AUTO_TREE tree;

	tree_make(&tree);
	cr_assert_eq(host_open(NULL, &a, NULL), 0);
	cr_assert_eq(host_open("/..", &b, NULL), 0);
	cr_assert_eq(host_open(tree.path, &c, NULL), 0);
	cr_expect(host_is_live(a));
	cr_expect(host_is_live(b));
	cr_expect_str_eq(host_root(b), "/");
	cr_expect_not(host_is_live(c));
	cr_expect_str_eq(host_root(c), tree.path);
}

Test(host, links_stay_inside)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	AUTO_TREE tree;

	tree_make(&tree);
	tree_file(&tree, "/etc/shadow", "the capture's own");
	tree_link(&tree, "/etc/absolute", "/etc/shadow");
	tree_link(&tree, "/etc/climbing", "../../../../../../../../etc/shadow");
	tree_link(&tree, "/outside", "/etc/passwd");
	tree_link(&tree, "/upwards", "../../../../../../../../etc/passwd");
	tree_link(&tree, "/proc/self", "../../../../../proc/self");
	host = open_tree(&tree);
	expect_read(host, "/etc/absolute", 0, "the capture's own");
	expect_read(host, "/etc/climbing", 0, "the capture's own");
	expect_read(host, "/../../etc/shadow", 0, "the capture's own");
	expect_read(host, "/outside", -ENOENT, "");
	expect_read(host, "/upwards", -ENOENT, "");
	expect_read(host, "/proc/self/environ", -ELOOP, "");
	expect_read(host, "etc/shadow", -EINVAL, "");
}

Test(host, loops_end)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	AUTO_FREE char *text = NULL;
	AUTO_TREE tree;

	tree_make(&tree);
	tree_link(&tree, "/a", "b");
	tree_link(&tree, "/b", "a");
	host = open_tree(&tree);
	expect_read(host, "/a", -ELOOP, "");
	cr_expect_eq(host_realpath(host, "/a", &text, NULL), -ELOOP);
	cr_expect_eq(host_exists(host, "/a", NULL), -ELOOP);
	cr_assert_eq(host_readlink(host, "/a", &text, NULL), 0);
	cr_expect_str_eq(text, "b");
}

Test(host, only_regular_files_are_read)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	AUTO_TREE tree;
	char at[PATH_MAX];
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	tree_make(&tree);
	cr_assert_eq(mkfifo(tree_at(&tree, "/etc/fifo", at), 0644), 0);
	tree_dir(&tree, "/etc/fstab");
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/socket", tree.path);
	cr_assert_eq(bind(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
	tree_link(&tree, "/etc/link", "fifo");
	host = open_tree(&tree);
	expect_read(host, "/etc/fifo", -EINVAL, "");
	expect_read(host, "/etc/link", -EINVAL, "");
	expect_read(host, "/etc/fstab", -EINVAL, "");
	expect_read(host, "/socket", -EINVAL, "");
	expect_read(host, "/etc/fifo/below", -ENOTDIR, "");
	close(fd);
}

/* A driver may act when its device is opened: 1:9 is urandom, which would answer for ever. */
Test(host, a_device_node_is_never_opened)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	AUTO_TREE tree;
	char at[PATH_MAX];

	tree_make(&tree);
	if (mknod(tree_at(&tree, "/dev/sda", at), S_IFCHR | 0644, makedev(1, 9)) < 0)
		cr_skip_test("mknod(2) is for root");
	host = open_tree(&tree);
	expect_read(host, "/dev/sda", -EINVAL, "");
}

Test(host, size_is_bounded_before_and_while_reading)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	AUTO_TREE tree;
	char at[PATH_MAX], exact[BOUND + 1], over[BOUND + 2];
	int fd;

	memset(exact, 'x', BOUND);
	exact[BOUND] = '\0';
	memset(over, 'x', BOUND + 1);
	over[BOUND + 1] = '\0';
	tree_make(&tree);
	tree_file(&tree, "/exact", exact);
	tree_file(&tree, "/over", over);
	fd = open(tree_at(&tree, "/sparse", at), O_CREAT | O_WRONLY, 0644);
	cr_assert_eq(ftruncate(fd, 10LL << 30), 0);
	close(fd);
	host = open_tree(&tree);
	expect_read(host, "/exact", 0, exact);
	expect_read(host, "/over", -EFBIG, "");
	expect_read(host, "/sparse", -EFBIG, "");
}

Test(host, a_failed_read_leaves_the_buffer_as_it_was)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	AUTO_BUF content = BUF_INIT;
	AUTO_TREE tree;

	tree_make(&tree);
	tree_file(&tree, "/five", "12345");
	host = open_tree(&tree);
	buf_adds(&content, "before");
	cr_expect_eq(host_read(host, "/five", 4, &content, NULL), -EFBIG);
	cr_expect_str_eq(buf_text(&content), "before");
	cr_expect_eq(host_read(host, "/five", 5, &content, NULL), 0);
	cr_expect_str_eq(buf_text(&content), "before12345");
}

/* Files of proc have st_size 0, those of sysfs 4096. */
Test(host, files_without_a_size_are_read_whole)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	AUTO_FREE char *release = NULL;
	AUTO_BUF mounts = BUF_INIT;
	struct stat st;

	cr_assert_eq(host_open("/", &host, NULL), 0);
	cr_assert_eq(host_stat(host, "/proc/self/mountinfo", &st, NULL), 0);
	cr_expect_eq(st.st_size, 0);
	cr_assert_eq(host_read(host, "/proc/self/mountinfo", 1 << 20, &mounts, NULL), 0);
	cr_expect_gt(mounts.len, 0);
	cr_assert_eq(host_read_line(host, "/proc/sys/kernel/osrelease", &release, NULL), 0);
	cr_expect_null(strchr(release, '\n'));
}

/* Opened to look at, and no further: /proc/self/exe would be this program. */
Test(host, links_of_proc_that_are_no_paths_are_refused)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	AUTO_FREE char *real = NULL;
	AUTO_BUF content = BUF_INIT;

	cr_assert_eq(host_open("/", &host, NULL), 0);
	cr_expect_eq(host_read(host, "/proc/self/exe", 1 << 20, &content, NULL), -ELOOP);
	cr_expect_eq(host_realpath(host, "/proc/self/exe", &real, NULL), -ELOOP);
}

static void expect_line(const char *text, int code, const char *expected)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	AUTO_FREE char *line = NULL;
	AUTO_TREE tree;

	tree_make(&tree);
	tree_file(&tree, "/line", text);
	host = open_tree(&tree);
	cr_expect_eq(host_read_line(host, "/line", &line, NULL), code);
	if (code == 0)
		cr_expect_str_eq(line, expected);
}

Test(host, a_line_is_trimmed)
{
	expect_line("", 0, "");
	expect_line(" \n", 0, "");
	expect_line("  6.0 Gbps \n", 0, "6.0 Gbps");
}

Test(host, exists_tells_absent_from_not_known)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	AUTO_TREE tree;

	tree_make(&tree);
	tree_file(&tree, "/file", "");
	tree_link(&tree, "/dangling", "nowhere");
	host = open_tree(&tree);
	cr_expect_eq(host_exists(host, "/file", NULL), 1);
	cr_expect_eq(host_exists(host, "/", NULL), 1);
	cr_expect_eq(host_exists(host, "/none", NULL), 0);
	cr_expect_eq(host_exists(host, "/file/below", NULL), 0);
	cr_expect_eq(host_exists(host, "/dangling", NULL), 0);
}

Test(host, time_is_what_is_left_until_the_deadline)
{
	CLEANUP(error_done) struct error err = ERROR_INIT;
	CLEANUP(cleanup_host) struct host *host = NULL;
	uint64_t left;

	cr_assert_eq(host_open(NULL, &host, NULL), 0);
	cr_expect_eq(host_time_left(host, 5000000, &left, NULL), 0);
	cr_expect_eq(left, 5000000, "no deadline");
	host_set_deadline(host, clock_monotonic_us() + 1000000);
	cr_expect_eq(host_time_left(host, 5000000, &left, NULL), 0);
	cr_expect(left > 0 && left <= 1000000, "%lu", left);
	cr_expect_eq(host_time_left(host, 1, &left, NULL), 0);
	cr_expect_eq(left, 1);
	host_set_deadline(host, clock_monotonic_us() - 1);
	cr_expect_eq(host_time_left(host, 5000000, &left, &err), -ETIMEDOUT);
	cr_expect_not_null(err.hint);
}

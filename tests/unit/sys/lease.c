/* SPDX-License-Identifier: MIT */
/* Leases on real files of this machine's temporary directory. */
#include "sys/lease.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../tree.h"

static struct host *host;
static struct leases *leases;
static struct tree tree;
static char path[512];

static void set_up(void)
{
	tree = tree_new();
	tree_file(&tree, "file", "contents");
	tree_path(&tree, "file", path);
	cr_assert(host_open(NULL, &host, NULL) == 0);
	cr_assert(leases_open(host, &leases, NULL) == 0);
}

static void tear_down(void)
{
	leases_free(leases);
	host_free(host);
	tree_done(&tree);
}

TestSuite(lease, .init = set_up, .fini = tear_down);

static struct lease *take(void)
{
	struct lease *lease = NULL;

	cr_assert(lease_take(leases, path, &lease, NULL) == 0);
	/* A temporary directory on overlayfs or the like gives no answer that counts. */
	if (lease->answer == LEASE_UNKNOWN)
		cr_skip("no lease counts here");
	return lease;
}

Test(lease, is_granted_on_a_file_that_nobody_has_open)
{
	struct lease *lease = take();

	cr_assert(lease->answer == LEASE_GRANTED && lease_stands(leases, lease) == 1);
	cr_assert(lease->stat.st_size == 8 && leases_broken(leases) == 0);
}

Test(lease, is_refused_while_somebody_reads)
{
	int fd = open(path, O_RDONLY);
	struct lease *lease = take();

	cr_assert(lease->answer == LEASE_HELD && lease_stands(leases, lease) == 0);
	close(fd);
}

/* The second of two is held by the first, and neither is taken away. */
Test(lease, is_refused_to_a_second_name_of_the_file)
{
	struct lease *lease = take(), *second = NULL;
	char other[512];

	tree_path(&tree, "other", other);
	cr_assert(link(path, other) == 0);
	cr_assert(lease_take(leases, other, &second, NULL) == -EWOULDBLOCK);
	cr_assert(lease->answer == LEASE_GRANTED);
}

static pid_t open_in_a_child(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		int fd = open(path, O_RDONLY);

		_exit(fd < 0);
	}
	return pid;
}

Test(lease, that_is_broken_is_told_and_dropped_at_once, .timeout = 10)
{
	struct lease *lease = take();
	struct pollfd poll_fd = { .fd = leases_poll_fd(leases), .events = POLLIN };
	pid_t pid = open_in_a_child();
	int status;

	cr_assert(poll(&poll_fd, 1, 5000) == 1);
	cr_assert(leases_broken(leases) == 1 && lease->broken);
	cr_assert(lease_stands(leases, lease) == 0 && lease->fd >= 0);
	/* The opener goes on as soon as it is dropped, not after 45 s. */
	cr_assert(waitpid(pid, &status, 0) == pid && status == 0);
	lease_drop(leases, lease);
	cr_assert(leases_broken(leases) == 0);
}

Test(lease, of_one_set_is_not_told_to_another, .timeout = 10)
{
	struct leases *other = NULL;
	struct lease *lease = take();
	pid_t pid;
	int status;

	cr_assert(leases_open(host, &other, NULL) == 0);
	pid = open_in_a_child();
	struct pollfd poll_fd = { .fd = leases_poll_fd(leases), .events = POLLIN };
	cr_assert(poll(&poll_fd, 1, 5000) == 1);
	cr_assert(leases_broken(other) == 0 && leases_broken(leases) == 1 && lease->broken);
	waitpid(pid, &status, 0);
	leases_free(other);
}

Test(lease, refuses_what_is_no_regular_file)
{
	struct lease *lease = NULL;
	char other[512];

	tree_path(&tree, "fifo", other);
	cr_assert(mkfifo(other, 0600) == 0);
	cr_assert(lease_take(leases, other, &lease, NULL) == -EINVAL);
	cr_assert(lease_take(leases, tree.root, &lease, NULL) == -EINVAL);
	cr_assert(lease_take(leases, "/dev/null", &lease, NULL) == -EINVAL);
}

Test(lease, refuses_links_and_what_is_not_there)
{
	struct lease *lease = NULL;
	char other[512];

	tree_path(&tree, "link", other);
	cr_assert(symlink(path, other) == 0);
	cr_assert(lease_take(leases, other, &lease, NULL) == -ELOOP);
	tree_path(&tree, "absent", other);
	cr_assert(lease_take(leases, other, &lease, NULL) == -ENOENT);
	cr_assert(lease_take(leases, "file", &lease, NULL) == -EINVAL);
}

Test(lease, on_what_proves_nothing_is_unknown)
{
	struct lease *lease = NULL;

	cr_assert(lease_take(leases, "/proc/cpuinfo", &lease, NULL) == 0);
	cr_assert(lease->answer == LEASE_UNKNOWN && lease->code < 0);
	cr_assert_str_eq(lease->fstype, "proc");
}

Test(lease, set_knows_its_descriptors)
{
	struct lease *first = take(), *second = NULL;
	char other[512];
	const int *fds;

	tree_file(&tree, "other", "x");
	tree_path(&tree, "other", other);
	cr_assert(lease_take(leases, other, &second, NULL) == 0);
	cr_assert(leases_fds(leases, &fds) == 2 && fds[0] == first->fd && fds[1] == second->fd);
	lease_drop(leases, first);
	cr_assert(leases_fds(leases, &fds) == 1 && fds[0] == second->fd);
}

Test(lease, of_a_capture_is_refused, .init = NULL, .fini = NULL)
{
	AUTO_TREE capture = tree_new();
	struct leases *none = NULL;
	struct host *of = NULL;

	cr_assert(host_open(capture.root, &of, NULL) == 0);
	cr_assert(leases_open(of, &none, NULL) == -EPERM && !none);
	host_free(of);
}

/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>

#include "sys/cgroup.h"
#include "tree.h"

#define V2 "1 0 0:1 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
#define V1 "1 0 0:1 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd\n"
#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void put_process(const struct tree *tree, const char *pid, const char *comm)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%s/comm", pid);
	tree_file(tree, path, comm);
}

static int list(const struct tree *tree, const char *group, struct cgroup_list *ret,
		struct error *err)
{
	CLEANUP(cleanup_host) struct host *host = NULL;

	cr_assert_eq(host_open(tree->path, &host, NULL), 0);
	return cgroup_processes(host, group, ret, err);
}

Test(cgroup, all_below_a_group_count)
{
	AUTO_CGROUP_LIST found = { 0 };
	AUTO_TREE tree;

	tree_make(&tree);
	tree_file(&tree, "/proc/self/mountinfo", V2);
	tree_file(&tree, "/sys/fs/cgroup/cgroup.procs", "1\n");
	tree_file(&tree, "/sys/fs/cgroup/a.slice/cgroup.procs", "");
	tree_file(&tree, "/sys/fs/cgroup/a.slice/x.service/cgroup.procs", "300\n20\n");
	tree_file(&tree, "/sys/fs/cgroup/a.slice/x.service/deep/cgroup.procs", "20\n7\n0\n8\n");
	tree_file(&tree, "/sys/fs/cgroup/a.slice-2/cgroup.procs", "9\n");
	put_process(&tree, "20", "a)\x1b[31m\n");
	put_process(&tree, "300", "x\n");
	put_process(&tree, "7", "y\n");
	cr_assert_eq(list(&tree, "/a.slice", &found, NULL), 0);
	cr_assert_eq(found.n, 4, "8 is gone, 20 counts once");
	cr_expect_eq(found.processes[0].pid, 0);
	cr_expect_null(found.processes[0].comm);
	cr_expect_eq(found.processes[1].pid, 7);
	cr_expect_str_eq(found.processes[1].path, "/a.slice/x.service/deep");
	cr_expect_null(found.processes[1].of);
	cr_expect_str_eq(found.processes[2].comm, "a)\\x1b[31m");
	cr_expect_eq(found.processes[3].pid, 300);
}

Test(cgroup, the_root_is_everything)
{
	AUTO_CGROUP_LIST found = { 0 };
	AUTO_TREE tree;

	tree_make(&tree);
	tree_file(&tree, "/proc/self/mountinfo", V2);
	tree_file(&tree, "/sys/fs/cgroup/cgroup.procs", "1\n");
	tree_file(&tree, "/sys/fs/cgroup/a/cgroup.procs", "2\n");
	put_process(&tree, "1", "init\n");
	put_process(&tree, "2", "x\n");
	cr_assert_eq(list(&tree, "/", &found, NULL), 0);
	cr_assert_eq(found.n, 2);
	cr_expect_str_eq(found.processes[0].path, "/");
	cr_expect_str_eq(found.processes[1].path, "/a");
}

Test(cgroup, both_versions_are_united)
{
	AUTO_CGROUP_LIST found = { 0 };
	AUTO_TREE tree;

	tree_make(&tree);
	tree_file(&tree, "/proc/self/mountinfo",
		  V1 "2 0 0:2 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
		     "3 0 0:3 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n");
	tree_file(&tree, "/sys/fs/cgroup/systemd/cgroup.procs", "");
	tree_file(&tree, "/sys/fs/cgroup/systemd/x/cgroup.procs", "5\n6\n");
	tree_file(&tree, "/sys/fs/cgroup/unified/cgroup.procs", "");
	tree_file(&tree, "/sys/fs/cgroup/unified/x/cgroup.procs", "6\n7\n");
	tree_file(&tree, "/sys/fs/cgroup/pids/x/cgroup.procs", "8\n");
	put_process(&tree, "5", "x\n");
	put_process(&tree, "6", "x\n");
	put_process(&tree, "7", "x\n");
	put_process(&tree, "8", "x\n");
	cr_assert_eq(list(&tree, "/x", &found, NULL), 0);
	cr_expect_eq(found.n, 3);
}

Test(cgroup, a_container_sees_its_own_part)
{
	AUTO_CGROUP_LIST found = { 0 };
	CLEANUP(error_done) struct error err = ERROR_INIT;
	AUTO_TREE tree;

	tree_make(&tree);
	tree_file(&tree, "/proc/self/mountinfo",
		  "1 0 0:1 /box /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
	tree_file(&tree, "/sys/fs/cgroup/cgroup.procs", "");
	tree_file(&tree, "/sys/fs/cgroup/x/cgroup.procs", "5\n");
	put_process(&tree, "5", "x\n");
	cr_assert_eq(list(&tree, "/box/x", &found, NULL), 0);
	cr_expect_eq(found.n, 1);
	cr_expect_str_eq(found.processes[0].path, "/box/x");
	cr_expect_eq(list(&tree, "/boxer", &found, &err), -ENODATA);
}

Test(cgroup, a_group_that_is_gone_is_empty)
{
	AUTO_CGROUP_LIST found = { 0 };
	AUTO_TREE tree;

	tree_make(&tree);
	tree_file(&tree, "/proc/self/mountinfo", V2);
	tree_file(&tree, "/sys/fs/cgroup/cgroup.procs", "1\n");
	cr_assert_eq(list(&tree, "/system.slice/x.service", &found, NULL), 0);
	cr_expect_eq(found.n, 0);
}

/* "There is nothing" is never said of what was not looked at. */
Test(cgroup, what_cannot_be_read_is_not_empty)
{
	CLEANUP(error_done) struct error err = ERROR_INIT;
	AUTO_CGROUP_LIST found = { 0 };
	AUTO_TREE tree;

	tree_make(&tree);
	cr_expect_eq(list(&tree, "/x", &found, &err), -ENOENT, "no table of mounts");
	tree_file(&tree, "/proc/self/mountinfo", "1 0 0:1 / / rw - ext4 /dev/sda1 rw\n");
	cr_expect_eq(list(&tree, "/x", &found, &err), -ENODATA, "no tree");
	cr_expect_not_null(err.hint);
	tree_file(&tree, "/proc/self/mountinfo", V2);
	cr_expect_eq(list(&tree, "/x", &found, &err), -ENOENT, "a tree that does not answer");
	tree_file(&tree, "/proc/self/mountinfo", V2 "2 1 0:2 / /sys/fs/cgroup rw - tmpfs t rw\n");
	cr_expect_eq(list(&tree, "/x", &found, &err), -ENODATA, "a tree that is hidden");
	tree_file(&tree, "/proc/self/mountinfo", V2);
	tree_file(&tree, "/sys/fs/cgroup/cgroup.procs", "");
	tree_file(&tree, "/sys/fs/cgroup/x/cgroup.procs", "12 monkeys\n");
	cr_expect_eq(list(&tree, "/x", &found, &err), -EBADMSG);
	cr_expect_eq(list(&tree, "x", &found, &err), -EINVAL);
	cr_expect_eq(list(&tree, "/x/../y", &found, &err), -EINVAL);
}

Test(cgroup, the_kernels_count_is_believed)
{
	CLEANUP(error_done) struct error err = ERROR_INIT;
	AUTO_CGROUP_LIST found = { 0 };
	AUTO_TREE tree;

	tree_make(&tree);
	tree_file(&tree, "/proc/self/mountinfo", V2);
	tree_file(&tree, "/sys/fs/cgroup/cgroup.procs", "");
	tree_file(&tree, "/sys/fs/cgroup/x/cgroup.procs", "");
	tree_file(&tree, "/sys/fs/cgroup/x/cgroup.events", "populated 1\nfrozen 0\n");
	cr_expect_eq(list(&tree, "/x", &found, &err), -EAGAIN);
	cr_expect_not_null(err.hint);
	tree_file(&tree, "/sys/fs/cgroup/x/cgroup.events", "populated 0\nfrozen 0\n");
	cr_expect_eq(list(&tree, "/x", &found, &err), 0);
}

static void expect_owner(const char *path, const char *expected)
{
	AUTO_FREE char *owner = NULL;

	cr_assert_eq(cgroup_owner(path, &owner), 0);
	if (expected)
		cr_expect(owner && strcmp(owner, expected) == 0, "%s: %s", path, owner);
	else
		cr_expect_null(owner, "%s: %s", path, owner);
}

Test(cgroup, pods_and_containers_are_told)
{
	expect_owner("/system.slice/k3s.service", NULL);
	expect_owner("/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-"
		     "pod3b9f7d1e_0a1b_4c2d_8e3f_001122334455.slice/cri-containerd-" ID ".scope",
		     "pod 3b9f7d1e-0a1b-4c2d-8e3f-001122334455, container 0123456789ab");
	expect_owner("/kubepods/besteffort/pod3b9f7d1e-0a1b-4c2d-8e3f-001122334455/" ID,
		     "pod 3b9f7d1e-0a1b-4c2d-8e3f-001122334455, container 0123456789ab");
	expect_owner("/kubepods/burstable/pod0123456789abcdef0123456789abcdef",
		     "pod 0123456789abcdef0123456789abcdef");
	expect_owner("/system.slice/docker-" ID ".scope/init.scope", "container 0123456789ab");
	expect_owner("/user.slice/podman.slice", NULL);
	expect_owner("/machine.slice/libpod-" ID ".scope/container", "container 0123456789ab");
}

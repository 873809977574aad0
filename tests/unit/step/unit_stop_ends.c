/* SPDX-License-Identifier: MIT */
/* Which processes does the stop of a unit end?  As its KillMode says. */
#include <criterion/criterion.h>
#include <errno.h>

#include "step/kinds.h"
#include "tree.h"

struct unit_stop_params {
	char *unit;
};

#define GROUP "/system.slice/x.service"
#define POD "/kubepods.slice/kubepods-pod1.slice/cri-containerd-2.scope"

static int ends(const char *unit_json, pid_t pid, const char *cgroup)
{
	static char name[] = "x";
	static const struct unit_stop_params params = { name };
	AUTO_TREE tree = tree_new();
	CLEANUP(cleanup_host) struct host *host = NULL;
	const struct stoppable who = { .pid = pid, .cgroup = cgroup };
	struct step step = { 0 };

	if (unit_json)
		tree_file(&tree, "coldswap/systemd/x.service.json", unit_json);
	cr_assert_eq(host_open(tree.root, &host, NULL), 0);
	step.host = host;
	return kind_unit_stop.ends(&step, &params, &who, NULL);
}

#define UNIT(mode)                                                                                 \
	"{\"LoadState\":\"loaded\",\"ActiveState\":\"active\",\"KillMode\":\"" mode                \
	"\",\"MainPID\":12,\"ControlGroup\":\"" GROUP "\"}"

Test(unit_stop_ends, the_whole_control_group)
{
	cr_expect_eq(ends(UNIT("control-group"), 12, GROUP), 1);
	cr_expect_eq(ends(UNIT("control-group"), 13, GROUP), 1);
	cr_expect_eq(ends(UNIT("mixed"), 13, GROUP "/payload"), 1);
}

Test(unit_stop_ends, and_no_other)
{
	cr_expect_eq(ends(UNIT("control-group"), 13, GROUP "x"), 0,
		     "another unit of a longer name");
	cr_expect_eq(ends(UNIT("control-group"), 13, "/system.slice"), 0);
	cr_expect_eq(ends(UNIT("control-group"), 13, POD), 0, "a pod has a group of its own");
	cr_expect_eq(ends(UNIT("control-group"), 13, NULL), 0, "its group is not told");
}

Test(unit_stop_ends, the_main_process_alone)
{
	cr_expect_eq(ends(UNIT("process"), 12, GROUP), 1);
	cr_expect_eq(ends(UNIT("process"), 13, GROUP), 0);
	cr_expect_eq(ends(UNIT("none"), 12, NULL), 1);
	cr_expect_eq(ends(UNIT("none"), 13, GROUP), 0);
}

Test(unit_stop_ends, a_unit_that_is_not_there_ends_nothing)
{
	cr_expect_eq(ends(NULL, 12, GROUP), 0);
	cr_expect_eq(ends("{\"LoadState\":\"not-found\"}", 12, GROUP), 0);
}

/* systemd's ControlGroup of a unit that was never started is empty, that of -.slice is "/". */
Test(unit_stop_ends, an_empty_group_is_not_everybody)
{
	cr_expect_eq(ends("{\"KillMode\":\"control-group\",\"ControlGroup\":\"\"}", 13, GROUP), 0);
	cr_expect_eq(ends("{\"KillMode\":\"control-group\",\"ControlGroup\":\"/\"}", 13, GROUP), 0);
}

Test(unit_stop_ends, a_unit_that_cannot_be_read_is_not_known)
{
	cr_expect_lt(ends("[1]", 12, GROUP), 0);
}

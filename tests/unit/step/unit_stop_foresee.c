/* SPDX-License-Identifier: MIT */
/* What would stay of a unit that is stopped, over made-up processes. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "probe/facts.h"
#include "probe/killall.h"
#include "step/kinds.h"
#include "tree.h"
#include "work/work.h"

static void add_unit(const struct tree *tree, const char *active, const char *mode)
{
	char text[512];

	snprintf(text, sizeof(text),
		 "{\"Id\":\"k3s.service\",\"LoadState\":\"loaded\",\"ActiveState\":\"%s\","
		 "\"SubState\":\"x\",\"KillMode\":\"%s\",\"MainPID\":100,"
		 "\"ControlGroup\":\"/system.slice/k3s.service\"}",
		 active, mode);
	tree_file(tree, "coldswap/systemd/k3s.service.json", text);
	tree_file(tree, "etc/systemd/system/k3s.service", "[Service]\nKillMode=process\n");
}

static void add_process(const struct tree *tree, unsigned pid, unsigned parent, const char *comm,
			const char *cgroup)
{
	char path[64], text[256];

	snprintf(path, sizeof(path), "proc/%u/comm", pid);
	snprintf(text, sizeof(text), "%s\n", comm);
	tree_file(tree, path, text);
	snprintf(path, sizeof(path), "proc/%u/stat", pid);
	snprintf(text, sizeof(text), "%u (%s) S %u 1 1", pid, comm, parent);
	tree_file(tree, path, text);
	snprintf(path, sizeof(path), "proc/%u/cgroup", pid);
	snprintf(text, sizeof(text), "0::%s\n", cgroup);
	tree_file(tree, path, text);
}

/* The main process, its shim, a container of that, and somebody else. */
static void add_processes(const struct tree *tree)
{
	add_process(tree, 100, 1, "k3s-server", "/system.slice/k3s.service");
	add_process(tree, 200, 1, "a) b\nshim", "/system.slice/k3s.service");
	add_process(tree, 300, 200, "postgres", "/kubepods.slice/kubepods-pod11.slice");
	add_process(tree, 400, 1, "dockerd", "/system.slice/docker.service");
	add_process(tree, 500, 400, "k3s-like", "/system.slice/k3s.service.other");
}

static int ends_pods(void *data, const struct stoppable *who, const char **ret_id,
		     struct error *err)
{
	(void)data;
	(void)err;
	*ret_id = "scale";
	return who->pid == 300;
}

static void foresee(const struct tree *tree, const struct step_ahead *ahead, struct result *ret)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	CLEANUP(cleanup_facts) struct facts *facts = NULL;
	char name[] = "k3s";
	const struct {
		char *unit;
	} params = { name };
	struct step step = { .id = "stop", .ahead = ahead };

	cr_assert_eq(host_open(tree->root, &host, NULL), 0);
	cr_assert_eq(facts_new(host, &facts, NULL), 0);
	step.host = host;
	step.facts = facts;
	result_init(ret, &kind_unit_stop);
	cr_assert_eq(kind_unit_stop.foresee(&step, &params, ret, NULL), 0);
	cr_assert_eq(ret->failed, 0);
}

static const struct finding *find(const struct result *ret, const char *id)
{
	for (size_t i = 0; i < ret->n_findings; i++)
		if (strcmp(strchr(ret->findings[i].id, '/') + 1, id) == 0)
			return &ret->findings[i];
	return NULL;
}

static const struct {
	const char *active, *mode, *id;
	enum verdict verdict;
	size_t n; /* processes that stay */
} rows[] = {
	{ "active", "process", "would-stay", VERDICT_WARN, 2 },
	{ "active", "control-group", "would-stay", VERDICT_WARN, 1 },
	{ "activating", "process", "would-stay", VERDICT_WARN, 2 },
	{ "inactive", "process", "stayed", VERDICT_FAIL, 3 },
	{ "failed", "control-group", "stayed", VERDICT_FAIL, 3 },
};

Test(unit_stop_foresee, what_stays_is_told_and_fails_once_the_unit_is_down)
{
	for (size_t i = 0; i < ELEMENTS(rows); i++) {
		AUTO_TREE tree = tree_new();
		CLEANUP(result_done) struct result ret;
		const struct finding *finding;

		add_unit(&tree, rows[i].active, rows[i].mode);
		add_processes(&tree);
		foresee(&tree, NULL, &ret);
		finding = find(&ret, rows[i].id);
		cr_assert(finding, "%zu", i);
		cr_expect_eq(finding->verdict, rows[i].verdict, "%zu", i);
		cr_expect_eq(finding->n_evidence, rows[i].n, "%zu: %zu", i, finding->n_evidence);
		cr_expect_not_null(finding->remedy);
		cr_expect_eq(!!find(&ret, "kill-mode"), !strcmp(rows[i].mode, "process"));
	}
}

Test(unit_stop_foresee, what_a_step_before_ends_does_not_stay)
{
	AUTO_TREE tree = tree_new();
	CLEANUP(result_done) struct result ret;
	const struct step_ahead ahead = { NULL, ends_pods };
	const struct finding *mode;

	add_unit(&tree, "active", "control-group");
	add_processes(&tree);
	foresee(&tree, &ahead, &ret);
	cr_expect_eq(ret.n_findings, 0);
	result_done(&ret);
	add_unit(&tree, "active", "process");
	foresee(&tree, &ahead, &ret);
	cr_expect_eq(find(&ret, "would-stay")->n_evidence, 1);
	mode = find(&ret, "kill-mode");
	cr_expect_str_eq(mode->evidence[0].source, "/etc/systemd/system/k3s.service:2");
}

Test(unit_stop_foresee, a_capture_without_processes_tells_of_none)
{
	AUTO_TREE tree = tree_new();
	CLEANUP(result_done) struct result ret;

	add_unit(&tree, "active", "control-group");
	foresee(&tree, NULL, &ret);
	cr_expect_eq(ret.verdict, VERDICT_SKIP);
	cr_expect_eq(ret.n_findings, 0);
}

/* As the script of k3s stands since 2024: it knows the plugins, and spares server and agent. */
static const char script[] = "#!/bin/sh\n"
			     "# umount and rm -rf\n"
			     "do_unmount_and_remove() {\n"
			     "\txargs -r -t -n 1 sh -c 'umount -f \"$0\" && rm -rf \"$0\"'\n"
			     "}\n"
			     "do_unmount_and_remove '/run/k3s'\n"
			     "do_unmount_and_remove '/var/lib/kubelet/pods'\n"
			     "do_unmount_and_remove \"/var/lib/kubelet/plugins\"\n";

Test(unit_stop_foresee, the_script_is_read_as_it_is_installed)
{
	AUTO_KILLALL killall = { 0 };

	cr_assert_eq(killall_parse_script(script, &killall), 0);
	cr_expect_eq(killall.removes, 4);
	cr_expect_str_eq(killall.prefixes[0], "/run/k3s");
	cr_expect_str_eq(killall.prefixes[2], "/var/lib/kubelet/plugins");
	cr_expect_null(killall.prefixes[3]);
	cr_assert_eq(
		killall_parse_mounts("a /run/k3s/x ext4 rw 0 0\nb\n\nc /run/k3s/x xfs\n", &killall),
		0);
	cr_expect_eq(killall.n_mounts, 4);
	cr_expect(killall.mounts[0].stacked && killall.mounts[3].stacked);
	cr_expect(killall.mounts[0].handled && !killall.mounts[1].stacked);
	cr_expect_eq(killall.mounts[3].line, 4);
}

/* A host with nothing but pods' mounts has no reason to hear of it. */
Test(unit_stop_foresee, an_installed_script_alone_is_no_finding)
{
	AUTO_TREE tree = tree_new();
	CLEANUP(result_done) struct result ret;

	tree_file(&tree, "usr/local/bin/k3s-killall.sh", script);
	tree_file(&tree, "proc/self/mounts",
		  "/dev/sda1 / ext4 rw 0 0\n"
		  "tmpfs /var/lib/kubelet/pods/1/volumes/token tmpfs rw 0 0\n"
		  "/dev/sdb1 /var/lib/kubelet/pods/1/volumes/pg ext4 rw 0 0\n");
	foresee(&tree, NULL, &ret);
	cr_expect_eq(ret.n_findings, 0);
}

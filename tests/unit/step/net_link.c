/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "step/kinds.h"
#include "tree.h"

struct net_link_params {
	char **interfaces;
	int64_t at_least;
};

static void add_nic(const struct tree *tree, const char *name, const char *carrier,
		    const char *speed, const char *duplex)
{
	char path[256];

	snprintf(path, sizeof(path), "sys/class/net/%s/device/vendor", name);
	tree_file(tree, path, "0x10ec\n");
	snprintf(path, sizeof(path), "sys/class/net/%s/operstate", name);
	tree_file(tree, path, !strcmp(carrier, "1") ? "up\n" : "down\n");
	snprintf(path, sizeof(path), "sys/class/net/%s/carrier", name);
	tree_file(tree, path, carrier);
	snprintf(path, sizeof(path), "sys/class/net/%s/speed", name);
	tree_file(tree, path, speed);
	snprintf(path, sizeof(path), "sys/class/net/%s/duplex", name);
	tree_file(tree, path, duplex);
}

static void run(const struct tree *tree, const char *name, int64_t at_least, struct result *ret)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	AUTO_FREE char *copy = name ? strdup(name) : NULL;
	char *interfaces[] = { copy, NULL };
	struct net_link_params params = { interfaces, at_least };
	struct step step = { .id = "net" };

	cr_assert_eq(host_open(tree->root, &host, NULL), 0);
	step.host = host;
	result_init(ret, &kind_net_link);
	cr_assert_eq(kind_net_link.run(&step, &params, ret, NULL), 0);
	cr_assert_eq(ret->failed, 0);
}

static const struct finding *find(const struct result *result, const char *id, const char *subject)
{
	for (size_t i = 0; i < result->n_findings; i++)
		if (!strcmp(result->findings[i].id, id) &&
		    !strcmp(result->findings[i].subject, subject))
			return &result->findings[i];
	return NULL;
}

Test(net_link, home_server_passes)
{
	CLEANUP(result_done) struct result result;
	const struct finding *finding;
	AUTO_TREE tree = tree_new();

	add_nic(&tree, "enp3s0", "1\n", "100\n", "full\n");
	tree_file(&tree, "sys/class/net/lo/operstate", "unknown\n");
	run(&tree, NULL, 0, &result);
	cr_assert_eq(result.verdict, VERDICT_PASS);
	cr_assert_eq(result.n_findings, 1, "lo is not physical");
	finding = find(&result, "net.link/link", "enp3s0");
	cr_assert(finding);
	cr_assert_str_eq(finding->evidence[0].source, "/sys/class/net/enp3s0/speed");
	cr_assert_str_eq(finding->evidence[0].observed, "100");
	cr_assert_eq(result.outputs[0].value.integer, 1);
}

Test(net_link, nothing_captured_is_skipped_with_the_reason)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE tree = tree_new();

	run(&tree, NULL, 0, &result);
	cr_assert_eq(result.verdict, VERDICT_SKIP);
	cr_assert(result.summary);
}

Test(net_link, a_named_one_that_was_not_captured_is_unknown)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE tree = tree_new();

	run(&tree, "enp3s0", 0, &result);
	cr_assert_eq(result.verdict, VERDICT_UNKNOWN);
	cr_assert(result.findings[0].remedy);
}

Test(net_link, a_named_one_beside_others_fails)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE tree = tree_new();

	add_nic(&tree, "enp4s0", "1\n", "1000\n", "full\n");
	run(&tree, "enp3s0", 0, &result);
	cr_assert_eq(result.verdict, VERDICT_FAIL);
	cr_assert(find(&result, "net.link/missing", "enp3s0"));
	cr_assert_str_eq(result.findings[0].evidence[0].observed, "enp4s0");
}

Test(net_link, an_empty_socket_beside_a_link_is_no_fault)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE tree = tree_new();

	add_nic(&tree, "enp3s0", "1\n", "1000\n", "full\n");
	add_nic(&tree, "enp4s0", "0\n", "-1\n", "unknown\n");
	run(&tree, NULL, 0, &result);
	cr_assert_eq(result.verdict, VERDICT_PASS);
}

Test(net_link, no_link_at_all_is_a_warning)
{
	CLEANUP(result_done) struct result result;
	const struct finding *finding;
	AUTO_TREE tree = tree_new();

	add_nic(&tree, "enp4s0", "0\n", "-1\n", "unknown\n");
	run(&tree, NULL, 0, &result);
	cr_assert_eq(result.verdict, VERDICT_WARN);
	finding = find(&result, "net.link/no-carrier", "enp4s0");
	cr_assert(finding && finding->remedy);
	cr_assert_str_eq(finding->evidence[0].observed, "0");
}

Test(net_link, a_named_one_without_carrier_fails)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE tree = tree_new();

	add_nic(&tree, "enp3s0", "1\n", "1000\n", "full\n");
	add_nic(&tree, "enp4s0", "0\n", "-1\n", "unknown\n");
	run(&tree, "enp4s0", 0, &result);
	cr_assert_eq(result.verdict, VERDICT_FAIL);
}

Test(net_link, half_duplex_and_slow)
{
	CLEANUP(result_done) struct result result;
	const struct finding *finding;
	AUTO_TREE tree = tree_new();

	add_nic(&tree, "enp3s0", "1\n", "10\n", "half\n");
	run(&tree, NULL, 100, &result);
	cr_assert_eq(result.verdict, VERDICT_FAIL);
	cr_assert(find(&result, "net.link/half-duplex", "enp3s0"));
	finding = find(&result, "net.link/slower", "enp3s0");
	cr_assert(finding);
	cr_assert_str_eq(finding->evidence[0].formula, "10 < 100");
}

Test(net_link, a_speed_that_is_not_told_is_unknown_when_one_is_asked_for)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE tree = tree_new();

	add_nic(&tree, "eth0", "1\n", "-1\n", "unknown\n");
	run(&tree, NULL, 0, &result);
	cr_assert_eq(result.verdict, VERDICT_PASS);
	result_done(&result);
	run(&tree, NULL, 100, &result);
	cr_assert_eq(result.verdict, VERDICT_UNKNOWN);
}

Test(net_link, without_physical_interfaces_it_does_not_apply)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE tree = tree_new();

	tree_file(&tree, "sys/class/net/eth0/operstate", "up\n");
	tree_file(&tree, "sys/class/net/bonding_masters", "\n");
	run(&tree, NULL, 0, &result);
	cr_assert_eq(result.verdict, VERDICT_SKIP);
}

Test(net_link, an_interface_without_any_state_is_unknown)
{
	CLEANUP(result_done) struct result result;
	AUTO_TREE tree = tree_new();

	tree_link(&tree, "sys/class/net/enp3s0/device", "../../../0000:03:00.0");
	run(&tree, NULL, 0, &result);
	cr_assert_eq(result.verdict, VERDICT_UNKNOWN);
}

/* SPDX-License-Identifier: MIT */
#include "probe/listeners.h"

#include <criterion/criterion.h>
#include <errno.h>

#include "attr.h"
#include "tree.h"

#define HEAD "  sl  local_address rem_address   st tx_queue rx_queue\n"

static void expect_listeners(const struct tree *tree, const char *expected)
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	CLEANUP(listeners_done) struct listeners listeners = { 0 };
	char said[512] = "";

	cr_assert_eq(host_open(tree->root, &host, NULL), 0);
	cr_assert_eq(listeners_load(host, &listeners, NULL), 0);
	for (size_t i = 0; i < listeners.n; i++) {
		size_t len = strlen(said);

		snprintf(said + len, sizeof(said) - len, "%s%u/%s %s", len ? ", " : "",
			 listeners.items[i].port, listeners.items[i].protocol,
			 listeners.items[i].name ? listeners.items[i].name : "-");
	}
	cr_expect_str_eq(said, expected);
}

Test(listeners, what_others_can_reach_is_listed_by_port)
{
	AUTO_TREE tree = tree_new();

	tree_file(&tree, "proc/self/net/tcp",
		  HEAD "   0: 00000000:192B 00000000:0000 0A 0:0\n" /* 6443, listens */
		       "   1: 0100007F:0CEA 00000000:0000 0A 0:0\n" /* loopback */
		       "   2: 0A00000A:0016 0B00000A:D431 01 0:0\n" /* a connection */
		       "   3: 00000000:0035 00000000:0000 0A 0:0\n");
	tree_file(&tree, "proc/self/net/tcp6",
		  HEAD "   0: 00000000000000000000000000000000:0035 "
		       "00000000000000000000000000000000:0000 0A 0:0\n"
		       "   1: 00000000000000000000000001000000:0277 "
		       "00000000000000000000000000000000:0000 0A 0:0\n");
	tree_file(&tree, "proc/self/net/udp",
		  HEAD "   0: 00000000:0043 00000000:0000 07 0:0\n"
		       "   1: 00000000:CA6C 00000000:0000 07 0:0\n" /* 51820, WireGuard */
		       "   2: 00000000:9C40 00000000:0000 07 0:0\n" /* 40000, given by the kernel */
		       "   3: 00000000:0035 00000000:0000 07 0:0\n");
	tree_file(&tree, "etc/services",
		  "# names\ndomain\t53/tcp\ndomain\t53/udp\nbootps\t67/udp\t# DHCP\n"
		  "mdns\t5353/udp\n");
	expect_listeners(&tree, "53/tcp domain, 53/udp domain, 67/udp bootps, 6443/tcp kubernetes, "
				"51820/udp wireguard");
}

Test(listeners, a_kernel_without_ipv6_and_a_host_without_names)
{
	AUTO_TREE tree = tree_new();

	tree_file(&tree, "proc/self/net/tcp", HEAD "   0: 00000000:0016 00000000:0000 0A 0:0\n");
	tree_file(&tree, "proc/self/net/udp", HEAD);
	expect_listeners(&tree, "22/tcp -");
}

Test(listeners, lines_that_are_no_sockets_are_passed_over)
{
	AUTO_TREE tree = tree_new();

	tree_file(&tree, "proc/self/net/tcp",
		  HEAD
		  "rubbish\n\n   0: 00000000 0 0A\n   1: 00000000:XYZ 0 0A\n"
		  "   2: 00000000:1FFFF 00000000:0000 0A\n   3: 00000000:0000 00000000:0000 0A");
	expect_listeners(&tree, "");
}

Test(listeners, no_table_at_all_is_an_error)
{
	AUTO_TREE tree = tree_new();
	CLEANUP(cleanup_host) struct host *host = NULL;
	CLEANUP(listeners_done) struct listeners listeners = { 0 };

	cr_assert_eq(host_open(tree.root, &host, NULL), 0);
	cr_expect_eq(listeners_load(host, &listeners, NULL), -ENOENT);
}

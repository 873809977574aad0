/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <string.h>

#include "probe/users_internal.h"
#include "tree.h"

/* Who is told of a mount point, as "NAME SOURCE; ..." */
static const char *unguarded(const struct tree *tree, const char *mount_point, const char *options)
{
	static char text[1024];
	CLEANUP(cleanup_host) struct host *host = NULL;
	CLEANUP(cleanup_users) struct users *users = NULL;
	struct user *list = NULL;
	size_t n = 0;

	cr_assert_eq(host_open(tree->root, &host, NULL), 0);
	cr_assert_eq(users_load(host, &users, NULL), 0);
	cr_assert_eq(users_unguarded(users, mount_point, options, &list, &n, NULL), 0);
	text[0] = '\0';
	for (size_t i = 0; i < n; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s %s", i ? "; " : "",
			 list[i].name, list[i].source);
	user_list_free(list, n);
	return text;
}

static const char *unit_text(const char *text)
{
	AUTO_TREE tree = tree_new();

	tree_file(&tree, "etc/systemd/system/db.service", text);
	return unguarded(&tree, "/srv/db", "nofail");
}

#define USES "[Service]\nExecStart=/usr/bin/db --dir /srv/db/main\n"

Test(users, what_names_a_path_below)
{
	static const char found[] = "db.service /etc/systemd/system/db.service:2";

	cr_assert_str_eq(unit_text(USES), found);
	cr_assert_str_eq(unit_text("[Service]\nExecStart=/usr/bin/db -D/srv/db\n"), found);
	cr_assert_str_eq(unit_text("[Service]\nEnvironment=\"DIR=/srv/db\"\n"), found);
	cr_assert_str_eq(unit_text("[Service]\nReadWritePaths=/run /srv/db\n"), found);
	cr_assert_str_eq(unit_text("[Service]\nExecStart=/usr/bin/db /srv/db2 /x/srv/db\n"), "");
	cr_assert_str_eq(unit_text("[Service]\nExecStart=/srv/db/bin/db\n"), "",
			 "where the program is missing nothing starts");
}

Test(users, what_waits)
{
	cr_assert_str_eq(unit_text("[Unit]\nRequiresMountsFor=/srv/db\n" USES), "");
	cr_assert_str_eq(unit_text("[Unit]\nRequiresMountsFor=/x /srv/db/main\n" USES), "");
	cr_assert_str_eq(unit_text("[Unit]\nBindsTo=srv-db.mount\nAfter=srv-db.mount\n" USES), "");
	cr_assert_str_eq(unit_text("[Unit]\nAssertPathIsMountPoint=/srv/db\n" USES), "");
	cr_assert_str_eq(unit_text("[Unit]\nConditionPathExists=/srv/db/main\n" USES), "");
	cr_assert_str_eq(unit_text(USES "WorkingDirectory=/srv/db/main\n"), "");
}

Test(users, what_only_seems_to_wait)
{
	cr_assert_str_neq(unit_text("[Unit]\nRequiresMountsFor=/srv\n" USES), "");
	cr_assert_str_neq(unit_text("[Unit]\nAfter=srv-db.mount local-fs.target\n" USES), "");
	cr_assert_str_neq(unit_text("[Unit]\nConditionPathExists=/srv/db\n" USES), "");
	cr_assert_str_neq(unit_text("[Unit]\nConditionPathExists=!/srv/db/main\n" USES), "");
	cr_assert_str_neq(unit_text(USES "WorkingDirectory=-/srv/db/main\n"), "");
}

Test(users, the_entry_may_make_a_unit_wait)
{
	AUTO_TREE tree = tree_new();

	tree_file(&tree, "etc/systemd/system/db.service", USES);
	cr_assert_str_eq(unguarded(&tree, "/srv/db", "nofail,x-systemd.required-by=db.service"),
			 "");
	cr_assert_str_neq(unguarded(&tree, "/srv/db", "nofail,x-systemd.before=db.service"), "");
}

Test(users, a_vendor_unit_counts_when_it_is_enabled)
{
	AUTO_TREE tree = tree_new();

	tree_file(&tree, "usr/lib/systemd/system/db.service", USES);
	tree_file(&tree, "usr/lib/systemd/system/t@.service", USES);
	cr_assert_str_eq(unguarded(&tree, "/srv/db", ""), "");
	tree_link(&tree, "etc/systemd/system/multi-user.target.wants/db.service",
		  "/usr/lib/systemd/system/db.service");
	tree_link(&tree, "etc/systemd/system/multi-user.target.wants/t@1.service",
		  "/usr/lib/systemd/system/t@.service");
	cr_assert_str_eq(unguarded(&tree, "/srv/db", ""),
			 "db.service /usr/lib/systemd/system/db.service:2; "
			 "t@1.service /usr/lib/systemd/system/t@.service:2");
}

Test(users, a_unit_that_does_not_start_is_none)
{
	AUTO_TREE tree = tree_new();

	tree_file(&tree, "etc/systemd/system/db.service", USES);
	tree_file(&tree, "coldswap/systemd/db.service.json",
		  "{\"LoadState\": \"loaded\", \"ActiveState\": \"inactive\","
		  " \"UnitFileState\": \"disabled\"}");
	cr_assert_str_eq(unguarded(&tree, "/srv/db", ""), "");
}

Test(users, usual_places_and_links)
{
	AUTO_TREE tree = tree_new();

	tree_file(&tree, "etc/systemd/system/k3s.service",
		  "[Service]\nExecStart=/bin/k3s server\n");
	tree_file(&tree, "srv/db/k3s/x", "");
	tree_link(&tree, "var/lib/rancher/k3s", "/srv/db/k3s");
	cr_assert_str_eq(unguarded(&tree, "/srv/db", ""),
			 "k3s.service /etc/systemd/system/k3s.service");
	cr_assert_str_eq(unguarded(&tree, "/srv/other", ""), "");
}

Test(users, environment_files_are_read_and_not_quoted_whole)
{
	AUTO_TREE tree = tree_new();

	tree_file(&tree, "etc/systemd/system/db.service",
		  "[Service]\nEnvironmentFile=-/etc/default/db\nExecStart=/bin/db $ARGS\n");
	tree_file(&tree, "etc/default/db", "A=1\nARGS=\"--dir=/srv/db\"\n");
	cr_assert_str_eq(unguarded(&tree, "/srv/db", ""), "db.service /etc/default/db:2");
}

#define POD(kind)                                                                                  \
	"apiVersion: v1\nkind: Pod\nmetadata:\n  name: etcd\nspec:\n  volumes:\n  - name: x\n"     \
	"    hostPath:\n      path: /srv/db/etcd\n      type: " kind                               \
	"\n  - hostPath: {path: /etc}\n"

Test(users, static_pods)
{
	AUTO_TREE tree = tree_new();

	tree_file(&tree, "etc/kubernetes/manifests/etcd.yaml", POD("DirectoryOrCreate"));
	tree_file(&tree, "etc/kubernetes/manifests/.hidden.yaml", POD("DirectoryOrCreate"));
	cr_assert_str_eq(unguarded(&tree, "/srv/db", ""),
			 "etcd /etc/kubernetes/manifests/etcd.yaml:10");
	tree_file(&tree, "etc/kubernetes/manifests/etcd.yaml", POD("Directory"));
	cr_assert_str_eq(unguarded(&tree, "/srv/db", ""), "", "what is missing is refused");
	cr_assert_str_neq(unguarded(&tree, "/srv/db/etcd", ""), "", "the mount point is there");
	tree_file(&tree, "etc/kubernetes/manifests/etcd.yaml", POD("DirectoryOrCreate"));
	tree_file(&tree, "etc/systemd/system/kubelet.service.d/mounts.conf",
		  "[Unit]\nRequiresMountsFor=/srv/db\n");
	cr_assert_str_eq(unguarded(&tree, "/srv/db", ""), "", "the kubelet waits");
}

Test(users, hostile_manifests_end)
{
	struct user_list list = { 0 };
	char deep[4096];

	memset(deep, '[', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = '\0';
	cr_assert_eq(manifest_parse(&list, "/m", deep, strlen(deep)), 0);
	cr_assert_eq(manifest_parse(&list, "/m", "a: *b\nhostPath: {? {x: y} : z}\n", 28), 0);
	cr_assert_eq(manifest_parse(&list, "/m", "\xff\xfe\x00", 3), 0);
	cr_assert_eq(list.n, 0);
}

#define PV(body, node)                                                                             \
	"{\"items\": [{\"metadata\": {\"name\": \"pv\"}, \"spec\": {" body                         \
	", \"nodeAffinity\": {\"required\": {\"nodeSelectorTerms\": [{\"matchExpressions\": "      \
	"[{\"key\": \"kubernetes.io/hostname\", \"operator\": \"In\", \"values\": [\"" node        \
	"\"]}]}]}}}}]}"

Test(users, volumes_of_this_node)
{
	static const char file[] = "coldswap/kube/persistentvolumes.json";
	static const char host_path[] = PV("\"hostPath\": {\"path\": \"/srv/db/x\"}", "box");
	AUTO_TREE tree = tree_new();

	tree_file(&tree, "coldswap/host.json", "{\"name\": \"box.example.net\"}");
	tree_file(&tree, file, host_path);
	cr_assert_str_eq(unguarded(&tree, "/srv/db", ""),
			 "pv coldswap/kube/persistentvolumes.json");
	tree_file(&tree, file, PV("\"hostPath\": {\"path\": \"/srv/db/x\"}", "other"));
	cr_assert_str_eq(unguarded(&tree, "/srv/db", ""), "");
	tree_file(&tree, file, PV("\"local\": {\"path\": \"/srv/db/x\"}", "box"));
	cr_assert_str_eq(unguarded(&tree, "/srv/db", ""), "", "a local volume must exist");
	tree_file(&tree, file, PV("\"local\": {\"path\": \"/srv/db\"}", "box"));
	cr_assert_str_neq(unguarded(&tree, "/srv/db", ""), "", "the empty mount point exists");
}

static enum user_wait wait_of(const char *text, const char *options, char ret_at[128])
{
	CLEANUP(cleanup_host) struct host *host = NULL;
	CLEANUP(cleanup_users) struct users *users = NULL;
	AUTO_TREE tree = tree_new();
	struct user *list = NULL;
	enum user_wait wait;
	size_t n = 0;

	tree_file(&tree, "etc/systemd/system/db.service", text);
	cr_assert_eq(host_open(tree.root, &host, NULL), 0);
	cr_assert_eq(users_load(host, &users, NULL), 0);
	cr_assert_eq(users_of(users, "/srv/db", options, &list, &n, NULL), 0);
	cr_assert_eq(n, 1);
	wait = list[0].wait;
	snprintf(ret_at, 128, "%s", list[0].at ? list[0].at : "-");
	user_list_free(list, n);
	return wait;
}

Test(users, how_it_waits_and_by_which_line)
{
	static const char fragment[] = "/etc/systemd/system/db.service";
	static const struct {
		const char *text, *options;
		enum user_wait wait;
		const char *line;
	} rows[] = {
		{ "[Unit]\nRequiresMountsFor=/srv/db\n" USES, "", WAIT_YES, ":2" },
		{ "[Unit]\nAfter=srv-db.mount\nRequires=srv-db.mount\n" USES, "", WAIT_YES, ":3" },
		{ "[Unit]\nAfter=srv-db.mount\nWants=srv-db.mount\n" USES, "", WAIT_ORDER, ":2" },
		{ "[Unit]\nBindsTo=srv-db.mount\n" USES, "", WAIT_PULL, ":2" },
		{ "[Unit]\nRequires=local-fs.target\nAfter=local-fs.target\n" USES, "", WAIT_NOT,
		  ":4" },
		{ USES, "x-systemd.required-by=db.service", WAIT_YES, NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char at[128], wanted[128];

		cr_expect_eq(wait_of(rows[i].text, rows[i].options, at), rows[i].wait, "row %zu",
			     i);
		snprintf(wanted, sizeof(wanted), "%s%s", rows[i].line ? fragment : "-",
			 rows[i].line ? rows[i].line : "");
		cr_expect_str_eq(at, wanted);
	}
}

/* A capture may hold what systemd had loaded, and no file. */
Test(users, a_unit_by_its_properties_alone)
{
	AUTO_TREE tree = tree_new();

	tree_file(&tree, "coldswap/systemd/db.service.json",
		  "{\"LoadState\": \"loaded\", \"ActiveState\": \"active\",\n"
		  "\"RequiresMountsFor\": [],\n"
		  "\"ExecStart\": [{\"path\": \"/usr/bin/db\",\n"
		  "\"argv\": [\"/usr/bin/db\", \"--dir\", \"/srv/db/main\"]}]}\n");
	cr_assert_str_eq(unguarded(&tree, "/srv/db", ""),
			 "db.service coldswap/systemd/db.service.json:3");
	tree_file(&tree, "coldswap/systemd/db.service.json",
		  "{\"LoadState\": \"loaded\", \"ActiveState\": \"active\",\n"
		  "\"RequiresMountsFor\": [\"/srv/db\"],\n"
		  "\"ExecStart\": [{\"argv\": [\"/usr/bin/db\", \"/srv/db/main\"]}]}\n");
	cr_assert_str_eq(unguarded(&tree, "/srv/db", ""), "");
}

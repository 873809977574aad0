/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "base/strv.h"
#include "probe/datadirs.h"
#include "tree.h"

struct view {
	struct host *host;
	struct filetree *files;
};

static void view_done(struct view *view)
{
	filetree_free(view->files);
	host_free(view->host);
}
#define AUTO_VIEW CLEANUP(view_done) struct view

static struct view view_of(const struct tree *tree)
{
	struct view view = { NULL, NULL };

	cr_assert_eq(host_open(tree->root, &view.host, NULL), 0);
	cr_assert_eq(filetree_open(view.host, &view.files, NULL), 0);
	return view;
}

static struct filetree_sum sum(const struct tree *tree, const char *path)
{
	AUTO_VIEW view = view_of(tree);
	struct filetree_sum ret = { 0 };

	cr_assert_eq(filetree_sum(view.files, path, NULL, &ret, NULL), 0);
	return ret;
}

Test(filetree, files_of_the_host_without_following_links)
{
	AUTO_TREE tree = tree_new();
	struct filetree_sum total;

	tree_file(&tree, "srv/a", "12345");
	tree_file(&tree, "srv/deep/er/b", "123");
	tree_file(&tree, "other/big", "0123456789");
	tree_link(&tree, "srv/link", "/other");
	total = sum(&tree, "/srv");
	cr_assert_eq(total.bytes, 8);
	cr_assert_eq(total.files, 3);
	cr_assert_eq(total.directories, 3);
	cr_assert_eq(sum(&tree, "/srv/a").bytes, 5);
}

Test(filetree, what_a_capture_lists_counts_like_files)
{
	AUTO_TREE tree = tree_new();
	struct filetree_sum total;

	tree_file(&tree, "srv/db/small", "1234");
	tree_file(&tree, "srv/db/placeholder", "x");
	tree_file(&tree, "coldswap/files.json",
		  "[{\"path\": \"/srv/db/placeholder\", \"type\": \"file\", \"size\": 1000},"
		  " {\"path\": \"/srv/db\", \"type\": \"dir\", \"size\": 4096},"
		  " {\"path\": \"/srv/db/base/1\", \"type\": \"file\", \"size\": 500},"
		  " {\"path\": \"/srv/db-other/1\", \"type\": \"file\", \"size\": 7},"
		  " {\"path\": \"/srv/db/l\", \"type\": \"link\", \"size\": 9},"
		  " {\"path\": \"/srv/db/bad\", \"type\": \"file\", \"size\": -4},"
		  " {\"path\": 5}, 7, null]");
	total = sum(&tree, "/srv/db");
	cr_assert_eq(total.bytes, 1504);
	cr_assert_eq(total.files, 5);
	cr_assert_eq(total.directories, 2);
}

Test(filetree, absent_damaged_and_cancelled)
{
	volatile sig_atomic_t cancelled = 1;
	struct filetree *files = NULL;
	struct filetree_sum ret;
	AUTO_TREE tree = tree_new();
	AUTO_VIEW view = view_of(&tree);

	cr_assert_eq(filetree_sum(view.files, "/none", NULL, &ret, NULL), -ENOENT);
	tree_file(&tree, "srv/a", "1");
	cr_assert_eq(filetree_sum(view.files, "/srv", &cancelled, &ret, NULL), -ECANCELED);
	tree_file(&tree, "coldswap/files.json", "{}");
	cr_assert_eq(filetree_open(view.host, &files, NULL), -EBADMSG);
	cr_assert_null(files);
}

Test(filetree, resolving_a_path_that_does_not_exist_yet)
{
	AUTO_TREE tree = tree_new();
	AUTO_VIEW view = view_of(&tree);
	AUTO_FREE char *a = NULL, *b = NULL;

	tree_file(&tree, "big/disk/x", "");
	tree_link(&tree, "home", "/big/disk");
	cr_assert_eq(filetree_resolve(view.files, "/home/backup/coldswap", &a, NULL), 0);
	cr_assert_str_eq(a, "/big/disk/backup/coldswap");
	cr_assert_eq(filetree_resolve(view.files, "/new/dir", &b, NULL), 0);
	cr_assert_str_eq(b, "/new/dir");
}

static struct datadirs *find(const struct tree *tree, const char *mountinfo, const char *below)
{
	CLEANUP(cleanup_mounts) struct mounts *mounts = NULL;
	AUTO_STRV char **places = NULL;
	struct datadirs *found = NULL;

	tree_file(tree, "proc/self/mountinfo", mountinfo);
	if (below)
		cr_assert_eq(strv_add(&places, below), 0);
	{
		AUTO_VIEW view = view_of(tree);

		cr_assert_eq(mounts_load(view.host, &mounts, NULL), 0);
		cr_assert_eq(datadirs_find(view.host, view.files, mounts, places, &found, NULL), 0);
	}
	return found;
}

static const char *what_is(const struct datadirs *found, const char *path)
{
	for (size_t i = 0; i < found->n; i++)
		if (strcmp(found->items[i].path, path) == 0)
			return found->items[i].what;
	return "nothing";
}

Test(datadirs, the_usual_places)
{
	CLEANUP(cleanup_datadirs) struct datadirs *found = NULL;
	AUTO_TREE tree = tree_new();

	tree_file(&tree, "var/lib/rancher/k3s/server/db/state.db", "");
	tree_file(&tree, "var/lib/rancher/k3s/agent/x", "");
	tree_file(&tree, "var/lib/postgresql/15/main/PG_VERSION", "15\n");
	tree_file(&tree, "var/lib/postgresql/15/main/global/pg_control", "");
	tree_file(&tree, "var/lib/postgresql/15/main/base/1/PG_VERSION", "15\n");
	tree_file(&tree, "opt/vault/data/vault.db", "");
	tree_file(&tree, "opt/vault/data/raft/raft.db", "");
	tree_file(&tree, "var/lib/etcd/member/snap/db", "");
	tree_file(&tree, "var/lib/vault/vault.db", "");
	found = find(&tree, "29 1 8:1 / / rw - ext4 /dev/sda1 rw\n", NULL);
	cr_assert_eq(found->n, 4, "a vault.db alone is no raft storage");
	cr_assert_str_eq(what_is(found, "/var/lib/rancher/k3s/server"), "k3s");
	cr_assert_str_eq(what_is(found, "/var/lib/postgresql/15/main"), "PostgreSQL");
	cr_assert_str_eq(what_is(found, "/opt/vault/data"), "Vault");
	cr_assert_str_eq(what_is(found, "/var/lib/etcd"), "etcd");
	cr_assert_not(found->truncated);
	cr_assert_null(found->denied);
}

Test(datadirs, k3s_told_to_keep_its_data_elsewhere)
{
	CLEANUP(cleanup_datadirs) struct datadirs *found = NULL;
	AUTO_TREE tree = tree_new();

	tree_file(&tree, "data/k3s/server/db/state.db", "");
	tree_file(&tree, "more/server/db/etcd/member/snap/db", "");
	tree_file(&tree, "coldswap/systemd/k3s.service.json",
		  "{\"ExecStart\": [{\"path\": \"/k3s\", \"argv\": [\"/k3s\", \"server\", "
		  "\"--data-dir\", \"/data/k3s/\"]}]}");
	tree_file(&tree, "etc/rancher/k3s/config.yaml", "# x\ndata-dir: \"/more\"\n");
	found = find(&tree, "29 1 8:1 / / rw - ext4 /dev/sda1 rw\n", NULL);
	cr_assert_str_eq(what_is(found, "/data/k3s/server"), "k3s");
	cr_assert_str_eq(what_is(found, "/more/server"), "k3s");
	cr_assert_eq(found->n, 2, "its etcd is not counted twice");
}

Test(datadirs, below_a_mount_point_but_not_across_one)
{
	CLEANUP(cleanup_datadirs) struct datadirs *found = NULL;
	AUTO_TREE tree = tree_new();

	tree_file(&tree, "data/a/b/c/d/e/PG_VERSION", "15\n");
	tree_file(&tree, "data/a/b/c/d/e/global/x", "");
	tree_file(&tree, "data/a/b/c/d/e/f/ibdata1", "");
	tree_file(&tree, "data/q/w/e/r/t/y/ibdata1", "");
	tree_file(&tree, "data/other/ibdata1", "");
	tree_file(&tree, "data/lost+found/ibdata1", "");
	tree_file(&tree, "coldswap/files.json",
		  "[{\"path\": \"/data/listed/vault.db\", \"type\": \"file\"},"
		  " {\"path\": \"/data/listed/raft/raft.db\", \"type\": \"file\"}]");
	found = find(&tree,
		     "29 1 8:1 / / rw - ext4 /dev/sda1 rw\n30 29 8:2 / /data rw - ext4 /dev/sda2 "
		     "rw\n31 30 8:3 / /data/other rw - ext4 /dev/sda3 rw\n",
		     "/data");
	cr_assert_str_eq(what_is(found, "/data/a/b/c/d/e"), "PostgreSQL");
	cr_assert_str_eq(what_is(found, "/data/listed"), "Vault");
	cr_assert_eq(found->n, 2);
}

Test(datadirs, parts_that_links_put_elsewhere)
{
	CLEANUP(cleanup_datadirs) struct datadirs *found = NULL;
	AUTO_TREE tree = tree_new();

	tree_file(&tree, "var/lib/pgsql/data/PG_VERSION", "15\n");
	tree_file(&tree, "var/lib/pgsql/data/global/x", "");
	tree_file(&tree, "fast/wal/0001", "");
	tree_file(&tree, "slow/space/1", "");
	tree_link(&tree, "var/lib/pgsql/data/pg_wal", "/fast/wal");
	tree_link(&tree, "var/lib/pgsql/data/pg_tblspc/16400", "/slow/space");
	found = find(&tree, "29 1 8:1 / / rw - ext4 /dev/sda1 rw\n", NULL);
	cr_assert_eq(found->n, 3);
	cr_assert_str_eq(what_is(found, "/fast/wal"), "linked database files");
	cr_assert_str_eq(what_is(found, "/slow/space"), "linked database files");
}

Test(datadirs, what_may_not_be_looked_into_is_told)
{
	CLEANUP(cleanup_datadirs) struct datadirs *found = NULL;
	AUTO_TREE tree = tree_new();

	tree_file(&tree, "var/lib/postgresql/x", "");
	tree_file(&tree, "coldswap/unreadable.tsv", "/var/lib/postgresql\tEACCES\n");
	found = find(&tree, "29 1 8:1 / / rw - ext4 /dev/sda1 rw\n", NULL);
	cr_assert_eq(found->n, 0);
	cr_assert(strv_has(found->denied, "/var/lib/postgresql"));
}

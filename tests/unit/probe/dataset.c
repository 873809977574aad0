/* SPDX-License-Identifier: MIT */
#include "probe/dataset.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "buf.h"
#include "host.h"
#include "tree.h"

#define SQLITE "SQLite format 3"

/* A set of a tree; of the tree as a capture, as its root says. */
struct view {
	struct host *host;
	struct filetree *files;
	struct dataset *set;
	struct error err;
	int r;
};

static void view_done(struct view *view)
{
	dataset_free(view->set);
	filetree_free(view->files);
	host_free(view->host);
	error_done(&view->err);
}
#define AUTO_VIEW CLEANUP(view_done) struct view

static struct view load(const char *root, const char *text)
{
	struct view view = { 0 };

	cr_assert_eq(host_open(root, &view.host, NULL), 0);
	cr_assert_eq(filetree_open(view.host, &view.files, NULL), 0);
	view.r = dataset_load(view.files, text, NULL, &view.set, &view.err);
	return view;
}

/* The same of files where they are, on the running system. */
static struct view load_live(const struct tree *tree, const char *word, const char *path)
{
	AUTO_BUF text = BUF_INIT;

	buf_addf(&text, "%s%s/%s", word, tree->root, path);
	return load("/", buf_text(&text));
}

/* Bytes with a NUL in them, filled up to `size`. */
static void binary(const struct tree *tree, const char *name, const char *bytes, size_t len,
		   size_t size)
{
	char path[512];
	FILE *file;

	tree_path(tree, name, path);
	file = fopen(path, "w");
	cr_assert(file && fwrite(bytes, 1, len, file) == len);
	cr_assert(fclose(file) == 0 && truncate(path, (off_t)size) == 0);
}

static void sqlite(const struct tree *tree, const char *name)
{
	binary(tree, name, SQLITE, sizeof(SQLITE), 4096);
}

static void bbolt(const struct tree *tree, const char *name)
{
	static const char head[20] = { [8] = 4, [16] = (char)0xed, (char)0xda, 0x0c, (char)0xed };

	binary(tree, name, head, sizeof(head), 8192);
}

/* A path without the tree's own, where it lies in the tree. */
static const char *inside(const struct view *view, const struct tree *tree, const char *path)
{
	size_t skip = strlen(tree->root);

	return host_is_live(view->host) && strncmp(path, tree->root, skip) == 0 ? path + skip
										: path;
}

/* Roots, files, links and mounts, a line each. */
static const char *shown(const struct view *view, const struct tree *tree, struct buf *ret)
{
	static const char roles[] = "pswhjSbCP"; /* as enum datafile_role has them */
	const struct dataset *set = view->set;

	buf_clear(ret);
	if (view->r < 0) {
		buf_addf(ret, "%s", error_text(&view->err));
		return buf_text(ret);
	}
	for (size_t i = 0; i < set->n_roots; i++)
		buf_addf(ret, "root %s%s%s%s\n", inside(view, tree, set->roots[i].path),
			 set->roots[i].directory ? "/" : "", set->roots[i].role ? ": " : "",
			 set->roots[i].role ? set->roots[i].role : "");
	for (size_t i = 0; i < set->n_files; i++)
		buf_addf(ret, "%c %s\n", roles[set->files[i].role],
			 inside(view, tree, set->files[i].path));
	for (size_t i = 0; i < set->n_leaving; i++)
		buf_addf(ret, "%s -> %s%s\n", inside(view, tree, set->leaving[i].path),
			 inside(view, tree, set->leaving[i].target),
			 set->leaving[i].dangling ? " ?" : "");
	return buf_text(ret);
}

static void expect(const struct tree *tree, const struct view *view, const char *lines)
{
	AUTO_BUF text = BUF_INIT;

	cr_expect_str_eq(shown(view, tree, &text), lines);
}

/* ---- SQLite ---------------------------------------------------------------------- */

/* k3s' data directory is a link; what belongs to the database lies beside the real file. */
Test(dataset, sqlite_behind_a_link)
{
	AUTO_TREE tree = tree_new();
	AUTO_BUF target = BUF_INIT;

	buf_addf(&target, "%s/data/k3s", tree.root);
	sqlite(&tree, "data/k3s/server/db/state.db");
	tree_file(&tree, "data/k3s/server/db/state.db-wal", "w");
	tree_file(&tree, "data/k3s/server/db/state.db-shm", "s");
	tree_file(&tree, "data/k3s/server/db/state.db-journal", "");
	tree_file(&tree, "data/k3s/server/db/other", "o");
	tree_link(&tree, "var/k3s", buf_text(&target));
	AUTO_VIEW view = load_live(&tree, "sqlite:", "var/k3s/server/db/state.db");
	expect(&tree, &view,
	       "root /data/k3s/server/db/state.db\n"
	       "root /data/k3s/server/db/state.db-wal: write-ahead log\n"
	       "root /data/k3s/server/db/state.db-shm: shared memory\n"
	       "root /data/k3s/server/db/state.db-journal: rollback journal\n"
	       "s /data/k3s/server/db/state.db\nj /data/k3s/server/db/state.db-journal\n"
	       "h /data/k3s/server/db/state.db-shm\nw /data/k3s/server/db/state.db-wal\n");
	cr_expect_eq(view.set->bytes, 4098);
	/* The file itself is a link, too; and without the word it is the same. */
	buf_addf(&target, "/server/db/state.db");
	tree_link(&tree, "etc/state.db", buf_text(&target));
	AUTO_VIEW bare = load_live(&tree, "", "etc/state.db");
	cr_expect_eq(bare.set->database, DATABASE_SQLITE);
	cr_expect_eq(bare.set->n_roots, 4);
	cr_expect_eq(bare.set->n_files, 4);
}

Test(dataset, sqlite_that_is_none)
{
	AUTO_TREE tree = tree_new();

	tree_file(&tree, "srv/text", "words, and no database of anything");
	tree_file(&tree, "srv/empty", "");
	AUTO_VIEW text = load_live(&tree, "sqlite:", "srv/text");
	AUTO_VIEW directory = load_live(&tree, "sqlite:", "srv");
	AUTO_VIEW absent = load_live(&tree, "sqlite:", "srv/state.db");
	AUTO_VIEW empty = load_live(&tree, "sqlite:", "srv/empty");
	cr_expect_eq(text.r, -EINVAL);
	cr_expect(strstr(error_text(&text.err), "its first bytes are not those of one"));
	cr_expect_eq(directory.r, -EINVAL);
	cr_expect_eq(absent.r, -ENOENT);
	cr_expect(absent.err.hint && strstr(absent.err.hint, "findmnt"));
	expect(&tree, &empty, "root /srv/empty\ns /srv/empty\n");
}

/* ---- directories ------------------------------------------------------------------ */

Test(dataset, postgres_with_its_log_and_a_tablespace_elsewhere)
{
	AUTO_TREE tree = tree_new();

	tree_file(&tree, "pg/PG_VERSION", "15\n");
	tree_file(&tree, "pg/global/pg_control", "c");
	tree_file(&tree, "pg/postmaster.pid", "1\n");
	tree_file(&tree, "pg/base/1/PG_VERSION", "15\n");
	tree_file(&tree, "pg/base/1/16384", "t");
	tree_file(&tree, "wal/000000010000000000000001", "w");
	tree_file(&tree, "space/PG_15_202209061/1/16390", "t");
	tree_link(&tree, "pg/pg_wal", "../wal");
	tree_link(&tree, "pg/pg_tblspc/16389", "../../space");
	tree_link(&tree, "pg/pg_tblspc/16400", "/not/mounted");
	AUTO_VIEW view = load_live(&tree, "postgres:", "pg");
	AUTO_BUF text = BUF_INIT;
	const char *lines = shown(&view, &tree, &text);

	cr_expect_eq(view.set->n_roots, 3);
	cr_expect(strstr(lines, "root /pg/\nroot /wal/: write-ahead log\n"
				"root /space/: tablespace\n"));
	cr_expect(strstr(lines, "C /pg/global/pg_control\n"));
	cr_expect(strstr(lines, "P /pg/postmaster.pid\n"));
	cr_expect(strstr(lines, "p /space/PG_15_202209061/1/16390\n"));
	cr_expect_eq(view.set->n_leaving, 1);
	cr_expect(view.set->leaving[0].dangling);
	cr_expect_str_eq(view.set->leaving[0].target, "/not/mounted");
	/* Without the word the links lead out of the tree. */
	AUTO_VIEW bare = load_live(&tree, "", "pg");
	cr_expect_eq(bare.set->n_roots, 1);
	cr_expect_eq(bare.set->n_leaving, 3);
	AUTO_VIEW none = load_live(&tree, "postgres:", "wal");
	cr_expect_eq(none.r, -EINVAL);
	cr_expect(strstr(error_text(&none.err), "it holds no PG_VERSION"));
}

Test(dataset, etcd_and_raft)
{
	AUTO_TREE tree = tree_new();

	bbolt(&tree, "etcd/member/snap/db");
	tree_file(&tree, "wal/0.wal", "w");
	AUTO_VIEW without = load_live(&tree, "etcd:", "etcd");
	cr_expect_eq(without.r, -EINVAL, "a log that lies elsewhere is not left out in silence");
	cr_expect(strstr(error_text(&without.err), "it holds no member/wal"));
	tree_link(&tree, "etcd/member/wal", "../../wal");
	AUTO_VIEW etcd = load_live(&tree, "etcd:", "etcd");
	expect(&tree, &etcd,
	       "root /etcd/\nroot /wal/: write-ahead log\nb /etcd/member/snap/db\np /wal/0.wal\n");
	AUTO_VIEW no_etcd = load_live(&tree, "etcd:", "wal");
	cr_expect_eq(no_etcd.r, -EINVAL);

	bbolt(&tree, "vault/raft/raft.db");
	tree_file(&tree, "vault/node-id", "n");
	AUTO_VIEW no_vault = load_live(&tree, "raft:", "vault");
	cr_expect_eq(no_vault.r, -EINVAL);
	bbolt(&tree, "elsewhere/vault.db");
	tree_link(&tree, "vault/vault.db", "../elsewhere/vault.db");
	AUTO_VIEW raft = load_live(&tree, "raft:", "vault");
	expect(&tree, &raft,
	       "root /vault/\nroot /elsewhere/vault.db\nb /elsewhere/vault.db\n"
	       "p /vault/node-id\nb /vault/raft/raft.db\n");
	AUTO_VIEW file = load_live(&tree, "raft:", "vault/node-id");
	cr_expect_eq(file.r, -EINVAL);
}

Test(dataset, databases_in_a_plain_tree)
{
	AUTO_TREE tree = tree_new();

	sqlite(&tree, "srv/app.db");
	tree_file(&tree, "srv/app.db-wal", "w");
	sqlite(&tree, "srv/profile/History");
	sqlite(&tree, "srv/odd.name");
	tree_file(&tree, "srv/odd.name-journal", "");
	bbolt(&tree, "srv/meta.db");
	bbolt(&tree, "srv/chunks/000017"); /* by its name one of thousands: not read */
	tree_file(&tree, "srv/thumbs.db", "something else");
	tree_file(&tree, "srv/alone-wal", "not a log of anything");
	tree_file(&tree, "srv/pg/PG_VERSION", "15\n");
	tree_file(&tree, "srv/pg/global/pg_control", "c");
	AUTO_VIEW view = load_live(&tree, "", "srv");
	expect(&tree, &view,
	       "root /srv/\np /srv/alone-wal\ns /srv/app.db\nw /srv/app.db-wal\n"
	       "p /srv/chunks/000017\nb /srv/meta.db\ns /srv/odd.name\nj /srv/odd.name-journal\n"
	       "p /srv/pg/PG_VERSION\nC /srv/pg/global/pg_control\ns /srv/profile/History\n"
	       "p /srv/thumbs.db\n");
}

Test(dataset, links_that_leave_and_links_that_do_not)
{
	AUTO_TREE tree = tree_new();

	tree_file(&tree, "srv/a/file", "12345");
	tree_file(&tree, "srvother/file", "1");
	tree_link(&tree, "srv/inside", "a/file");
	tree_link(&tree, "srv/a/up", "..");
	tree_link(&tree, "srv/null", "/dev/null");
	tree_link(&tree, "srv/nothing", "a/not-there");
	tree_link(&tree, "srv/out", "../srvother");
	tree_link(&tree, "srv/gone", "../gone/away");
	tree_link(&tree, "srv/loop", "loop");
	AUTO_VIEW view = load_live(&tree, "", "srv");
	expect(&tree, &view,
	       "root /srv/\np /srv/a/file\n/srv/gone -> /gone/away ?\n/srv/loop -> /srv/loop ?\n"
	       "/srv/out -> /srvother\n");
}

Test(dataset, what_holds_no_data_is_counted)
{
	AUTO_TREE tree = tree_new();
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char path[512], other[512];
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	tree_file(&tree, "srv/a", "1234");
	tree_path(&tree, "srv/fifo", path);
	cr_assert_eq(mkfifo(path, 0600), 0);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/srv/s", tree.root);
	cr_assert_eq(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	tree_path(&tree, "srv/a", path);
	tree_path(&tree, "srv/b", other);
	cr_assert_eq(link(path, other), 0);
	AUTO_VIEW inside = load_live(&tree, "", "srv");
	cr_expect_eq(inside.set->others, 2);
	cr_expect_eq(inside.set->n_files, 2);
	cr_expect_eq(inside.set->bytes, 4, "a file of two names counts once");
	cr_expect_eq(inside.set->linked_elsewhere, 0);
	tree_path(&tree, "outside", other);
	cr_assert_eq(link(path, other), 0);
	AUTO_VIEW outside = load_live(&tree, "", "srv");
	cr_expect_eq(outside.set->linked_elsewhere, 1);
	cr_expect_eq(outside.set->files[0].nlink, 3);
	AUTO_VIEW fifo = load_live(&tree, "", "srv/fifo");
	cr_expect_eq(fifo.r, -EINVAL);
	close(fd);
}

Test(dataset, what_cannot_be_looked_into_is_an_error)
{
	AUTO_TREE tree = tree_new();
	volatile sig_atomic_t cancelled = 1;

	tree_file(&tree, "srv/db/state.db", "x");
	tree_file(&tree, "coldswap/unreadable.tsv", "/srv/db\tEACCES\n");
	AUTO_VIEW denied = load(tree.root, "/srv");
	cr_expect_eq(denied.r, -EACCES);
	AUTO_VIEW absent = load(tree.root, "/srv/none/at/all");
	cr_expect_eq(absent.r, -ENOENT);
	AUTO_VIEW view = load_live(&tree, "", "srv");
	struct dataset *set = NULL;
	cr_expect_eq(dataset_load(view.files, view.set->given, &cancelled, &set, NULL), -ECANCELED);
}

/* ---- captures ---------------------------------------------------------------------- */

Test(dataset, of_a_capture_that_lists_files_alone)
{
	AUTO_TREE tree = tree_new();

	tree_link(&tree, "var/lib/rancher/k3s", "/data/k3s");
	tree_file(
		&tree, "coldswap/files.json",
		"[{\"path\":\"/data/k3s/server/db/state.db\",\"type\":\"file\",\"size\":100,"
		"\"ino\":17,\"dev\":\"8:33\"},"
		"{\"path\":\"/data/k3s/server/db/state.db-wal\",\"type\":\"file\",\"size\":20},"
		"{\"path\":\"/data/k3s/server/db/link\",\"type\":\"link\",\"target\":\"../../x\"},"
		"{\"path\":\"/data/k3s/server/db/other\",\"type\":\"other\"},"
		"{\"path\":\"/data/vault/vault.db\",\"type\":\"file\",\"size\":5},"
		"{\"path\":\"/data/vault/raft/raft.db\",\"type\":\"file\",\"size\":6},"
		"{\"path\":\"/data/pg/PG_VERSION\",\"type\":\"file\",\"size\":3},"
		"{\"path\":\"/data/pg/global/pg_control\",\"type\":\"file\",\"size\":8192},"
		"{\"path\":\"/data/pg/pg_wal\",\"type\":\"link\",\"target\":\"/data/wal\"},"
		"{\"path\":\"/data/wal/0001\",\"type\":\"file\",\"size\":9}]");
	AUTO_VIEW k3s = load(tree.root, "sqlite:/var/lib/rancher/k3s/server/db/state.db");
	expect(&tree, &k3s,
	       "root /data/k3s/server/db/state.db\n"
	       "root /data/k3s/server/db/state.db-wal: write-ahead log\n"
	       "s /data/k3s/server/db/state.db\nw /data/k3s/server/db/state.db-wal\n");
	cr_expect_eq(k3s.set->files[0].ino, 17);
	cr_expect_eq(k3s.set->files[0].dev, 8 << 8 | 33);
	cr_expect_eq(k3s.set->files[1].ino, 0);
	AUTO_VIEW plain = load(tree.root, "/var/lib/rancher/k3s/server");
	expect(&tree, &plain,
	       "root /data/k3s/server/\ns /data/k3s/server/db/state.db\n"
	       "w /data/k3s/server/db/state.db-wal\n"
	       "/data/k3s/server/db/link -> /data/k3s/x ?\n");
	cr_expect_eq(plain.set->others, 1);
	AUTO_VIEW raft = load(tree.root, "raft:/data/vault");
	expect(&tree, &raft,
	       "root /data/vault/\nb /data/vault/raft/raft.db\nb /data/vault/vault.db\n");
	AUTO_VIEW pg = load(tree.root, "postgres:/data/pg");
	expect(&tree, &pg,
	       "root /data/pg/\nroot /data/wal/: write-ahead log\np /data/pg/PG_VERSION\n"
	       "C /data/pg/global/pg_control\np /data/wal/0001\n");
}

/* SPDX-License-Identifier: MIT */
/* What a database consists of: its own directory or file, and where its links lead. */
#include <errno.h>
#include <string.h>

#include "base/strv.h"
#include "probe/dataset_internal.h"
#include "probe/sqlite_state.h"
#include "sys/bytes_fd.h"
#include "sys/io.h"

#define SQLITE_MAGIC "SQLite format 3" /* with its NUL */

static int not_one(const struct loading *loading, const char *what, const char *remedy,
		   struct error *err)
{
	error_set(err, -EINVAL, "%s is no data of %s: %s", loading->set->path,
		  database_name(loading->set->database), what);
	error_hint(err, "%s", remedy);
	return -EINVAL;
}

/* ---- SQLite ------------------------------------------------------------------ */

/* 1 a database of SQLite (or an empty file), 0 another, -ENODATA a capture that does not tell. */
static int is_sqlite(struct loading *loading, const char *path, struct error *err)
{
	AUTO_FD fd = filetree_open_data(loading->tree, path, err);
	char magic[sizeof(SQLITE_MAGIC)];
	struct bytes_at bytes;
	int r = fd < 0 ? fd : bytes_of_fd(fd, path, &bytes, err);

	if (r < 0 || bytes.size == 0)
		return r < 0 ? r : 1;
	if (bytes.size < sizeof(magic))
		return 0;
	r = bytes_read(&bytes, 0, magic, sizeof(magic), err);
	return r < 0 ? r : memcmp(magic, SQLITE_MAGIC, sizeof(magic)) == 0;
}

static int add_sibling(struct loading *loading, const char *suffix, const char *role,
		       struct error *err)
{
	struct error why = ERROR_INIT;
	AUTO_BUF path = BUF_INIT;
	AUTO_FREE char *target = NULL;
	struct filetree_stat st;
	int r = dataset_join(&path, loading->set->path, suffix, err);

	if (r < 0)
		return r;
	r = filetree_stat(loading->tree, buf_text(&path), &st, &why);
	if (r == -ENOENT) {
		error_done(&why);
		return 0;
	}
	if (r < 0)
		error_copy(err, &why);
	error_done(&why);
	if (r == 0 && st.type == FILETREE_LINK)
		r = filetree_target(loading->tree, buf_text(&path), &target, err);
	return r < 0 ? r
		     : dataset_add_root(loading, target ? target : buf_text(&path), false, role,
					target ? buf_text(&path) : NULL, err);
}

static int sqlite_roots(struct loading *loading, struct error *err)
{
	static const struct {
		const char *suffix, *role;
	} siblings[] = {
		{ "-wal", "write-ahead log" },
		{ "-shm", "shared memory" },
		{ "-journal", "rollback journal" },
	};
	int r = dataset_add_root(loading, loading->set->path, false, NULL, NULL, err);

	for (size_t i = 0; r == 0 && i < ELEMENTS(siblings); i++)
		r = add_sibling(loading, siblings[i].suffix, siblings[i].role, err);
	return r;
}

static int roots_of_sqlite(struct loading *loading, const struct filetree_stat *st,
			   struct error *err)
{
	struct error why = ERROR_INIT;
	int r;

	if (st->type != FILETREE_FILE)
		return not_one(loading, "it is no file",
			       "name the file of the database: sqlite:/…/state.db", err);
	r = is_sqlite(loading, loading->set->path, &why);
	if (r < 0 && r != -ENODATA)
		error_copy(err, &why);
	error_done(&why);
	if (r == 0)
		return not_one(loading, "its first bytes are not those of one",
			       "look at it with file(1), and name it without sqlite: "
			       "if it is another file",
			       err);
	return r < 0 && r != -ENODATA ? r : sqlite_roots(loading, err);
}

/* ---- directories --------------------------------------------------------------- */

/* What the link at DIR/`name` leads to; nothing where it is none, or leads nowhere. */
static int add_linked(struct loading *loading, const char *name, const char *role,
		      struct error *err)
{
	AUTO_FREE char *target = NULL;
	AUTO_BUF path = BUF_INIT, below = BUF_INIT;
	struct error why = ERROR_INIT;
	struct filetree_stat st;
	int r = buf_addf(&below, "/%s", name);

	if (r < 0 || dataset_join(&path, loading->set->path, buf_text(&below), err) < 0)
		return error_oom(err);
	r = filetree_resolve(loading->tree, buf_text(&path), &target, err);
	if (r < 0 || strcmp(target, buf_text(&path)) == 0)
		return r;
	r = filetree_stat(loading->tree, target, &st, &why);
	if (r < 0 && r != -ENOENT)
		error_copy(err, &why);
	error_done(&why);
	if (r < 0)
		return r == -ENOENT ? 0 : r; /* the walk tells of a link that leads nowhere */
	return dataset_add_root(loading, target, st.type == FILETREE_DIRECTORY, role,
				buf_text(&path), err);
}

/* Is DIR/`name` there?  1, 0 or a negative errno. */
static int has(struct loading *loading, const char *name, struct error *err)
{
	AUTO_FREE char *target = NULL;
	AUTO_BUF path = BUF_INIT;
	int r = buf_addf(&path, "%s/%s", loading->set->path, name);

	if (r < 0)
		return error_oom(err);
	r = filetree_resolve(loading->tree, buf_text(&path), &target, err);
	return r < 0 ? r : filetree_exists(loading->tree, target, err);
}

static int add_tablespaces(struct loading *loading, struct error *err)
{
	struct error why = ERROR_INIT;
	AUTO_FREE char *spaces = NULL;
	AUTO_STRV char **names = NULL;
	AUTO_BUF path = BUF_INIT;
	int r = dataset_join(&path, loading->set->path, "/pg_tblspc", err);

	if (r == 0)
		r = filetree_resolve(loading->tree, buf_text(&path), &spaces, err);
	if (r < 0)
		return r;
	r = filetree_list(loading->tree, spaces, &names, &why);
	if (r < 0 && r != -ENOENT)
		error_copy(err, &why);
	error_done(&why);
	if (r < 0)
		return r == -ENOENT ? 0 : r; /* a capture holds no empty directory */
	for (char **name = names; r == 0 && *name; name++) {
		AUTO_BUF link = BUF_INIT;

		r = buf_addf(&link, "pg_tblspc/%s", *name) < 0
			    ? error_oom(err)
			    : add_linked(loading, buf_text(&link), "tablespace", err);
	}
	return r;
}

static int roots_of_postgres(struct loading *loading, struct error *err)
{
	int r = has(loading, "PG_VERSION", err);

	if (r == 0)
		return not_one(loading, "it holds no PG_VERSION",
			       "name the data directory itself: psql -c 'SHOW data_directory'",
			       err);
	if (r > 0)
		r = add_linked(loading, "pg_wal", "write-ahead log", err);
	if (r == 0)
		r = add_linked(loading, "pg_xlog", "write-ahead log", err); /* before 10 */
	return r < 0 ? r : add_tablespaces(loading, err);
}

static int roots_of_etcd(struct loading *loading, struct error *err)
{
	static const char *const parts[] = { "member", "member/snap", "member/wal" };
	int r = has(loading, "member/snap/db", err);

	if (r == 0)
		return not_one(loading, "it holds no member/snap/db",
			       "name the directory that etcd was given as --data-dir", err);
	if (r > 0)
		r = has(loading, "member/wal", err);
	if (r == 0)
		return not_one(loading, "it holds no member/wal",
			       "its log lies elsewhere (--wal-dir): name both directories, "
			       "without etcd:",
			       err);
	for (size_t i = 0; r >= 0 && i < ELEMENTS(parts); i++)
		r = add_linked(loading, parts[i], i == 2 ? "write-ahead log" : NULL, err);
	return r;
}

static int roots_of_raft(struct loading *loading, struct error *err)
{
	int r = has(loading, "vault.db", err);

	if (r == 0)
		return not_one(loading, "it holds no vault.db",
			       "name the path of the server's raft storage, as its configuration "
			       "has it",
			       err);
	if (r > 0)
		r = add_linked(loading, "vault.db", NULL, err);
	if (r == 0)
		r = add_linked(loading, "raft", "raft log", err);
	return r < 0 ? r : add_linked(loading, "raft/raft.db", "raft log", err);
}

/* A path alone that leads to a database of SQLite is one. */
static int roots_of_path(struct loading *loading, const struct filetree_stat *st, struct error *err)
{
	struct error why = ERROR_INIT;
	int r;

	if (st->type == FILETREE_DIRECTORY)
		return dataset_add_root(loading, loading->set->path, true, NULL, NULL, err);
	if (st->type != FILETREE_FILE)
		return not_one(loading, "it is neither a file nor a directory",
			       "name what holds the data", err);
	if (st->size == 0)
		return dataset_add_root(loading, loading->set->path, false, NULL, NULL, err);
	r = is_sqlite(loading, loading->set->path, &why);
	if (r < 0 && r != -ENODATA)
		error_copy(err, &why);
	error_done(&why);
	if (r < 0 && r != -ENODATA)
		return r;
	if (r == 1)
		loading->set->database = DATABASE_SQLITE;
	return r == 1 ? sqlite_roots(loading, err)
		      : dataset_add_root(loading, loading->set->path, false, NULL, NULL, err);
}

int dataset_roots(struct loading *loading, struct error *err)
{
	static int (*const more[])(struct loading *, struct error *) = {
		[DATABASE_POSTGRES] = roots_of_postgres,
		[DATABASE_ETCD] = roots_of_etcd,
		[DATABASE_RAFT] = roots_of_raft,
	};
	struct dataset *set = loading->set;
	struct filetree_stat st;
	int r = filetree_stat(loading->tree, set->path, &st, err);

	if (r < 0)
		return r;
	if (set->database == DATABASE_NONE)
		return roots_of_path(loading, &st, err);
	if (set->database == DATABASE_SQLITE)
		return roots_of_sqlite(loading, &st, err);
	if (st.type != FILETREE_DIRECTORY)
		return not_one(loading, "it is no directory", "name its directory", err);
	r = dataset_add_root(loading, set->path, true, NULL, NULL, err);
	return r < 0 ? r : more[set->database](loading, err);
}

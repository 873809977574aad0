/* SPDX-License-Identifier: MIT */
/*
 * Which file of a dataset is which.
 *
 * Reading the first bytes of every file would cost a seek each, so only those
 * are read whose name, neighbours or size are what a database has.
 */
#include <errno.h>
#include <string.h>

#include "base/bytes.h"
#include "base/strv.h"
#include "probe/dataset_internal.h"
#include "probe/sqlite_state.h"
#include "sys/bytes_fd.h"
#include "sys/io.h"

#define SQLITE_MAGIC "SQLite format 3" /* with its NUL */
#define BBOLT_MAGIC 0xed0cdaedu
#define BBOLT_MAGIC_AT 16
#define HEAD_BYTES 20
#define PAGE_STEP 1024 /* pages of either are no smaller than this in practice */

struct sibling {
	const char *suffix;
	enum datafile_role role;
};
static const struct sibling siblings[] = {
	{ "-wal", DATAFILE_WAL },
	{ "-shm", DATAFILE_SHM },
	{ "-journal", DATAFILE_JOURNAL },
};

static const char *base_of(const char *path)
{
	return strrchr(path, '/') + 1;
}

static bool ends_in(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

static struct datafile *sibling_of(const struct dataset *set, const struct datafile *file,
				   const char *suffix)
{
	AUTO_BUF path = BUF_INIT;

	return dataset_join(&path, file->path, suffix, NULL) < 0
		       ? NULL
		       : dataset_file(set, buf_text(&path));
}

static bool has_siblings(const struct dataset *set, const struct datafile *file)
{
	for (size_t i = 0; i < ELEMENTS(siblings); i++)
		if (sibling_of(set, file, siblings[i].suffix))
			return true;
	return false;
}

/* ---- PostgreSQL ---------------------------------------------------------------- */

static int mark_postgres(struct dataset *set, struct datafile *version, struct error *err)
{
	size_t len = strlen(version->path) - strlen("PG_VERSION");
	AUTO_FREE char *directory = strndup(version->path, len);
	AUTO_BUF path = BUF_INIT;
	struct datafile *control, *pid;

	if (!directory || dataset_join(&path, directory, "global/pg_control", err) < 0)
		return error_oom(err);
	control = dataset_file(set, buf_text(&path));
	if (!control)
		return 0; /* each database below base/ has a PG_VERSION, too */
	control->role = DATAFILE_PG_CONTROL;
	if (dataset_join(&path, directory, "postmaster.pid", err) < 0)
		return error_oom(err);
	pid = dataset_file(set, buf_text(&path));
	if (pid)
		pid->role = DATAFILE_PG_PID;
	return 0;
}

/* ---- SQLite and bbolt ------------------------------------------------------------ */

/* In what a word says is etcd or raft, the names tell it: a capture holds no bytes. */
static bool is_bbolt_by_name(const struct dataset *set, const char *path)
{
	if (set->database == DATABASE_RAFT)
		return strcmp(base_of(path), "vault.db") == 0 ||
		       strcmp(base_of(path), "raft.db") == 0;
	return set->database == DATABASE_ETCD && strcmp(base_of(path), "db") == 0;
}

static bool may_be_database(const struct dataset *set, const struct datafile *file)
{
	static const char *const suffixes[] = { ".db",  ".db3", ".sqlite", ".sqlite3", ".s3db",
						".sl3", ".sdb", ".bolt",   ".boltdb" };
	const char *name = base_of(file->path);

	for (size_t i = 0; i < ELEMENTS(suffixes); i++)
		if (ends_in(name, suffixes[i]))
			return true;
	if (has_siblings(set, file))
		return true;
	/* "History", "db"; not "16384" and "000001", of which there are thousands. */
	return !strchr(name, '.') && strspn(name, "0123456789") == 0 && file->size > 0 &&
	       file->size % PAGE_STEP == 0;
}

static enum datafile_role role_of_head(const uint8_t head[HEAD_BYTES])
{
	uint32_t magic = bytes_host32(head + BBOLT_MAGIC_AT);

	if (memcmp(head, SQLITE_MAGIC, sizeof(SQLITE_MAGIC)) == 0)
		return DATAFILE_SQLITE;
	if (magic == BBOLT_MAGIC || magic == __builtin_bswap32(BBOLT_MAGIC))
		return DATAFILE_BBOLT;
	return DATAFILE_PLAIN;
}

/* Its role by its first bytes; -ENODATA where there are none to be had. */
static int read_role(struct loading *loading, const struct datafile *file, enum datafile_role *ret,
		     struct error *err)
{
	uint8_t head[HEAD_BYTES];
	struct bytes_at bytes;
	AUTO_FD fd = filetree_open_data(loading->tree, file->path, err);
	int r = fd < 0 ? fd : bytes_of_fd(fd, file->path, &bytes, err);

	*ret = DATAFILE_PLAIN;
	if (r < 0)
		return r;
	if (bytes.size < sizeof(head))
		return -ENODATA;
	r = bytes_read(&bytes, 0, head, sizeof(head), err);
	if (r == 0)
		*ret = role_of_head(head);
	return r;
}

static void mark_siblings(struct dataset *set, const struct datafile *file)
{
	for (size_t i = 0; i < ELEMENTS(siblings); i++) {
		struct datafile *sibling = sibling_of(set, file, siblings[i].suffix);

		if (sibling)
			sibling->role = siblings[i].role;
	}
}

static int look_into(struct loading *loading, struct datafile *file, struct error *err)
{
	struct dataset *set = loading->set;
	struct error why = ERROR_INIT;
	enum datafile_role role;
	int r;

	if (set->database == DATABASE_SQLITE && strcmp(file->path, set->path) == 0) {
		role = DATAFILE_SQLITE;
		r = 0;
	} else if (is_bbolt_by_name(set, file->path)) {
		role = DATAFILE_BBOLT;
		r = 0;
	} else if (!may_be_database(set, file)) {
		return 0;
	} else {
		r = read_role(loading, file, &role, &why);
	}
	/* Without bytes the neighbours tell it. */
	if (r == -ENODATA && sibling_of(set, file, "-wal"))
		role = DATAFILE_SQLITE;
	if (r < 0 && r != -ENODATA && r != -ENOENT)
		error_copy(err, &why);
	error_done(&why);
	if (r < 0 && r != -ENODATA && r != -ENOENT)
		return r;
	file->role = role;
	if (role == DATAFILE_SQLITE)
		mark_siblings(set, file);
	return 0;
}

/* ---- super-journals -------------------------------------------------------------- */

static int read_super(struct loading *loading, const char *path, char **ret, struct error *err)
{
	struct sqlite_journal journal = { 0 };
	struct bytes_at bytes;
	AUTO_FD fd = filetree_open_data(loading->tree, path, err);
	int r = fd < 0 ? fd : bytes_of_fd(fd, path, &bytes, err);

	if (r == 0)
		r = sqlite_journal_read(&bytes, &journal, err);
	if (r < 0)
		return r;
	*ret = TAKE(journal.super);
	sqlite_journal_done(&journal);
	return 0;
}

/* The super-journal at `path`, if there is one, becomes a part of the set. */
static int take_super(struct loading *loading, const char *path, const char *journal,
		      struct error *err)
{
	AUTO_FREE char *real = NULL;
	struct error why = ERROR_INIT;
	struct datafile *file;
	struct filetree_stat st;
	int r = filetree_resolve(loading->tree, path, &real, err);

	if (r < 0)
		return r;
	file = dataset_file(loading->set, real);
	if (file) {
		file->role = DATAFILE_SUPER;
		return 0;
	}
	if (dataset_has(loading->set, real))
		return 0; /* it was not there when its directory was read */
	r = filetree_stat(loading->tree, real, &st, &why);
	if (r < 0 && r != -ENOENT && r != -ENOTDIR)
		error_copy(err, &why);
	error_done(&why);
	if (r == -ENOENT || r == -ENOTDIR || (r == 0 && st.type != FILETREE_FILE))
		return 0; /* without it the journal is stale, and SQLite knows */
	if (r == 0)
		r = dataset_add_root(loading, real, false, "super-journal", journal, err);
	if (r == 0)
		r = dataset_add_file(loading, real, &st, DATAFILE_SUPER, err);
	if (r == 0) {
		loading->set->bytes += st.size;
		dataset_sort(loading->set);
	}
	return r;
}

/* The name in a rollback journal; NULL where there is none, or nothing is known of it. */
static int super_of(struct loading *loading, const struct datafile *journal, char **ret,
		    struct error *err)
{
	struct error why = ERROR_INIT;
	int r = journal->size ? read_super(loading, journal->path, ret, &why) : 0;

	if (r == -ENODATA || r == -ENOENT)
		r = 0;
	else if (r < 0)
		error_copy(err, &why);
	error_done(&why);
	return r;
}

static int find_supers(struct loading *loading, struct error *err)
{
	struct dataset *set = loading->set;
	AUTO_STRV char **supers = NULL, **journals = NULL;
	int r = 0;

	for (size_t i = 0; r == 0 && i < set->n_files; i++) {
		AUTO_FREE char *super = NULL;

		if (set->files[i].role == DATAFILE_JOURNAL)
			r = super_of(loading, &set->files[i], &super, err);
		/* SQLite writes the whole path; another one is none that it would find. */
		if (r == 0 && super && *super == '/' &&
		    (strv_add(&supers, super) < 0 || strv_add(&journals, set->files[i].path) < 0))
			r = error_oom(err);
	}
	for (size_t i = 0; r == 0 && supers && supers[i]; i++)
		r = take_super(loading, supers[i], journals[i], err);
	return r;
}

int dataset_roles(struct loading *loading, struct error *err)
{
	struct dataset *set = loading->set;
	int r = 0;

	for (size_t i = 0; r == 0 && i < set->n_files; i++) {
		if (loading->cancelled && *loading->cancelled)
			return error_set(err, -ECANCELED, "cancelled");
		if (strcmp(base_of(set->files[i].path), "PG_VERSION") == 0)
			r = mark_postgres(set, &set->files[i], err);
		else if (set->database != DATABASE_POSTGRES && set->files[i].role == DATAFILE_PLAIN)
			r = look_into(loading, &set->files[i], err);
	}
	return r < 0 ? r : find_supers(loading, err);
}

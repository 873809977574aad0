/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/intl.h"
#include "copy/restore_text.h"

static bool ends_with(const char *text, const char *tail)
{
	size_t len = strlen(text), n = strlen(tail);

	return len >= n && strcmp(text + len - n, tail) == 0;
}

enum database restore_database(const struct copy_source_row *source)
{
	const char *path;

	for (enum database each = DATABASE_SQLITE; source->database && each <= DATABASE_RAFT;
	     each++)
		if (strcmp(source->database, database_name(each)) == 0)
			return each;
	return dataset_word(source->given, &path);
}

/* The database among the files of a SQLite source; the others are named after it. */
static const char *sqlite_file(const struct copy_source_row *source)
{
	for (char *const *root = source->roots; root && *root; root++)
		if (!ends_with(*root, "-wal") && !ends_with(*root, "-shm") &&
		    !ends_with(*root, "-journal") && !strstr(*root, "-mj"))
			return *root;
	return source->roots ? source->roots[0] : NULL;
}

static bool lies_in_k3s(const struct copy_source_row *source)
{
	for (char *const *root = source->roots; root && *root; root++)
		if (strstr(*root, "/k3s/server"))
			return true;
	return false;
}

static void add_notes(const struct copy_source_row *source, struct buf *ret)
{
	static const char *const notes[] = {
		[DATABASE_SQLITE] =
			N_("The `-wal` or `-journal` belongs to the database: without it the "
			   "last transactions are lost, or the database is damaged. Never "
			   "restore the one without the other, and never leave an old `-wal`, "
			   "`-shm` or `-journal` beside a restored database: the block puts "
			   "all of them aside first."),
		[DATABASE_POSTGRES] = N_(
			"The cluster is the data directory with its write-ahead log and all "
			"tablespaces: they come back together, to the same places, or not at all. "
			"Use the same major version of PostgreSQL."),
		[DATABASE_ETCD] =
			N_("Snapshot and log (`member/snap`, `member/wal`) come back together. "
			   "Do not put one member of a cluster back beside others that went on: "
			   "remove it from the cluster and add it anew instead."),
		[DATABASE_RAFT] = N_("`vault.db` and `raft/` come back together. The server comes "
				     "up sealed: have "
				     "enough key shares at hand, those that were valid when this "
				     "copy was made. Do "
				     "not put one node of a cluster back beside others that went "
				     "on: let it join "
				     "anew instead."),
	};
	enum database database = restore_database(source);

	if ((size_t)database < ELEMENTS(notes) && notes[database])
		buf_addf(ret, "%s\n\n", _(notes[database]));
	if (lies_in_k3s(source))
		buf_addf(ret, "%s\n\n",
			 _("k3s opens its datastore with the token in `server/token` alone: "
			   "restore the "
			   "token of the same day with it. After `systemctl stop k3s` its "
			   "containers go "
			   "on running; that is no harm to the datastore, but they keep their own "
			   "files "
			   "open."));
}

static void add_aside(const char *path, const char *suffix, struct buf *ret)
{
	AUTO_BUF whole = BUF_INIT;

	buf_adds(&whole, path);
	buf_adds(&whole, suffix);
	buf_adds(ret, "put_aside ");
	restore_word(buf_text(&whole), ret);
	buf_addc(ret, '\n');
}

/* Of a SQLite database also what does not stand in the copy, and may stand there now. */
static void add_put_aside(const struct copy_source_row *source, struct buf *ret)
{
	static const char *const siblings[] = { "", "-wal", "-shm", "-journal" };
	const char *file = restore_database(source) == DATABASE_SQLITE ? sqlite_file(source) : NULL;
	size_t len = file ? strlen(file) : 0;

	for (size_t i = 0; file && i < ELEMENTS(siblings); i++)
		add_aside(file, siblings[i], ret);
	for (char *const *root = source->roots; root && *root; root++) {
		bool done = false;

		for (size_t i = 0; file && strncmp(*root, file, len) == 0 && i < ELEMENTS(siblings);
		     i++)
			done = done || strcmp(*root + len, siblings[i]) == 0;
		if (!done)
			add_aside(*root, "", ret);
	}
}

static void add_copy(const char *root, struct buf *ret)
{
	const char *slash = strrchr(root, '/');
	AUTO_FREE char *parent =
		slash && slash > root ? strndup(root, (size_t)(slash - root)) : NULL;

	if (parent) {
		buf_adds(ret, "mkdir -p -- ");
		restore_word(parent, ret);
		buf_addc(ret, '\n');
	}
	buf_adds(ret, "cp -a -T -- \"$copy\"/" COPY_DATA);
	restore_word(root, ret);
	buf_addc(ret, ' ');
	restore_word(root, ret);
	buf_addc(ret, '\n');
}

int restore_source(const struct copy_source_row *source, const char *dir, struct buf *ret)
{
	buf_adds(ret, "### ");
	restore_name(source->given, ret);
	buf_adds(ret, "\n\n");
	add_notes(source, ret);
	buf_adds(ret, "```sh\n(\nset -eu\ncopy=");
	restore_word(dir, ret);
	buf_adds(ret, "\nput_aside() {\n"
		      "	if mountpoint -q \"$1\"; then\n"
		      "		mkdir -p \"$1/before-restore\"\n"
		      "		find \"$1\" -mindepth 1 -maxdepth 1 ! -name before-restore"
		      " ! -name lost+found \\\n"
		      "			-exec mv --backup=numbered -t \"$1/before-restore\" -- {} "
		      "+\n"
		      "	elif [ -e \"$1\" ] || [ -L \"$1\" ]; then\n"
		      "		mv --backup=numbered -T -- \"$1\" \"$1.before-restore\"\n"
		      "	fi\n}\n");
	add_put_aside(source, ret);
	for (char *const *root = source->roots; root && *root; root++)
		add_copy(*root, ret);
	buf_adds(ret, "sync\n)\n```\n\n");
	return buf_error(ret);
}

int restore_links(const struct copy_head *head, struct buf *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < head->n_sources; i++) {
		const struct copy_source_row *source = &head->sources[i];

		if (restore_database(source) != DATABASE_POSTGRES || !source->roots ||
		    !source->roots[0])
			continue;
		if (n++ == 0)
			buf_addf(ret, "%s\n\n```sh\n",
				 _("The links of PostgreSQL to its tablespaces and its log. A line "
				   "of "
				   "output is a link that leads nowhere: make what it names, or "
				   "set the "
				   "link to where you restored it."));
		buf_adds(ret, "find ");
		restore_word(source->roots[0], ret);
		buf_adds(ret, " -maxdepth 2 -xtype l\n");
	}
	if (n > 0)
		buf_adds(ret, "```\n\n");
	return buf_error(ret);
}

int restore_after(const struct copy_head *head, struct buf *ret)
{
	static const char *const looks[] = {
		[DATABASE_NONE] = NULL,
		[DATABASE_SQLITE] = N_("SQLite: start the program that owns the database, then ask "
				       "it for what was "
				       "written last. The first open applies the `-wal`."),
		[DATABASE_POSTGRES] =
			N_("PostgreSQL: if the copy holds a `postmaster.pid`, remove it from the "
			   "restored "
			   "directory while no server runs. Start, wait for `ready to accept "
			   "connections` in its log, and ask for the last row that you know."),
		[DATABASE_ETCD] = N_("etcd: start it and ask `etcdctl endpoint health` and "
				     "`etcdctl endpoint status`."),
		[DATABASE_RAFT] =
			N_("Vault or OpenBao: start it, unseal it share by share, then look at "
			   "`vault status` (or `bao status`) and at a secret that you know."),
	};
	bool said[ELEMENTS(looks)] = { false }, k3s = false;

	for (size_t i = 0; i < head->n_sources; i++) {
		enum database database = restore_database(&head->sources[i]);

		k3s = k3s || lies_in_k3s(&head->sources[i]);
		if ((size_t)database >= ELEMENTS(looks) || !looks[database] || said[database])
			continue;
		said[database] = true;
		buf_addf(ret, "- %s\n", _(looks[database]));
	}
	if (k3s)
		buf_addf(ret, "- %s\n",
			 _("k3s: `systemctl start k3s`, then `kubectl get nodes` and `kubectl get "
			   "pods -A`. "
			   "For a minute after the start it shows what stood in the restored "
			   "datastore, "
			   "not what runs."));
	buf_addf(
		ret, "- %s\n\n",
		_("Start one service after the other, databases first, and read its log before the "
		  "next."));
	return buf_error(ret);
}

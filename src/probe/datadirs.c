/* SPDX-License-Identifier: MIT */
#include "probe/datadirs.h"

#include <errno.h>
#include <string.h>

#include "base/strv.h"
#include "probe/fskind.h"
#include "probe/k3s.h"
#include "probe/paths.h"

#define MAX_DEPTH 5
#define MAX_DIRECTORIES 20000
#define MAX_NAMES 200000

/* A directory is of a kind when all its marks are there. */
static const struct mark {
	const char *what;
	const char *base;     /* the directory's own name, or NULL */
	const char *within;   /* a word of its path, or NULL */
	const char *files[2]; /* the first one is the marker */
} marks[] = {
	{ "k3s", "server", NULL, { "db/state.db", NULL } },
	{ "k3s", "server", NULL, { "db/etcd/member/snap/db", NULL } },
	{ "Vault", NULL, NULL, { "vault.db", "raft/raft.db" } },
	{ "Vault", NULL, NULL, { "core/_keyring", NULL } },
	{ "Vault's audit log", NULL, "vault", { "audit.log", NULL } },
	{ "PostgreSQL", NULL, NULL, { "PG_VERSION", "global" } },
	{ "etcd", NULL, NULL, { "member/snap/db", NULL } },
	{ "MySQL", NULL, NULL, { "ibdata1", NULL } },
	{ "Grafana", NULL, NULL, { "grafana.db", NULL } },
};

/* Where distributions and the products themselves put them, and how deep below. */
static const struct place_row {
	const char *path;
	unsigned depth;
} usual_places[] = {
	{ PATH_K3S_DATA, 1 },
	{ PATH_POSTGRESQL_DEBIAN, 2 },
	{ PATH_POSTGRESQL_REDHAT, 2 },
	{ PATH_VAULT, 1 },
	{ PATH_VAULT_OPT, 0 },
	{ PATH_OPENBAO, 1 },
	{ PATH_OPENBAO_OPT, 0 },
	{ PATH_ETCD, 1 },
	{ PATH_MYSQL, 0 },
	{ PATH_GRAFANA, 0 },
};

/* Directly below "/": the system's own, where no database lies. */
static const char *const system_names[] = {
	"bin",    "boot", "dev", "etc",  "lib", "lib32", "lib64",
	"libx32", "proc", "run", "sbin", "sys", "tmp",   "usr",
};

struct search {
	struct filetree *tree;
	const struct mounts *mounts;
	struct datadirs *found;
	char **queue; /* breadth first: what lies deep is given up first */
	size_t n, at, capacity;
	size_t directories, names;
};

void datadirs_free(struct datadirs *dirs)
{
	if (!dirs)
		return;
	for (size_t i = 0; i < dirs->n; i++) {
		free(dirs->items[i].path);
		free(dirs->items[i].marker);
	}
	free(dirs->items);
	strv_free(dirs->denied);
	free(dirs);
}

static char *join(const char *directory, const char *name)
{
	AUTO_BUF path = BUF_INIT;

	buf_addf(&path, "%s/%s", strcmp(directory, "/") == 0 ? "" : directory, name);
	return buf_take(&path);
}

static int add(struct datadirs *found, const char *what, const char *path, char *marker)
{
	struct datadir *more = reallocarray(found->items, found->n + 1, sizeof(*more));
	struct datadir *dir;

	if (!more) {
		free(marker);
		return -ENOMEM;
	}
	found->items = more;
	dir = &more[found->n++];
	*dir = (struct datadir){ .what = what, .path = strdup(path), .marker = marker };
	return dir->path && dir->marker ? 0 : -ENOMEM;
}

/* What keeps a database from being seen, unlike what proves that there is none. */
static bool hides(int r)
{
	return r < 0 && r != -ENOMEM && r != -ENOENT && r != -ENOTDIR && r != -ELOOP;
}

static int deny(struct search *search, const char *directory)
{
	return strv_has(search->found->denied, directory)
		       ? 0
		       : strv_add(&search->found->denied, directory);
}

/* 1 there, 0 not (or not to be seen: noted), -ENOMEM. */
static int has_file(struct search *search, const char *directory, const char *file)
{
	AUTO_FREE char *path = join(directory, file);
	int r;

	if (!path)
		return -ENOMEM;
	r = filetree_exists(search->tree, path, NULL);
	if (hides(r))
		return deny(search, directory);
	return r == -ENOMEM ? r : r == 1;
}

static bool is_named(const struct mark *mark, const char *directory)
{
	const char *base = strrchr(directory, '/');

	if (mark->base && (!base || strcmp(base + 1, mark->base) != 0))
		return false;
	return !mark->within || strcasestr(directory, mark->within);
}

static int is_marked(struct search *search, const struct mark *mark, const char *directory,
		     char *const *names)
{
	AUTO_FREE char *first = strndup(mark->files[0], strcspn(mark->files[0], "/"));
	int r = 1;

	if (!first)
		return -ENOMEM;
	if (!is_named(mark, directory) || !strv_has(names, first))
		return 0;
	for (size_t i = 0; r == 1 && i < ELEMENTS(mark->files) && mark->files[i]; i++)
		r = has_file(search, directory, mark->files[i]);
	return r;
}

/* A part that lies outside the tree by a link: without it a copy is worthless. */
static int add_linked(struct search *search, const char *path)
{
	AUTO_FREE char *target = NULL, *real = NULL;

	if (host_readlink(filetree_host(search->tree), path, &target, NULL) < 0 ||
	    host_realpath(filetree_host(search->tree), path, &real, NULL) < 0)
		return 0;
	return add(search->found, "linked database files", real, strdup(path));
}

static int add_linked_parts(struct search *search, const char *directory)
{
	static const char *const single[] = { "pg_wal", "pg_xlog", "member/wal" };
	AUTO_FREE char *spaces = join(directory, "pg_tblspc");
	AUTO_STRV char **names = NULL;
	int r = spaces ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < ELEMENTS(single); i++) {
		AUTO_FREE char *path = join(directory, single[i]);

		r = path ? add_linked(search, path) : -ENOMEM;
	}
	if (r < 0 || filetree_list(search->tree, spaces, &names, NULL) < 0)
		return r;
	for (char **name = names; r == 0 && name && *name; name++) {
		AUTO_FREE char *path = join(spaces, *name);

		r = path ? add_linked(search, path) : -ENOMEM;
	}
	return r;
}

/* 1 the directory is one, 0 not, -ENOMEM. */
static int judge(struct search *search, const char *directory, char *const *names)
{
	for (size_t i = 0; i < ELEMENTS(marks); i++) {
		int r = is_marked(search, &marks[i], directory, names);

		if (r < 0)
			return r;
		if (r == 0)
			continue;
		if (add(search->found, marks[i].what, directory,
			join(directory, marks[i].files[0])) < 0 ||
		    add_linked_parts(search, directory) < 0)
			return -ENOMEM;
		return 1;
	}
	return 0;
}

static int push(struct search *search, char *path)
{
	if (path && search->n == search->capacity) {
		size_t capacity = search->capacity ? search->capacity * 2 : 64;
		char **more = reallocarray(search->queue, capacity, sizeof(*more));

		if (!more) {
			free(path);
			return -ENOMEM;
		}
		search->queue = more;
		search->capacity = capacity;
	}
	if (!path)
		return -ENOMEM;
	search->queue[search->n++] = path;
	return 0;
}

static bool is_system_name(const char *directory, const char *name)
{
	if (strcmp(directory, "/") != 0)
		return false;
	for (size_t i = 0; i < ELEMENTS(system_names); i++)
		if (strcmp(name, system_names[i]) == 0)
			return true;
	return false;
}

static int push_child(struct search *search, const char *directory, const char *name)
{
	AUTO_FREE char *path = join(directory, name);
	int r;

	if (!path)
		return -ENOMEM;
	/* lost+found is always root's alone, and holds what fsck put there. */
	if (strcmp(name, "lost+found") == 0 || is_system_name(directory, name) ||
	    mounts_at(search->mounts, path))
		return 0;
	r = filetree_is_directory(search->tree, path, NULL);
	if (r == 1)
		return push(search, TAKE(path));
	if (hides(r))
		return deny(search, path);
	return r == -ENOMEM ? r : 0;
}

static int visit(struct search *search, const char *directory, bool deeper)
{
	AUTO_STRV char **names = NULL;
	int r;

	if (++search->directories > MAX_DIRECTORIES || search->names > MAX_NAMES) {
		search->found->truncated = true;
		return 0;
	}
	r = filetree_list(search->tree, directory, &names, NULL);
	if (hides(r))
		return deny(search, directory);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	search->names += strv_length(names);
	r = judge(search, directory, names);
	if (r != 0 || !deeper)
		return r < 0 ? r : 0;
	for (char **name = names; r == 0 && name && *name; name++)
		r = push_child(search, directory, *name);
	return r;
}

/* One level of directories after the other. */
static int visit_levels(struct search *search, unsigned depth)
{
	size_t level_end = search->n;
	int r = 0;

	while (r == 0 && search->at < search->n) {
		r = visit(search, search->queue[search->at++], depth > 0);
		if (search->at == level_end) {
			level_end = search->n;
			depth -= depth > 0;
		}
	}
	return r;
}

static int visit_place(struct search *search, const char *path, unsigned depth)
{
	AUTO_FREE char *real = NULL;
	int r = filetree_resolve(search->tree, path, &real, NULL);

	if (r == 0)
		r = push(search, TAKE(real));
	if (r == 0)
		r = visit_levels(search, depth);
	while (search->n > 0)
		free(search->queue[--search->n]);
	search->at = 0;
	if (hides(r))
		return deny(search, path);
	return r == -ENOMEM ? r : 0;
}

int datadirs_places(const struct mounts *mounts, char ***ret)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < mounts->n; i++) {
		const struct mount *mount = &mounts->items[i];

		if (strcmp(mount->target, "/") != 0 && !fskind_is_fleeting(mount->fstype) &&
		    fskind_of(mount->fstype) == FSKIND_DEVICE &&
		    mounts_at(mounts, mount->target) == mount)
			r = strv_add(ret, mount->target);
	}
	return r;
}

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct datadir *)a)->path, ((const struct datadir *)b)->path);
}

/* Drop what was found twice, and what lies in a directory that is copied anyway. */
static void merge(struct datadirs *found)
{
	size_t kept = 0;

	if (found->n > 0)
		qsort(found->items, found->n, sizeof(*found->items), compare);
	for (size_t i = 0; i < found->n; i++) {
		bool inside = false;

		for (size_t k = 0; k < kept; k++)
			inside |= path_is_below(found->items[i].path, found->items[k].path);
		if (inside) {
			free(found->items[i].path);
			free(found->items[i].marker);
		} else {
			found->items[kept++] = found->items[i];
		}
	}
	found->n = kept;
}

int datadirs_find(struct host *host, struct filetree *tree, const struct mounts *mounts,
		  char *const *below, struct datadirs **ret, struct error *err)
{
	CLEANUP(cleanup_datadirs) struct datadirs *found = calloc(1, sizeof(*found));
	struct search search = { .tree = tree, .mounts = mounts, .found = found };
	AUTO_STRV char **k3s = NULL;
	int r;

	if (!found)
		return error_oom(err);
	r = k3s_data_dirs(host, &k3s);
	for (char **dir = k3s; r == 0 && dir && *dir; dir++)
		r = visit_place(&search, *dir, 1);
	for (size_t i = 0; r == 0 && i < ELEMENTS(usual_places); i++)
		r = visit_place(&search, usual_places[i].path, usual_places[i].depth);
	for (; r == 0 && below && *below; below++)
		r = visit_place(&search, *below, MAX_DEPTH);
	free(search.queue);
	if (r < 0)
		return error_oom(err);
	merge(found);
	*ret = TAKE(found);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* One look at every file: lease, scan, the databases' own state. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"
#include "step/files_quiescent.h"

/* ---- one entry a file -------------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
	const struct datafile *x = ((const struct quiet_file *)a)->data;
	const struct datafile *y = ((const struct quiet_file *)b)->data;

	if (x->dev != y->dev)
		return x->dev < y->dev ? -1 : 1;
	if (x->ino != y->ino)
		return x->ino < y->ino ? -1 : 1;
	return strcmp(x->path, y->path);
}

/* As they are to be told: "a.db", then "a.db-wal". */
static int by_path(const void *a, const void *b)
{
	const struct quiet_file *x = a, *y = b;

	if (x->set != y->set)
		return x->set < y->set ? -1 : 1;
	return strcmp(x->data->path, y->data->path);
}

/* Two names of one file refuse each other's lease. */
static size_t without_links(struct quiet_file *files, size_t n)
{
	size_t kept = 0;

	qsort(files, n, sizeof(*files), by_id);
	for (size_t i = 0; i < n; i++) {
		const struct datafile *last = kept ? files[kept - 1].data : NULL;

		if (last && last->ino && last->ino == files[i].data->ino &&
		    last->dev == files[i].data->dev)
			continue;
		files[kept++] = files[i];
	}
	qsort(files, kept, sizeof(*files), by_path);
	return kept;
}

static const struct datafile *find_path(const struct dataset *set, const char *path)
{
	for (size_t i = 0; i < set->n_files; i++)
		if (strcmp(set->files[i].path, path) == 0)
			return &set->files[i];
	return NULL;
}

/* A -wal that was deleted while it was open is known by its name alone. */
static int add_siblings(struct look *look, size_t set, const struct datafile *data)
{
	static const char *const suffixes[] = { "-wal", "-shm", "-journal" };

	for (size_t i = 0; i < ELEMENTS(suffixes); i++) {
		struct quiet_file *file = &look->files[look->n_files];
		char *path;

		if (asprintf(&path, "%s%s", data->path, suffixes[i]) < 0)
			return -ENOMEM;
		if (find_path(look->sets[set], path)) {
			free(path);
			continue;
		}
		*file = (struct quiet_file){ .set = set, .sibling = path, .beside = data };
		look->n_files++;
	}
	return 0;
}

static int list_files(struct look *look, struct error *err)
{
	size_t n = 0, sqlite = 0;

	for (size_t i = 0; i < look->n_sets; i++) {
		n += look->sets[i]->n_files;
		for (size_t j = 0; j < look->sets[i]->n_files; j++)
			sqlite += look->sets[i]->files[j].role == DATAFILE_SQLITE;
	}
	look->files = calloc(n + 3 * sqlite + 1, sizeof(*look->files));
	if (!look->files)
		return error_oom(err);
	for (size_t i = 0; i < look->n_sets; i++)
		for (size_t j = 0; j < look->sets[i]->n_files; j++)
			look->files[look->n_files++] =
				(struct quiet_file){ .set = i, .data = &look->sets[i]->files[j] };
	look->n_files = without_links(look->files, look->n_files);
	n = look->n_files;
	for (size_t i = 0; i < n; i++)
		if (look->files[i].data->role == DATAFILE_SQLITE &&
		    add_siblings(look, look->files[i].set, look->files[i].data) < 0)
			return error_oom(err);
	return 0;
}

/* ---- leases ------------------------------------------------------------------------ */

static int take_one(struct leases *leases, struct quiet_file *file, struct lease **ret,
		    struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r = lease_take(leases, file->data->path, ret, &why);

	if (r == -ENOMEM)
		return error_copy(err, &why);
	if (r == 0) {
		file->answer = (*ret)->answer;
		file->code = (*ret)->code;
		file->fstype = (*ret)->fstype;
		file->gone = (*ret)->stat.st_ino != file->data->ino ||
			     (*ret)->stat.st_dev != file->data->dev;
		return 0;
	}
	*ret = NULL;
	file->gone = r == -ENOENT || r == -ELOOP || r == -ENOTDIR;
	/* Another's lease is a descriptor of another. */
	file->answer = r == -EWOULDBLOCK ? LEASE_HELD : LEASE_UNKNOWN;
	file->code = r;
	return 0;
}

static int take_all(struct look *look, struct leases *leases, struct lease **ret, struct error *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < look->n_files; i++) {
		if (*look->step->cancelled)
			return error_set(err, -ECANCELED, "%s", _("stopped by the operator"));
		if (look->files[i].data)
			r = take_one(leases, &look->files[i], &ret[i], err);
	}
	return r;
}

/* ---- the scan ---------------------------------------------------------------------- */

/* A former generation is another inode. */
static bool explains_refusal(enum holder_type type)
{
	return type == HOLDER_OPEN || type == HOLDER_MAPPED || type == HOLDER_PROGRAM ||
	       type == HOLDER_LOOP || type == HOLDER_SWAP;
}

static int find(const struct look *look, const struct leases *leases, struct holders *ret,
		struct error *err)
{
	struct holders_file *files = calloc(look->n_files + 1, sizeof(*files));
	struct holders_asked asked = { .files = files, .n_files = look->n_files };
	int r;

	if (!files)
		return error_oom(err);
	if (leases)
		asked.n_own = leases_fds(leases, &asked.own);
	for (size_t i = 0; i < look->n_files; i++) {
		const struct quiet_file *file = &look->files[i];

		files[i].path = file->data ? file->data->path : file->sibling;
		files[i].dev = file->data ? file->data->dev : file->beside->dev;
		files[i].ino = file->data ? file->data->ino : 0;
	}
	r = holders_find(look->step->host, &asked, look->step->cancelled, ret, err);
	free(files);
	return r;
}

static int scan(struct look *look, const struct leases *leases, struct error *err)
{
	int r = find(look, leases, &look->holders, err);

	for (size_t i = 0; r == 0 && i < look->holders.n; i++)
		if (explains_refusal(look->holders.items[i].type))
			look->files[look->holders.items[i].asked].shown = true;
	return r;
}

int quiet_is_as_seen(const struct look *look, struct error *err)
{
	AUTO_HOLDERS now = { 0 };
	int r = find(look, NULL, &now, err);

	if (r < 0)
		return r;
	if (now.n != look->holders.n)
		return 0;
	for (size_t i = 0; i < now.n; i++)
		if (now.items[i].pid != look->holders.items[i].pid ||
		    now.items[i].asked != look->holders.items[i].asked)
			return 0;
	return 1;
}

/* ---- was it all the while the same? -------------------------------------------------- */

static bool is_same(const struct dataset *a, const struct dataset *b)
{
	if (a->n_files != b->n_files)
		return false;
	for (size_t i = 0; i < a->n_files; i++)
		if (a->files[i].ino != b->files[i].ino || a->files[i].dev != b->files[i].dev ||
		    strcmp(a->files[i].path, b->files[i].path) != 0)
			return false;
	return true;
}

/* Renaming over a file leaves its lease as it is. */
static int look_again(struct look *look, struct error *err)
{
	for (size_t i = 0; i < look->n_files; i++)
		if (look->files[i].data && look->files[i].gone)
			look->changed = true;
	for (size_t i = 0; !look->changed && i < look->n_sets; i++) {
		CLEANUP(cleanup_dataset) struct dataset *now = NULL;
		int r = dataset_load(look->tree, look->sets[i]->given, look->step->cancelled, &now,
				     err);

		if (r == -ENOMEM || r == -ECANCELED)
			return r;
		look->changed = r < 0 || !is_same(look->sets[i], now);
	}
	return 0;
}

/* ---- the look ----------------------------------------------------------------------- */

static int look_live(struct look *look, struct leases *leases, struct lease **taken,
		     struct error *err)
{
	int r = take_all(look, leases, taken, err);

	if (r == 0)
		r = scan(look, leases, err);
	if (r == 0)
		r = quiet_read_states(look, taken, err);
	leases_broken(leases);
	for (size_t i = 0; r == 0 && i < look->n_files; i++)
		look->files[i].broken = taken[i] && look->files[i].answer == LEASE_GRANTED &&
					lease_stands(leases, taken[i]) == 0;
	return r;
}

static int look_at(struct look *look, struct error *err)
{
	CLEANUP(cleanup_leases) struct leases *leases = NULL;
	struct lease **taken = NULL;
	int r;

	if (!look->live) {
		r = scan(look, NULL, err);
		return r == 0 ? quiet_read_states(look, NULL, err) : r;
	}
	r = leases_open(look->step->host, &leases, err);
	if (r < 0)
		return r;
	taken = calloc(look->n_files + 1, sizeof(struct lease *));
	r = taken ? look_live(look, leases, taken, err) : error_oom(err);
	free(taken); /* the leases are the set's */
	/* To list files is to open some of them, which would break a lease of our own. */
	leases_free(leases);
	leases = NULL;
	return r == 0 ? look_again(look, err) : r;
}

int quiet_look(struct look *look, struct result *ret, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	int r;

	look->live = host_is_live(look->step->host);
	r = filetree_open(look->step->host, &look->tree, &why);
	if (r == 0)
		r = filetree_add_open(look->tree, &why);
	if (r == 0) {
		r = quiet_find_sets(look, ret, err);
		if (r < 0)
			return r;
		r = list_files(look, err);
		if (r < 0)
			return r;
		if (look->n_files > 0)
			r = look_at(look, &why);
		look->looked = r == 0;
	}
	if (r == -ENOMEM || r == -ECANCELED)
		return error_copy(err, &why);
	if (r < 0)
		result_unknown(ret, "not-scanned", "path", look->live ? PATH_PROC : "coldswap",
			       &why);
	return 0;
}

void quiet_look_done(struct look *look)
{
	for (size_t i = 0; i < look->n_files; i++)
		free(look->files[i].sibling);
	free(look->files);
	for (size_t i = 0; i < look->n_states; i++)
		free(look->states[i].why);
	free(look->states);
	for (size_t i = 0; i < look->n_sets; i++)
		dataset_free(look->sets[i]);
	free(look->sets);
	holders_done(&look->holders);
	filetree_free(look->tree);
	*look = (struct look){ .step = look->step, .params = look->params };
}

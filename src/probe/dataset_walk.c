/* SPDX-License-Identifier: MIT */
/* Every file below the roots, and every link that leads out of them. */
#include <errno.h>
#include <string.h>

#include "base/strv.h"
#include "probe/dataset_internal.h"

struct walk {
	struct loading *loading;
	char **queue; /* directories still to be read, the last first */
	size_t n;
	uint64_t seen;
	const char *root;
};

static void walk_done(struct walk *walk)
{
	while (walk->n > 0)
		free(walk->queue[--walk->n]);
	free(walk->queue);
}

static int push(struct walk *walk, const char *path, struct error *err)
{
	char **more = dataset_grow(walk->queue, walk->n, sizeof(*more));

	if (!more)
		return error_oom(err);
	walk->queue = more;
	walk->queue[walk->n] = strdup(path);
	if (!walk->queue[walk->n])
		return error_oom(err);
	walk->n++;
	return 0;
}

int dataset_add_file(struct loading *loading, const char *path, const struct filetree_stat *st,
		     enum datafile_role role, struct error *err)
{
	struct dataset *set = loading->set;
	struct datafile *more = dataset_grow(set->files, set->n_files, sizeof(*more));
	char *copy = strdup(path);

	if (more)
		set->files = more;
	if (!more || !copy) {
		free(copy);
		return error_oom(err);
	}
	more[set->n_files++] = (struct datafile){ .path = copy,
						  .role = role,
						  .size = st->size,
						  .dev = st->dev,
						  .ino = st->ino,
						  .mode = st->mode,
						  .nlink = st->nlink };
	return 0;
}

static int add_leaving(struct dataset *set, const char *path, char *target, bool dangling,
		       struct error *err)
{
	struct dataset_link *more = dataset_grow(set->leaving, set->n_leaving, sizeof(*more));
	struct dataset_link link = { strdup(path), target, dangling };

	if (more)
		set->leaving = more;
	if (!more || !link.path) {
		free(link.path);
		free(target);
		return error_oom(err);
	}
	more[set->n_leaving++] = link;
	return 0;
}

/* Links to nothing, to what is a root or below one, and to /dev/null and its like lose nothing. */
static int look_at_link(struct walk *walk, const char *path, struct error *err)
{
	struct filetree *tree = walk->loading->tree;
	struct dataset *set = walk->loading->set;
	AUTO_FREE char *target = NULL;
	struct error why = ERROR_INIT;
	struct filetree_stat st;
	int r = filetree_target(tree, path, &target, &why);

	if (r == -ENOENT || r == -EINVAL) /* it went away, or is a link no more */
		r = 0;
	else if (r == -ELOOP || r == -ENODATA)
		r = 1; /* nobody can say where it leads */
	else if (r < 0)
		error_copy(err, &why);
	error_done(&why);
	if (r == 1) {
		target = strdup(path);
		return target ? add_leaving(set, path, TAKE(target), true, err) : error_oom(err);
	}
	if (r < 0 || !target || dataset_has(set, target))
		return r;
	r = filetree_stat(tree, target, &st, &why);
	if (r < 0 && r != -ENOENT && r != -ENOTDIR)
		return error_copy(err, &why), error_done(&why), r;
	error_done(&why);
	if (r == 0 && st.type == FILETREE_CHARACTER)
		return 0;
	return add_leaving(set, path, TAKE(target), r < 0, err);
}

static int add_path(struct walk *walk, const char *path, struct error *err)
{
	struct error why = ERROR_INIT;
	struct filetree_stat st;
	int r;

	if (walk->loading->cancelled && *walk->loading->cancelled)
		return error_set(err, -ECANCELED, "cancelled");
	if (++walk->seen > FILETREE_MAX_ENTRIES) {
		error_set(err, -EFBIG, "more than %u files lie below %s", FILETREE_MAX_ENTRIES,
			  walk->loading->set->path);
		error_hint(err, "name its parts one by one");
		return -EFBIG;
	}
	r = filetree_stat(walk->loading->tree, path, &st, &why);
	if (r < 0 && r != -ENOENT)
		error_copy(err, &why);
	error_done(&why);
	if (r < 0)
		return r == -ENOENT ? 0 : r; /* it went away meanwhile */
	/* A subvolume of btrfs is a part of its tree; what somebody mounted is not. */
	if (st.mounted && strcmp(path, walk->root) != 0)
		return strv_add(&walk->loading->set->mounts, path) < 0 ? error_oom(err) : 0;
	switch (st.type) {
	case FILETREE_FILE:
		return dataset_add_file(walk->loading, path, &st, DATAFILE_PLAIN, err);
	case FILETREE_DIRECTORY:
		return push(walk, path, err);
	case FILETREE_LINK:
		return look_at_link(walk, path, err);
	case FILETREE_CHARACTER:
	case FILETREE_OTHER:
		break;
	}
	walk->loading->set->others++;
	return 0;
}

static int read_directory(struct walk *walk, const char *directory, struct error *err)
{
	AUTO_STRV char **names = NULL;
	AUTO_BUF path = BUF_INIT;
	struct error why = ERROR_INIT;
	int r = filetree_list(walk->loading->tree, directory, &names, &why);

	if (r < 0 && r != -ENOENT)
		error_copy(err, &why);
	error_done(&why);
	if (r == -ENOENT)
		return 0; /* listed without content, or gone */
	for (char **name = names; r == 0 && *name; name++) {
		r = dataset_join(&path, strcmp(directory, "/") == 0 ? "" : directory, "/", err);
		if (r == 0 && buf_adds(&path, *name) < 0)
			r = error_oom(err);
		if (r == 0)
			r = add_path(walk, buf_text(&path), err);
	}
	return r;
}

static int walk_root(struct loading *loading, const struct dataset_root *root, struct error *err)
{
	CLEANUP(walk_done)
	struct walk walk = { .loading = loading,
			     .seen = loading->set->n_files,
			     .root = root->path };
	int r = add_path(&walk, root->path, err);

	while (r == 0 && walk.n > 0) {
		AUTO_FREE char *directory = walk.queue[--walk.n];

		r = read_directory(&walk, directory, err);
	}
	return r;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct datafile *)a)->path, ((const struct datafile *)b)->path);
}

void dataset_sort(struct dataset *set)
{
	if (set->n_files > 0)
		qsort(set->files, set->n_files, sizeof(*set->files), by_path);
}

struct datafile *dataset_file(const struct dataset *set, const char *path)
{
	size_t low = 0, high = set->n_files;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(set->files[middle].path, path);

		if (order == 0)
			return &set->files[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static int by_inode(const void *a, const void *b)
{
	const struct datafile *one = *(const struct datafile *const *)a;
	const struct datafile *other = *(const struct datafile *const *)b;

	if (one->dev != other->dev)
		return one->dev < other->dev ? -1 : 1;
	return one->ino < other->ino ? -1 : one->ino > other->ino;
}

/* `n` names of one file follow each other. */
static void count_names(struct dataset *set, const struct datafile *file, size_t n)
{
	set->bytes -= (n - 1) * file->size;
	set->linked_elsewhere += file->nlink > n;
}

static int count(struct dataset *set, struct error *err)
{
	AUTO_FREE const struct datafile **linked = calloc(set->n_files + 1, sizeof(*linked));
	size_t n = 0, first = 0;

	if (!linked)
		return error_oom(err);
	for (size_t i = 0; i < set->n_files; i++) {
		if (__builtin_add_overflow(set->bytes, set->files[i].size, &set->bytes))
			return error_set(err, -EOVERFLOW, "the sizes below %s have no sum",
					 set->path);
		if (set->files[i].nlink > 1 && set->files[i].ino)
			linked[n++] = &set->files[i];
	}
	if (n > 0)
		qsort(linked, n, sizeof(const struct datafile *), by_inode);
	for (size_t i = 1; i <= n; i++)
		if (i == n || by_inode(&linked[first], &linked[i]) != 0) {
			count_names(set, linked[first], i - first);
			first = i;
		}
	return 0;
}

int dataset_walk(struct loading *loading, struct error *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < loading->set->n_roots; i++)
		r = walk_root(loading, &loading->set->roots[i], err);
	if (r < 0)
		return r;
	dataset_sort(loading->set);
	return count(loading->set, err);
}

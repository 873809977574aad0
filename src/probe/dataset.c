/* SPDX-License-Identifier: MIT */
#include "probe/dataset.h"

#include <errno.h>
#include <string.h>

#include "base/strv.h"
#include "probe/dataset_internal.h"

bool dataset_begins_at(const struct dataset *set, const char *path)
{
	for (size_t i = 0; set && i < set->n_roots; i++)
		if (strcmp(set->roots[i].path, path) == 0)
			return true;
	return false;
}

void dataset_free(struct dataset *set)
{
	if (!set)
		return;
	for (size_t i = 0; i < set->n_roots; i++) {
		free(set->roots[i].path);
		free(set->roots[i].by);
	}
	for (size_t i = 0; i < set->n_files; i++)
		free(set->files[i].path);
	for (size_t i = 0; i < set->n_leaving; i++) {
		free(set->leaving[i].path);
		free(set->leaving[i].target);
	}
	free(set->roots);
	free(set->files);
	free(set->leaving);
	strv_free(set->mounts);
	free(set->given);
	free(set->path);
	free(set);
}

/* Doubles at powers of two, so that the number of items tells what there is room for. */
void *dataset_grow(void *items, size_t n, size_t size)
{
	if (n & (n - 1))
		return items;
	return reallocarray(items, n ? n * 2 : 1, size);
}

int dataset_join(struct buf *ret, const char *path, const char *suffix, struct error *err)
{
	buf_clear(ret);
	buf_adds(ret, path);
	return buf_adds(ret, suffix) < 0 ? error_oom(err) : 0;
}

/* Is it that directory, or does it lie below? */
static bool lies_in(const char *path, const char *directory)
{
	size_t len = strlen(directory);

	if (len == 1)
		return true; /* the root of everything */
	return strncmp(path, directory, len) == 0 && (path[len] == '/' || !path[len]);
}

bool dataset_has(const struct dataset *set, const char *path)
{
	for (size_t i = 0; i < set->n_roots; i++)
		if (lies_in(path, set->roots[i].path))
			return true;
	return false;
}

static void drop_roots_in(struct dataset *set, const char *path)
{
	size_t kept = 0;

	for (size_t i = 0; i < set->n_roots; i++)
		if (lies_in(set->roots[i].path, path)) {
			free(set->roots[i].path);
			free(set->roots[i].by);
		} else {
			set->roots[kept++] = set->roots[i];
		}
	set->n_roots = kept;
}

int dataset_add_root(struct loading *loading, const char *path, bool directory, const char *role,
		     const char *by, struct error *err)
{
	struct dataset *set = loading->set;
	struct dataset_root *more, root = { .directory = directory, .role = role };

	if (dataset_has(set, path))
		return 0;
	if (directory)
		drop_roots_in(set, path);
	more = reallocarray(set->roots, set->n_roots + 1, sizeof(*more));
	if (!more)
		return error_oom(err);
	set->roots = more;
	root.path = strdup(path);
	root.by = by ? strdup(by) : NULL;
	set->roots[set->n_roots++] = root;
	return root.path && (root.by || !by) ? 0 : error_oom(err);
}

static int absent(const struct dataset *set, struct error *err)
{
	const char *path;

	dataset_word(set->given, &path);
	error_set(err, -ENOENT, "%s does not exist", path);
	error_hint(err, "look whether its filesystem is mounted: findmnt --target %s", path);
	return -ENOENT;
}

static int resolve(struct loading *loading, const char *text, struct error *err)
{
	struct dataset *set = loading->set;
	const char *path;
	int r = dataset_check(text, err);

	if (r < 0)
		return r;
	set->database = dataset_word(text, &path);
	set->given = strdup(text);
	if (!set->given)
		return error_oom(err);
	r = filetree_resolve(loading->tree, path, &set->path, err);
	if (r == 0)
		r = filetree_exists(loading->tree, set->path, err);
	return r < 0 ? r : r == 0 ? absent(set, err) : 0;
}

int dataset_load(struct filetree *tree, const char *text, const volatile sig_atomic_t *cancelled,
		 struct dataset **ret, struct error *err)
{
	CLEANUP(cleanup_dataset) struct dataset *set = calloc(1, sizeof(*set));
	struct loading loading = { .tree = tree, .set = set, .cancelled = cancelled };
	int r;

	if (!set)
		return error_oom(err);
	r = resolve(&loading, text, err);
	if (r == 0)
		r = dataset_roots(&loading, err);
	if (r == 0)
		r = dataset_walk(&loading, err);
	if (r == 0)
		r = dataset_roles(&loading, err);
	if (r == 0)
		*ret = TAKE(set);
	return r;
}

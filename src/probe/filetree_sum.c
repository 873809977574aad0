/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/strv.h"
#include "probe/filetree_rows.h"

struct summing {
	struct filetree *tree;
	const volatile sig_atomic_t *cancelled;
	struct filetree_sum sum;
	char **queue; /* directories still to be read, the last first */
	size_t n, capacity;
	dev_t device;
	bool live;
};

static int push(struct summing *summing, char *path)
{
	if (summing->n == summing->capacity) {
		size_t capacity = summing->capacity ? summing->capacity * 2 : 64;
		char **more = reallocarray(summing->queue, capacity, sizeof(*more));

		if (!more) {
			free(path);
			return -ENOMEM;
		}
		summing->queue = more;
		summing->capacity = capacity;
	}
	summing->queue[summing->n++] = path;
	return 0;
}

static int add_host_file(struct summing *summing, const char *path, struct error *err)
{
	AUTO_FREE char *target = NULL;
	struct stat st;
	int r;

	if (host_readlink(summing->tree->host, path, &target, NULL) == 0) {
		summing->sum.files++;
		return 0;
	}
	r = host_stat(summing->tree->host, path, &st, err);
	if (r == -ENOENT) {
		error_done(err); /* it went away meanwhile */
		return 0;
	}
	if (r < 0)
		return r;
	if (!S_ISDIR(st.st_mode)) {
		summing->sum.files++;
		if (S_ISREG(st.st_mode) && st.st_size > 0)
			summing->sum.bytes += (uint64_t)st.st_size;
		return 0;
	}
	if (summing->live && st.st_dev != summing->device)
		return 0;
	target = strdup(path);
	return target && push(summing, TAKE(target)) == 0 ? 0 : error_oom(err);
}

/* What is listed counts by its row, the rest by what the host shows. */
static int add_path(struct summing *summing, const char *path, struct error *err)
{
	const struct listed *row = filetree_row(summing->tree, path);
	char *copy;

	if (summing->sum.files + summing->sum.directories + summing->n > FILETREE_MAX_ENTRIES)
		return error_set(err, -EFBIG, "more than %u files lie below %s",
				 FILETREE_MAX_ENTRIES, path);
	if (summing->cancelled && *summing->cancelled)
		return error_set(err, -ECANCELED, "cancelled");
	if (row && row->stat.type != FILETREE_DIRECTORY) {
		summing->sum.files++;
		if (row->stat.type == FILETREE_FILE &&
		    __builtin_add_overflow(summing->sum.bytes, row->stat.size, &summing->sum.bytes))
			return error_set(err, -EOVERFLOW, "the sizes below %s have no sum", path);
		return 0;
	}
	if (!row && !filetree_rows_below(summing->tree, path))
		return add_host_file(summing, path, err);
	copy = strdup(path);
	return copy && push(summing, copy) == 0 ? 0 : error_oom(err);
}

static int read_directory(struct summing *summing, const char *directory, struct error *err)
{
	AUTO_STRV char **names = NULL;
	AUTO_BUF path = BUF_INIT;
	int r = filetree_list(summing->tree, directory, &names, err);

	summing->sum.directories++;
	if (r == -ENOENT) {
		error_done(err); /* listed without content, or gone */
		return 0;
	}
	for (char **name = names; r == 0 && name && *name; name++) {
		buf_clear(&path);
		filetree_prefix(&path, directory);
		r = buf_adds(&path, *name) < 0 ? error_oom(err)
					       : add_path(summing, buf_text(&path), err);
	}
	return r;
}

int filetree_sum(struct filetree *tree, const char *path, const volatile sig_atomic_t *cancelled,
		 struct filetree_sum *ret, struct error *err)
{
	struct summing summing = { .tree = tree, .cancelled = cancelled };
	struct stat st;
	int r;

	summing.live = host_is_live(tree->host);
	r = filetree_exists(tree, path, err);
	if (r == 0)
		return error_set(err, -ENOENT, "%s does not exist", path);
	if (r < 0)
		return r;
	if (host_stat(tree->host, path, &st, NULL) == 0)
		summing.device = st.st_dev;
	r = add_path(&summing, path, err);
	while (r == 0 && summing.n > 0) {
		AUTO_FREE char *directory = summing.queue[--summing.n];

		r = read_directory(&summing, directory, err);
	}
	while (summing.n > 0)
		free(summing.queue[--summing.n]);
	free(summing.queue);
	if (r == 0)
		*ret = summing.sum;
	return r;
}

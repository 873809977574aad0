/* SPDX-License-Identifier: MIT */
#include "probe/filetree.h"

#include <errno.h>
#include <string.h>

#include "base/json.h"
#include "base/strv.h"
#include "probe/mounts.h"

struct listed {
	const char *path; /* of the document */
	bool directory, file;
	uint64_t size;
};

struct filetree {
	struct host *host;
	json_t *document;
	struct listed *items; /* by path */
	size_t n;
};

void filetree_free(struct filetree *tree)
{
	if (!tree)
		return;
	json_decref(tree->document);
	free(tree->items);
	free(tree);
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct listed *)a)->path, ((const struct listed *)b)->path);
}

static int read_rows(struct filetree *tree)
{
	const json_t *row;
	size_t i;

	tree->items = calloc(json_array_size(tree->document) + 1, sizeof(*tree->items));
	if (!tree->items)
		return -ENOMEM;
	json_array_foreach (tree->document, i, row) {
		const char *path = json_text(row, "path"), *type = json_text(row, "type");
		json_int_t size = json_integer_value(json_object_get(row, "size"));

		if (!path || *path != '/')
			continue;
		tree->items[tree->n++] =
			(struct listed){ .path = path,
					 .directory = type && strcmp(type, "dir") == 0,
					 .file = type && strcmp(type, "file") == 0,
					 .size = size > 0 ? (uint64_t)size : 0 };
	}
	qsort(tree->items, tree->n, sizeof(*tree->items), by_path);
	return 0;
}

int filetree_open(struct host *host, struct filetree **ret, struct error *err)
{
	CLEANUP(cleanup_filetree) struct filetree *tree = calloc(1, sizeof(*tree));
	AUTO_FREE char *source = NULL;
	AUTO_BUF text = BUF_INIT;
	int r;

	if (!tree)
		return error_oom(err);
	tree->host = host;
	r = host_fact(host, HOST_FACT_FILES, NULL, &text, &source, err);
	if (r == -ENOENT) {
		error_done(err); /* everything can be looked at */
		*ret = TAKE(tree);
		return 0;
	}
	if (r == 0)
		r = json_parse(buf_text(&text), text.len, source, &tree->document, err);
	if (r < 0)
		return r;
	if (!json_is_array(tree->document))
		return error_set(err, -EBADMSG, "%s is no list of files", source);
	if (read_rows(tree) < 0)
		return error_oom(err);
	*ret = TAKE(tree);
	return 0;
}

struct host *filetree_host(struct filetree *tree)
{
	return tree->host;
}

/* The first row that is not before `path`. */
static size_t lower_bound(const struct filetree *tree, const char *path)
{
	size_t low = 0, high = tree->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(tree->items[middle].path, path) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const struct listed *row_of(const struct filetree *tree, const char *path)
{
	size_t at = lower_bound(tree, path);

	return at < tree->n && strcmp(tree->items[at].path, path) == 0 ? &tree->items[at] : NULL;
}

/* Append `directory` and a slash, without doubling that of "/". */
static int add_directory(struct buf *path, const char *directory)
{
	size_t len = strlen(directory);

	buf_adds(path, directory);
	return len > 0 && directory[len - 1] == '/' ? buf_error(path) : buf_addc(path, '/');
}

/* Does a row lie below the directory? */
static bool has_rows_below(const struct filetree *tree, const char *directory)
{
	AUTO_BUF prefix = BUF_INIT;
	size_t at;

	if (add_directory(&prefix, directory) < 0)
		return false;
	at = lower_bound(tree, buf_text(&prefix));
	return at < tree->n && strncmp(tree->items[at].path, buf_text(&prefix), prefix.len) == 0;
}

int filetree_resolve(struct filetree *tree, const char *path, char **ret, struct error *err)
{
	AUTO_FREE char *head = strdup(path);
	size_t len = strlen(path);

	if (!head)
		return error_oom(err);
	for (;;) {
		AUTO_FREE char *real = NULL;
		AUTO_BUF whole = BUF_INIT;
		int r = host_realpath(tree->host, *head ? head : "/", &real, err);

		if (r == -ENOENT && *head) {
			len = (size_t)(strrchr(head, '/') - head);
			head[len] = '\0';
			continue;
		}
		if (r < 0)
			return r;
		error_done(err);
		buf_adds(&whole, strcmp(real, "/") == 0 && path[len] ? "" : real);
		buf_adds(&whole, path + len);
		*ret = buf_take(&whole);
		return *ret ? 0 : error_oom(err);
	}
}

int filetree_exists(struct filetree *tree, const char *path, struct error *err)
{
	if (row_of(tree, path) || has_rows_below(tree, path))
		return 1;
	return host_exists(tree->host, path, err);
}

int filetree_is_directory(struct filetree *tree, const char *path, struct error *err)
{
	const struct listed *row = row_of(tree, path);
	AUTO_FREE char *target = NULL;
	struct stat st;
	int r;

	if (row)
		return row->directory;
	if (has_rows_below(tree, path))
		return 1;
	if (host_readlink(tree->host, path, &target, NULL) == 0)
		return 0;
	r = host_stat(tree->host, path, &st, err);
	if (r == -ENOENT || r == -ENOTDIR) {
		error_done(err);
		return 0;
	}
	return r < 0 ? r : S_ISDIR(st.st_mode);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Each name once. */
static void sort_names(char **names, size_t n)
{
	size_t kept = 0;

	if (n > 0)
		qsort(names, n, sizeof(*names), compare_names);
	for (size_t i = 0; i < n; i++)
		if (kept > 0 && strcmp(names[kept - 1], names[i]) == 0)
			free(names[i]);
		else
			names[kept++] = names[i];
	if (names)
		names[kept] = NULL;
}

/* The rows below a directory stand together; one of a directory stands for many. */
static int add_row_names(const struct filetree *tree, const char *directory, char ***names)
{
	AUTO_BUF prefix = BUF_INIT;
	size_t first, last, n = strv_length(*names);
	char **more;

	if (add_directory(&prefix, directory) < 0)
		return -ENOMEM;
	for (first = last = lower_bound(tree, buf_text(&prefix)); last < tree->n; last++)
		if (strncmp(tree->items[last].path, buf_text(&prefix), prefix.len) != 0)
			break;
	more = reallocarray(*names, n + (last - first) + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	*names = more;
	for (more[n] = NULL; first < last; first++) {
		const char *name = tree->items[first].path + prefix.len;
		size_t len = strcspn(name, "/");

		if (len == 0 ||
		    (n > 0 && strncmp(more[n - 1], name, len) == 0 && !more[n - 1][len]))
			continue;
		more[n] = strndup(name, len);
		if (!more[n])
			return -ENOMEM;
		more[++n] = NULL;
	}
	sort_names(more, n);
	return 0;
}

int filetree_list(struct filetree *tree, const char *directory, char ***ret, struct error *err)
{
	AUTO_STRV char **names = NULL;
	int r = host_list(tree->host, directory, &names, err);

	if (r < 0 && !((r == -ENOENT || r == -ENOTDIR) && has_rows_below(tree, directory)))
		return r;
	error_done(err);
	if (add_row_names(tree, directory, &names) < 0)
		return error_oom(err);
	*ret = TAKE(names);
	return 0;
}

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
	const struct listed *row = row_of(summing->tree, path);
	char *copy;

	if (summing->sum.files + summing->sum.directories + summing->n > FILETREE_MAX_ENTRIES)
		return error_set(err, -EFBIG, "more than %u files lie below %s",
				 FILETREE_MAX_ENTRIES, path);
	if (summing->cancelled && *summing->cancelled)
		return error_set(err, -ECANCELED, "cancelled");
	if (row && !row->directory) {
		summing->sum.files++;
		if (row->file &&
		    __builtin_add_overflow(summing->sum.bytes, row->size, &summing->sum.bytes))
			return error_set(err, -EOVERFLOW, "the sizes below %s have no sum", path);
		return 0;
	}
	if (!row && !has_rows_below(summing->tree, path))
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
		add_directory(&path, directory);
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

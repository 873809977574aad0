/* SPDX-License-Identifier: MIT */
#include "probe/filetree.h"

#include <errno.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/json.h"
#include "base/parse.h"
#include "base/strv.h"
#include "probe/filetree_rows.h"
#include "probe/paths.h"
#include "sys/hostdata.h"
#include "sys/mountinfo.h"

#define OPEN_FILES_MAX ((size_t)32 << 20)
#define MOUNTINFO_MAX ((size_t)16 << 20)

void filetree_free(struct filetree *tree)
{
	if (!tree)
		return;
	json_decref(tree->document);
	json_decref(tree->open);
	free(tree->items);
	strmap_done(&tree->mounts);
	free(tree);
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct listed *)a)->path, ((const struct listed *)b)->path);
}

/* "8:33", as the kernel's tables say it. */
static dev_t read_device(const json_t *row)
{
	const char *text = json_text(row, "dev");
	AUTO_FREE char *major = text ? strdup(text) : NULL;
	char *colon = major ? strchr(major, ':') : NULL;
	unsigned numbers[2];

	if (!colon)
		return 0;
	*colon = '\0';
	return parse_unsigned(major, &numbers[0]) == 0 &&
			       parse_unsigned(colon + 1, &numbers[1]) == 0
		       ? makedev(numbers[0], numbers[1])
		       : 0;
}

static uint64_t read_count(const json_t *row, const char *key)
{
	json_int_t value = json_integer_value(json_object_get(row, key));

	return value > 0 ? (uint64_t)value : 0;
}

static enum filetree_type read_type(const json_t *row)
{
	static const struct {
		const char *word;
		enum filetree_type type;
	} types[] = {
		{ "file", FILETREE_FILE },
		{ "dir", FILETREE_DIRECTORY },
		{ "link", FILETREE_LINK },
	};
	const char *word = json_text(row, "type");

	for (size_t i = 0; word && i < ELEMENTS(types); i++)
		if (strcmp(word, types[i].word) == 0)
			return types[i].type;
	return FILETREE_OTHER;
}

static int read_rows(struct filetree *tree)
{
	const json_t *row;
	size_t i;

	tree->items = calloc(json_array_size(tree->document) + 1, sizeof(*tree->items));
	if (!tree->items)
		return -ENOMEM;
	json_array_foreach (tree->document, i, row) {
		const char *path = json_text(row, "path");

		if (!path || *path != '/')
			continue;
		tree->items[tree->n++] = (struct listed){
			.path = path,
			.target = json_text(row, "target"),
			.stat = { .type = read_type(row),
				  .size = read_count(row, "size"),
				  .dev = read_device(row),
				  .ino = (ino_t)read_count(row, "ino"),
				  .nlink = (nlink_t)read_count(row, "nlink") },
		};
	}
	qsort(tree->items, tree->n, sizeof(*tree->items), by_path);
	return 0;
}

/* A capture is one tree on one filesystem, and its machine's were many. */
static int read_mounts(struct filetree *tree)
{
	CLEANUP(mountinfo_done) struct mountinfo mounts = { 0 };
	AUTO_BUF text = BUF_INIT;
	int r = 0;

	/* Without the list nothing is known to be mounted, as in a capture of other things. */
	if (host_is_live(tree->host) ||
	    host_read(tree->host, PATH_MOUNTINFO, MOUNTINFO_MAX, &text, NULL) < 0 || !text.len)
		return 0;
	if (mountinfo_parse(buf_take(&text), &mounts, NULL) == -ENOMEM)
		return -ENOMEM;
	for (size_t i = 0; r == 0 && i < mounts.n; i++)
		if (!strmap_find(&tree->mounts, mounts.lines[i].target))
			r = strmap_add(&tree->mounts, mounts.lines[i].target, i);
	return r;
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
	if (read_mounts(tree) < 0)
		return error_oom(err);
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

/* Several may have one file open. */
static size_t unite(struct listed *items, size_t n)
{
	size_t kept = 0;

	qsort(items, n, sizeof(*items), by_path);
	for (size_t i = 0; i < n; i++)
		if (!kept || strcmp(items[kept - 1].path, items[i].path) != 0)
			items[kept++] = items[i];
	return kept;
}

/* An entry is of its holder's mount namespace: a path that nobody asks for does no harm. */
static int add_open(struct filetree *tree)
{
	size_t listed = tree->n, i;
	struct listed *more =
		reallocarray(tree->items, tree->n + json_array_size(tree->open) + 1, sizeof(*more));
	const json_t *row;

	if (!more)
		return -ENOMEM;
	tree->items = more;
	json_array_foreach (tree->open, i, row) {
		const char *path = json_text(row, "path");
		const json_t *nlink = json_object_get(row, "nlink");

		if (!path || *path != '/' || json_is_true(json_object_get(row, "deleted")) ||
		    (json_is_integer(nlink) && json_integer_value(nlink) == 0) ||
		    bsearch(&(struct listed){ .path = path }, more, listed, sizeof(*more), by_path))
			continue;
		more[tree->n++] =
			(struct listed){ .path = path,
					 .stat = { .type = FILETREE_FILE,
						   .dev = read_device(row),
						   .ino = (ino_t)read_count(row, "ino"),
						   .nlink = (nlink_t)read_count(row, "nlink") } };
	}
	tree->n = listed + unite(more + listed, tree->n - listed);
	qsort(tree->items, tree->n, sizeof(*tree->items), by_path);
	return 0;
}

int filetree_add_open(struct filetree *tree, struct error *err)
{
	AUTO_BUF text = BUF_INIT;

	if (host_is_live(tree->host) || tree->open ||
	    host_read(tree->host, PATH_CAPTURED_OPEN_FILES, OPEN_FILES_MAX, &text, NULL) < 0 ||
	    json_parse(buf_text(&text), text.len, "openfiles.json", &tree->open, NULL) < 0)
		return 0; /* whoever looks for holders tells what is wrong with it */
	return add_open(tree) < 0 ? error_oom(err) : 0;
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

const struct listed *filetree_row(const struct filetree *tree, const char *path)
{
	size_t at = lower_bound(tree, path);

	return at < tree->n && strcmp(tree->items[at].path, path) == 0 ? &tree->items[at] : NULL;
}

int filetree_prefix(struct buf *path, const char *directory)
{
	size_t len = strlen(directory);

	buf_adds(path, directory);
	return len > 0 && directory[len - 1] == '/' ? buf_error(path) : buf_addc(path, '/');
}

bool filetree_rows_below(const struct filetree *tree, const char *directory)
{
	AUTO_BUF prefix = BUF_INIT;
	size_t at;

	if (filetree_prefix(&prefix, directory) < 0)
		return false;
	at = lower_bound(tree, buf_text(&prefix));
	return at < tree->n && strncmp(tree->items[at].path, buf_text(&prefix), prefix.len) == 0;
}

int filetree_exists(struct filetree *tree, const char *path, struct error *err)
{
	if (filetree_row(tree, path) || filetree_rows_below(tree, path))
		return 1;
	return host_exists(tree->host, path, err);
}

int filetree_is_directory(struct filetree *tree, const char *path, struct error *err)
{
	const struct listed *row = filetree_row(tree, path);
	AUTO_FREE char *target = NULL;
	struct stat st;
	int r;

	if (row)
		return row->stat.type == FILETREE_DIRECTORY;
	if (filetree_rows_below(tree, path))
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

	if (filetree_prefix(&prefix, directory) < 0)
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
	int r = host_list_data(tree->host, directory, &names, err);

	if (r < 0 && !((r == -ENOENT || r == -ENOTDIR) && filetree_rows_below(tree, directory)))
		return r;
	error_done(err);
	if (add_row_names(tree, directory, &names) < 0)
		return error_oom(err);
	*ret = TAKE(names);
	return 0;
}

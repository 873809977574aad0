/* SPDX-License-Identifier: MIT */
#include "probe/mounts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/strv.h"
#include "probe/paths.h"
#include "probe/table_line.h"

#define MOUNTINFO_MAX_BYTES ((size_t)16 << 20)
#define SWAPS_MAX_BYTES ((size_t)1 << 20)
#define MALFORMED_MAX 16 /* the kernel writes none; the first ones tell the story */

void mounts_free(struct mounts *mounts)
{
	if (!mounts)
		return;
	for (size_t i = 0; i < mounts->n; i++) {
		free(mounts->items[i].target);
		free(mounts->items[i].source);
		free(mounts->items[i].fstype);
		free(mounts->items[i].root);
		free(mounts->items[i].options);
	}
	free(mounts->items);
	strv_free(mounts->malformed);
	free(mounts);
}

static int copy_text(char **to, const char *from)
{
	*to = from ? strdup(from) : NULL;
	return from && !*to ? -ENOMEM : 0;
}

static int fill(struct mount *mount, const struct table_line *line)
{
	const char *source = mnt_fs_get_source(line->fs);
	dev_t devno = mnt_fs_get_devno(line->fs);

	mount->line = line->number;
	mount->id = mnt_fs_get_id(line->fs);
	mount->parent = mnt_fs_get_parent_id(line->fs);
	mount->major = major(devno);
	mount->minor = minor(devno);
	if (source && strcmp(source, PATH_DEV_ROOT_KEPT) == 0)
		source = PATH_DEV_ROOT;
	if (copy_text(&mount->target, mnt_fs_get_target(line->fs)) < 0 ||
	    copy_text(&mount->source, source && *source ? source : NULL) < 0 ||
	    copy_text(&mount->fstype, mnt_fs_get_fstype(line->fs)) < 0 ||
	    copy_text(&mount->root, mnt_fs_get_root(line->fs)) < 0)
		return -ENOMEM;
	return copy_text(&mount->options, mnt_fs_get_options(line->fs));
}

static int add_refused(struct mounts *mounts, const struct table_line *line, struct error *err)
{
	AUTO_BUF text = BUF_INIT;

	if (strv_length(mounts->malformed) >= MALFORMED_MAX)
		return 0;
	if (buf_addf(&text, "%u: %s", line->number, line->text) < 0 ||
	    strv_add(&mounts->malformed, buf_text(&text)) < 0)
		return error_oom(err);
	return 0;
}

static int add_mount(const struct table_line *line, void *data, struct error *err)
{
	struct mounts *mounts = data;
	struct mount *more;

	if (line->blank)
		return 0;
	if (!line->fs)
		return add_refused(mounts, line, err);
	more = reallocarray(mounts->items, mounts->n + 1, sizeof(*more));
	if (!more)
		return error_oom(err);
	mounts->items = more;
	memset(&more[mounts->n], 0, sizeof(*more));
	return fill(&more[mounts->n++], line) < 0 ? error_oom(err) : 0;
}

bool path_is_below(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	if (len > 0 && dir[len - 1] == '/')
		len--;
	return strncmp(path, dir, len) == 0 && (path[len] == '\0' || path[len] == '/');
}

static int by_parent_and_target(const void *a, const void *b)
{
	const struct mount *x = *(struct mount *const *)a, *y = *(struct mount *const *)b;
	int order;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	order = strcmp(x->target, y->target);
	return order ? order : (x->line > y->line) - (x->line < y->line);
}

/* The last mount of this parent on exactly the first `len` bytes of `target`, or NULL. */
static const struct mount *last_on(struct mount *const *sorted, size_t n, int parent,
				   const char *target, size_t len)
{
	const struct mount *found = NULL;
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct mount *mount = sorted[middle];
		int order = mount->parent != parent ? (mount->parent < parent ? -1 : 1)
						    : strncmp(mount->target, target, len);

		if (order == 0 && mount->target[len])
			order = 1;
		if (order == 0)
			found = mount;
		if (order <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return found;
}

static bool is_hidden(struct mount *const *sorted, size_t n, const struct mount *mount)
{
	/* Not "/" itself: a root that is moved or pivoted is listed after what lies on it. */
	for (size_t len = strlen(mount->target); len-- > 1;) {
		const struct mount *over;

		if (mount->target[len] != '/')
			continue;
		over = last_on(sorted, n, mount->parent, mount->target, len);
		if (over && over->line > mount->line)
			return true;
	}
	return false;
}

/*
 * A mount is covered by a later one of the same parent on a directory above
 * it.  The kernel lists the mounts of one parent in the order they were made.
 */
static int find_hidden(struct mounts *mounts)
{
	AUTO_FREE struct mount **sorted = calloc(mounts->n + 1, sizeof(*sorted));

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < mounts->n; i++)
		sorted[i] = &mounts->items[i];
	qsort(sorted, mounts->n, sizeof(*sorted), by_parent_and_target);
	for (size_t i = 0; i < mounts->n; i++)
		mounts->items[i].hidden = is_hidden(sorted, mounts->n, &mounts->items[i]);
	return 0;
}

int mounts_load(struct host *host, struct mounts **ret, struct error *err)
{
	CLEANUP(cleanup_mounts) struct mounts *mounts = NULL;
	AUTO_BUF text = BUF_INIT;
	int r;

	r = host_read(host, PATH_MOUNTINFO, MOUNTINFO_MAX_BYTES, &text, err);
	if (r < 0)
		return r;
	mounts = calloc(1, sizeof(*mounts));
	if (!mounts)
		return error_oom(err);
	r = table_read(buf_text(&text), text.len, TABLE_MOUNTINFO, add_mount, mounts, NULL, err);
	if (r < 0) {
		error_wrap(err, "cannot read " PATH_MOUNTINFO);
		return r;
	}
	if (find_hidden(mounts) < 0)
		return error_oom(err);
	*ret = TAKE(mounts);
	return 0;
}

static const struct mount *last_at(const struct mounts *mounts, const char *target, bool hidden)
{
	for (size_t i = mounts->n; i-- > 0;)
		if (mounts->items[i].hidden == hidden &&
		    strcmp(mounts->items[i].target, target) == 0)
			return &mounts->items[i];
	return NULL;
}

const struct mount *mounts_at(const struct mounts *mounts, const char *target)
{
	return last_at(mounts, target, false);
}

const struct mount *mounts_hidden_at(const struct mounts *mounts, const char *target)
{
	return last_at(mounts, target, true);
}

const struct mount *mounts_over(const struct mounts *mounts, const char *path)
{
	const struct mount *best = NULL;

	for (size_t i = mounts->n; i-- > 0;) {
		const struct mount *mount = &mounts->items[i];

		if (!mount->hidden && path_is_below(path, mount->target) &&
		    (!best || strlen(mount->target) > strlen(best->target)))
			best = mount;
	}
	return best;
}

void swaps_free(struct swaps *swaps)
{
	if (!swaps)
		return;
	for (size_t i = 0; i < swaps->n; i++)
		free(swaps->items[i].source);
	free(swaps->items);
	free(swaps);
}

static int add_swap(const struct table_line *line, void *data, struct error *err)
{
	struct swaps *swaps = data;
	struct swap *more;

	/* libmount takes the header for what it is, and gives no entry. */
	if (line->blank || (line->number == 1 && strncmp(line->text, "Filename", 8) == 0))
		return 0;
	if (!line->fs)
		return error_set(err, -EBADMSG, "line %u is no swap area: '%s'", line->number,
				 line->text);
	more = reallocarray(swaps->items, swaps->n + 1, sizeof(*more));
	if (!more)
		return error_oom(err);
	swaps->items = more;
	more[swaps->n] =
		(struct swap){ .line = line->number,
			       .source = strdup(mnt_fs_get_source(line->fs)),
			       .file = strcmp(mnt_fs_get_swaptype(line->fs), "file") == 0 };
	return more[swaps->n++].source ? 0 : error_oom(err);
}

int swaps_load(struct host *host, struct swaps **ret, struct error *err)
{
	CLEANUP(cleanup_swaps) struct swaps *swaps = calloc(1, sizeof(*swaps));
	AUTO_BUF text = BUF_INIT;
	int r;

	if (!swaps)
		return error_oom(err);
	r = host_read(host, PATH_SWAPS, SWAPS_MAX_BYTES, &text, err);
	if (r == -ENOENT && host_is_live(host)) {
		error_done(err); /* the kernel was built without swap */
		*ret = TAKE(swaps);
		return 0;
	}
	if (r == 0)
		r = table_read(buf_text(&text), text.len, TABLE_SWAPS, add_swap, swaps, NULL, err);
	if (r < 0) {
		error_wrap(err, "cannot read " PATH_SWAPS);
		return r;
	}
	*ret = TAKE(swaps);
	return 0;
}

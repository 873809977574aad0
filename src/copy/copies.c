/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/intl.h"
#include "copy/copy.h"
#include "copy/manifest_internal.h"
#include "sys/copyfs.h"
#include "sys/io.h"

void copies_free(struct copy_found *found, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		free(found[i].dir);
		free(found[i].created);
	}
	free(found);
}

/* "x.failed", "x.failed.2": what is set aside keeps its suffix before a number. */
static bool has_suffix(const char *name, const char *suffix)
{
	size_t len = strlen(name), tail = strlen(suffix);

	while (len && name[len - 1] >= '0' && name[len - 1] <= '9')
		len--;
	if (len == strlen(name))
		len++;
	else if (!len || name[len - 1] != '.')
		return false;
	len--;
	return len > tail && strncmp(name + len - tail, suffix, tail) == 0;
}

static int state_of(const char *name)
{
	if (has_suffix(name, COPY_PARTIAL))
		return COPY_IS_PARTIAL;
	if (has_suffix(name, COPY_SUPERSEDED))
		return COPY_IS_SUPERSEDED;
	return has_suffix(name, COPY_FAILED) ? COPY_IS_FAILED : COPY_WHOLE;
}

/* Files and bytes of an unfinished or finished manifest, as far as it goes. */
static void count(int dir, struct copy_found *ret)
{
	CLEANUP(cleanup_manifest_reader) struct manifest_reader *reader = NULL;
	struct copy_head head;
	struct copy_entry entry;
	int r = manifest_open_unfinished(dir, &reader, &head, NULL);

	while (r >= 0) {
		r = manifest_next(reader, &entry, &head, NULL);
		if (r <= 0)
			break;
		ret->bytes += entry.type == ENTRY_FILE ? entry.size : 0;
		copy_entry_done(&entry);
	}
	if (reader) {
		ret->session = head.session;
		ret->created = TAKE(head.created);
		copy_head_done(&head);
	}
}

/* Is it laid out as a copy, whatever became of its manifest? */
static bool is_laid_out(int dir)
{
	static const char *const beside[] = { COPY_MANIFEST, COPY_SUMS, COPY_RESTORE };
	struct stat st;
	bool mounted;

	if (copyfs_look(dir, COPY_DATA, &st, &mounted) < 0 || !S_ISDIR(st.st_mode))
		return false;
	for (size_t i = 0; i < ELEMENTS(beside); i++)
		if (copyfs_look(dir, beside[i], &st, &mounted) == 0)
			return true;
	return false;
}

/* 1 when it is one of ours, whole or not. */
static int look_into(int parent, const char *path, const char *name, struct copy_found *ret)
{
	AUTO_FD dir = copyfs_open_dir(parent, name);
	struct stat st, data;
	bool mounted;

	if (dir == -ENOTDIR || dir == -ELOOP || dir == -ENOENT || dir == -EXDEV)
		return 0;
	if (dir < 0)
		return dir;
	memset(ret, 0, sizeof(*ret));
	ret->state = state_of(name);
	/* Nothing else has a manifest of that form, or is called so with data/ in it. */
	if (copyfs_look(dir, COPY_MANIFEST, &st, &mounted) < 0 &&
	    copyfs_look(dir, COPY_DATA, &data, &mounted) < 0)
		return 0;
	count(dir, ret);
	/* One without the head of its manifest is worth nothing, and holds secrets still. */
	if (ret->state == COPY_WHOLE && !ret->created && !is_laid_out(dir))
		return 0;
	if (ret->state == COPY_WHOLE && !ret->created)
		ret->state = COPY_IS_FAILED;
	if (asprintf(&ret->dir, "%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/", name) <
	    0) {
		ret->dir = NULL;
		free(ret->created);
		return -ENOMEM;
	}
	return 1;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct copy_found *)a)->dir, ((const struct copy_found *)b)->dir);
}

static int add(struct copy_found **found, size_t *n, const struct copy_found *one)
{
	struct copy_found *more = reallocarray(*found, *n + 1, sizeof(**found));

	if (!more)
		return -ENOMEM;
	more[(*n)++] = *one;
	*found = more;
	return 0;
}

static int collect(int fd, const char *parent, struct copy_found **found, size_t *n)
{
	struct copyfs_list list;
	const char *name;
	int r = copyfs_list_open(fd, &list);

	while (r >= 0 && (r = copyfs_list_next(&list, &name)) > 0) {
		struct copy_found one;

		r = look_into(fd, parent, name, &one);
		if (r > 0 && (r = add(found, n, &one)) < 0) {
			free(one.dir);
			free(one.created);
		}
	}
	return r;
}

int copies_in(const char *parent, struct copy_found **ret, size_t *ret_n, struct error *err)
{
	AUTO_FD fd = copyfs_open_path(parent);
	struct copy_found *found = NULL;
	size_t n = 0;
	int r = fd < 0 ? fd : collect(fd, parent, &found, &n);

	if (r < 0) {
		copies_free(found, n);
		if (r == -ENOMEM)
			return error_oom(err);
		error_set(err, r, "cannot look for copies in %s: %s", parent, strerror(-r));
		error_hint(err, "%s", _("check that the directory is there, and run as root"));
		return r;
	}
	if (n)
		qsort(found, n, sizeof(*found), by_name);
	*ret = found;
	*ret_n = n;
	return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * What lies on the disks of the work and is named by no entry.
 *
 * Each filesystem is walked from its mount point: what an entry covers is
 * passed over, what holds an entry is looked into, the rest is summed up by
 * directory.  What its use, as statvfs(2) tells it, has more than all that is
 * the filesystem's own as long as it is little; more of it is files that were
 * not seen: deleted and still open, below another mount, in a snapshot, or not
 * listed by a capture.
 */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "probe/fskind.h"
#include "step/files_copy.h"
#include "sys/clock.h"
#include "work/work.h"

#define TOLD_AT_MOST 10
#define DEPTH_AT_MOST 16
#define SEARCH_US UINT64_C(30000000) /* of one filesystem */
/* Of a filesystem's use that is not in its files: directories, extents, half blocks. */
#define OWN_SHARE 100 /* one part in */
#define OWN_MIN ((uint64_t)64 << 20)

struct heap {
	char *path;
	uint64_t bytes;
};

struct rest {
	struct copying *copying;
	const struct mount *mount;
	struct heap *heaps;
	size_t n;
	uint64_t seen; /* in the heaps */
	uint64_t until_us;
	bool cut; /* there was more than can be summed up in that time */
};

static void rest_done(struct rest *rest)
{
	for (size_t i = 0; i < rest->n; i++)
		free(rest->heaps[i].path);
	free(rest->heaps);
}

static int add_heap(struct rest *rest, const char *path, uint64_t bytes)
{
	struct heap *grown;

	if (!bytes)
		return 0;
	grown = reallocarray(rest->heaps, rest->n + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	rest->heaps = grown;
	grown[rest->n] = (struct heap){ strdup(path), bytes };
	rest->seen += bytes;
	return grown[rest->n++].path ? 0 : -ENOMEM;
}

/* Another filesystem has its own turn. */
static bool is_another(const struct rest *rest, const char *path)
{
	const struct mount *mount = mounts_over(rest->copying->to.mounts, path);

	return mount && mount != rest->mount && strcmp(mount->target, path) == 0;
}

static int sum_one(struct rest *rest, const char *path, uint64_t *bytes, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	struct filetree_sum found = { 0 };
	int r;

	if (is_another(rest, path))
		return 0;
	if (clock_monotonic_us() > rest->until_us) {
		rest->cut = true;
		return 0;
	}
	r = filetree_sum(rest->copying->tree, path, rest->copying->step->cancelled, &found, &why);
	if (r == -ENOMEM || r == -ECANCELED)
		return error_copy(err, &why);
	if (r && r != -ENOENT)
		result_unknown(rest->copying->result, "unreadable", path, path, &why);
	*bytes += found.bytes;
	return 0;
}

/* Directory by directory, so that the time is looked at between them. */
static int sum(struct rest *rest, const char *path, struct error *err)
{
	AUTO_STRV char **names = NULL;
	uint64_t bytes = 0;
	int r = 0;

	if (filetree_is_directory(rest->copying->tree, path, NULL) != 1 ||
	    filetree_list(rest->copying->tree, path, &names, NULL) < 0)
		r = sum_one(rest, path, &bytes, err);
	for (char **name = names; r == 0 && name && *name; name++) {
		AUTO_BUF child = BUF_INIT;

		buf_addf(&child, "%s/%s", path, *name);
		r = buf_error(&child) ? error_oom(err)
				      : sum_one(rest, buf_text(&child), &bytes, err);
	}
	if (r)
		return r;
	return add_heap(rest, path, bytes) ? error_oom(err) : 0;
}

static int walk(struct rest *rest, const char *dir, unsigned depth, struct error *err);

static int look_at(struct rest *rest, const char *path, unsigned depth, struct error *err)
{
	if (is_another(rest, path))
		return 0;
	if (copying_is_above(rest->copying, path))
		return copying_owner(rest->copying, path) || depth == DEPTH_AT_MOST
			       ? 0
			       : walk(rest, path, depth + 1, err);
	return copying_owner(rest->copying, path) ? 0 : sum(rest, path, err);
}

static int walk(struct rest *rest, const char *dir, unsigned depth, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_STRV char **names = NULL;
	int r = filetree_list(rest->copying->tree, dir, &names, &why);

	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0) {
		/* A capture does not hold what it lists; what is missing is in the sum below. */
		if (r != -ENOENT)
			result_unknown(rest->copying->result, "unreadable", dir, dir, &why);
		return 0;
	}
	for (char **name = names; r == 0 && name && *name; name++) {
		AUTO_BUF path = BUF_INIT;

		buf_addf(&path, "%s/%s", strcmp(dir, "/") == 0 ? "" : dir, *name);
		r = buf_error(&path) ? error_oom(err) : look_at(rest, buf_text(&path), depth, err);
	}
	return r;
}

/* ---- what is said of it ----------------------------------------------------------- */

static int by_bytes(const void *a, const void *b)
{
	const struct heap *x = a, *y = b;

	return x->bytes < y->bytes ? 1 : x->bytes > y->bytes ? -1 : strcmp(x->path, y->path);
}

PRINTF_LIKE(4, 5)
static void say(struct rest *rest, const char *subject, uint64_t bytes, const char *fmt, ...)
{
	struct result *ret = rest->copying->result;
	struct finding *finding = result_find(ret, "unclassified", VERDICT_WARN, "%s", subject);
	AUTO_BUF text = BUF_INIT, observed = BUF_INIT;
	va_list args;

	va_start(args, fmt);
	buf_vaddf(&text, fmt, args);
	va_end(args);
	result_say(ret, finding, "%s", buf_text(&text));
	result_remedy(ret, finding,
		      _("Say in the sources whether it can be had again: {path: %s}, or with "
			"keep: recreatable and a reason."),
		      subject);
	buf_addf(&observed, "%llu bytes", (unsigned long long)bytes);
	result_evidence(ret, finding, subject, buf_text(&observed), NULL, NULL);
}

static void say_heaps(struct rest *rest)
{
	uint64_t bytes = 0;
	AUTO_FREE char *more = NULL;

	if (rest->n)
		qsort(rest->heaps, rest->n, sizeof(*rest->heaps), by_bytes);
	for (size_t i = 0; i < rest->n; i++) {
		const struct heap *heap = &rest->heaps[i];
		AUTO_FREE char *size = NULL;

		if (i >= TOLD_AT_MOST) {
			bytes += heap->bytes;
			continue;
		}
		if (size_words(heap->bytes, &size) == 0)
			say(rest, heap->path, heap->bytes,
			    _("%s holds %s that no entry of the sources names."), heap->path, size);
	}
	if (rest->n > TOLD_AT_MOST && size_words(bytes, &more) == 0)
		say(rest, rest->mount->target, bytes,
		    _("%s holds %s more in %zu other places that no entry of the sources names."),
		    rest->mount->target, more, rest->n - TOLD_AT_MOST);
}

/* Bytes of the sources that lie on this filesystem. */
static uint64_t classified(const struct rest *rest)
{
	const struct copying *copying = rest->copying;
	uint64_t bytes = 0;

	for (size_t i = 0; i < copying->n; i++) {
		const struct copy_item *item = &copying->items[i];

		if (item->path && mounts_over(copying->to.mounts, item->path) == rest->mount)
			bytes += item->bytes;
	}
	return bytes;
}

static void say_unseen(struct rest *rest, uint64_t used)
{
	uint64_t named = classified(rest) + rest->seen;
	uint64_t own = used / OWN_SHARE > OWN_MIN ? used / OWN_SHARE : OWN_MIN;
	uint64_t unseen = named < used ? used - named : 0;
	struct result *ret = rest->copying->result;
	AUTO_BUF observed = BUF_INIT, formula = BUF_INIT, derived = BUF_INIT;
	AUTO_FREE char *size = NULL;
	struct finding *finding;

	for (size_t i = 0; i < rest->copying->n; i++)
		if (!rest->copying->items[i].known)
			return; /* what is not summed up would be told as unseen */
	if (unseen <= own || size_words(unseen, &size) < 0)
		return;
	finding = result_find(ret, "unclassified", VERDICT_WARN, "%s", rest->mount->target);
	result_say(ret, finding,
		   rest->cut ? _("%s uses %s more than the files that were looked at in 30 s.")
			     : _("%s uses %s more than the files that were seen."),
		   rest->mount->target, size);
	result_remedy(ret, finding,
		      rest->cut ? _("See what it holds, and say in the sources what of it can be "
				    "had again: du -x %s")
				: _("Look for files that are deleted and still open, snapshots, or "
				    "what lies below another mount: du -x %s"),
		      rest->mount->target);
	buf_addf(&observed, "%llu bytes used", (unsigned long long)used);
	buf_addf(&formula, "%llu - %llu named", (unsigned long long)used,
		 (unsigned long long)named);
	buf_addf(&derived, "%llu > max(1 %%, 64 MiB) = %llu", (unsigned long long)unseen,
		 (unsigned long long)own);
	result_evidence(ret, finding, "statvfs", buf_text(&observed), buf_text(&formula),
			buf_text(&derived));
}

static int judge_mount(struct copying *copying, const struct mount *mount, struct error *err)
{
	CLEANUP(rest_done)
	struct rest rest = {
		.copying = copying,
		.mount = mount,
		.until_us = clock_monotonic_us() + SEARCH_US,
	};
	CLEANUP(error_done) struct error why = ERROR_INIT;
	struct space space = { 0 };
	int r = copying_owner(copying, mount->target) ? 0 : walk(&rest, mount->target, 0, err);

	if (r)
		return r;
	say_heaps(&rest);
	r = facts_space(copying->step->facts, mount->target, &space, &why);
	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0)
		result_unknown(copying->result, "unreadable", mount->target, mount->target, &why);
	else if (space.free <= space.total)
		say_unseen(&rest, space.total - space.free);
	space_done(&space);
	return 0;
}

/* One mount stands for a filesystem: the first of those that show most of it. */
static bool stands_for_it(const struct mounts *mounts, size_t index)
{
	const struct mount *mount = &mounts->items[index];

	if (mount->hidden)
		return false;
	for (size_t i = 0; i < mounts->n; i++) {
		const struct mount *other = &mounts->items[i];
		bool same = other->major == mount->major && other->minor == mount->minor;

		if (i == index || !same || other->hidden)
			continue;
		if (strcmp(other->root, mount->root) == 0 ? i < index
							  : path_is_below(mount->root, other->root))
			return false;
	}
	return true;
}

static void say_not_mounted(struct copying *copying, const struct block *block)
{
	struct finding *finding =
		result_find(copying->result, "not-mounted", VERDICT_WARN, "%s", block->name);

	result_say(
		copying->result, finding,
		_("%s holds a filesystem (%s) that is not mounted: what lies in it is not known."),
		block->name, block->fs_type);
	result_remedy(copying->result, finding,
		      _("Mount %s and name what is in it, or be sure that it is not needed."),
		      block->name);
	result_evidence(copying->result, finding, block->devpath, block->fs_type, NULL, NULL);
}

static bool is_left_alone(struct copying *copying, const struct block *block)
{
	bool filesystem = block->fs_usage && strcmp(block->fs_usage, "filesystem") == 0;

	return filesystem && work_touches_device(copying->step->work, block) &&
	       !facts_is_mounted(copying->step->facts, block);
}

/* A pool's members are not mounted themselves. */
static bool is_pool(const struct block *block)
{
	return strcmp(block->fs_type, "btrfs") == 0 || strncmp(block->fs_type, "zfs", 3) == 0;
}

int copying_rest(struct copying *copying, struct error *err)
{
	const struct mounts *mounts = copying->to.mounts;
	const struct blocks *blocks = copying->to.blocks;
	int r = 0;

	for (size_t i = 0; r == 0 && i < mounts->n; i++) {
		const struct block *device = blocks_of_mount(blocks, &mounts->items[i]);

		if (device && work_touches_device(copying->step->work, device) &&
		    fskind_of(mounts->items[i].fstype) == FSKIND_DEVICE && stands_for_it(mounts, i))
			r = judge_mount(copying, &mounts->items[i], err);
	}
	for (size_t i = 0; r == 0 && i < blocks->n; i++)
		if (is_left_alone(copying, blocks->items[i]) && blocks->items[i]->fs_type &&
		    !is_pool(blocks->items[i]))
			say_not_mounted(copying, blocks->items[i]);
	return r;
}

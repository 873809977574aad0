/* SPDX-License-Identifier: MIT */
/* What the kernel itself holds, and no process shows: files behind loop devices, swap. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/strv.h"
#include "probe/holders_internal.h"
#include "probe/mounts.h"
#include "probe/paths.h"
#include "sys/loopdev.h"

#define DELETED " (deleted)"

/* A file that the kernel holds. */
struct kept {
	enum holder_type type;
	const char *text;   /* as the kernel calls it */
	const char *source; /* "/proc/swaps:2" */
	const char *by;     /* "loop3" */
	bool known;         /* the two below */
	dev_t dev;
	ino_t ino;
};

static size_t length_of(const char *text)
{
	size_t len = strlen(text), cut = strlen(DELETED);

	return len > cut && strcmp(text + len - cut, DELETED) == 0 ? len - cut : len;
}

static int add_kept(struct holders_made *made, const struct kept *kept, enum holder_of of,
		    size_t asked, bool former)
{
	struct holder *holder = holders_add(made);

	if (!holder)
		return -ENOMEM;
	holder->of = of;
	holder->asked = asked;
	holder->type = former ? HOLDER_FORMER : kept->type;
	holder->writes = true;
	holder->comm = strdup(kept->by);
	holder->text = strdup(kept->text);
	holder->source = strdup(kept->source);
	holder->observed = strdup(kept->text);
	return holder->comm && holder->text && holder->source && holder->observed ? 0 : -ENOMEM;
}

static bool is_path(const char *text, const char *path)
{
	return strlen(path) == length_of(text) && strncmp(text, path, strlen(path)) == 0;
}

static int match_file(struct holders_made *made, const struct kept *kept, size_t i)
{
	const struct holders_file *file = &made->asked->files[i];
	bool deleted = length_of(kept->text) != strlen(kept->text);
	bool same = kept->known ? file->ino && kept->dev == file->dev && kept->ino == file->ino
				: !deleted && is_path(kept->text, file->path);

	if (same)
		return add_kept(made, kept, HOLDER_OF_FILE, i, false);
	if (deleted && is_path(kept->text, file->path))
		return add_kept(made, kept, HOLDER_OF_FILE, i, true);
	return 0;
}

static bool is_on(const struct kept *kept, const struct holders_filesystem *filesystem)
{
	if (kept->known && filesystem->dev)
		return kept->dev == filesystem->dev;
	return filesystem->mount_point && path_is_below(kept->text, filesystem->mount_point);
}

static int match(struct holders_made *made, const struct kept *kept)
{
	int r = 0;

	for (size_t i = 0; i < made->asked->n_files && r == 0; i++)
		r = match_file(made, kept, i);
	for (size_t i = 0; i < made->asked->n_filesystems && r == 0; i++)
		if (is_on(kept, &made->asked->filesystems[i]))
			r = add_kept(made, kept, HOLDER_OF_FILESYSTEM, i, false);
	return r;
}

/* Two holders of one name: the text is the path in the namespace of whoever set it up. */
static int find_loop(struct holders_made *made, const char *name)
{
	AUTO_FREE char *path = NULL, *text = NULL;
	struct kept kept = { .type = HOLDER_LOOP, .by = name };
	int r;

	if (asprintf(&path, PATH_LOOP_BACKING_FMT, name) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	r = host_read_line(made->host, path, &text, NULL);
	if (r == -ENOENT || r == -ENXIO)
		return 0;
	if (r < 0)
		return r == -ENOMEM || r == -ECANCELED
			       ? r
			       : holders_gap(made, "%s: %s", path, strerror(-r));
	kept.text = text;
	kept.source = path;
	if (host_is_live(made->host)) {
		r = loopdev_backing(made->host, name, &kept.dev, &kept.ino);
		if (r == -ENXIO)
			return 0;
		if (r < 0) {
			r = holders_gap(made, PATH_DEV "/%s: %s", name, strerror(-r));
			if (r < 0)
				return r;
		} else {
			kept.known = true;
		}
	}
	return match(made, &kept);
}

static int find_loops(struct holders_made *made)
{
	AUTO_STRV char **names = NULL;
	int r = host_list(made->host, PATH_BLOCK, &names, NULL);

	if (r == -ENOMEM || r == -ECANCELED)
		return r;
	if (r < 0)
		return holders_gap(made, PATH_BLOCK ": %s", strerror(-r));
	for (size_t i = 0; names && names[i] && r == 0; i++)
		if (strncmp(names[i], "loop", 4) == 0)
			r = find_loop(made, names[i]);
	return r;
}

static int match_swap_device(struct holders_made *made, const struct kept *kept)
{
	struct stat st;
	int r = 0;

	if (host_stat(made->host, kept->text, &st, NULL) < 0 || !S_ISBLK(st.st_mode))
		return 0;
	for (size_t i = 0; i < made->asked->n_devices && r == 0; i++)
		if (made->asked->devices[i] == st.st_rdev)
			r = add_kept(made, kept, HOLDER_OF_DEVICE, i, false);
	return r;
}

static int find_swap(struct holders_made *made, const struct swap *swap)
{
	struct kept kept = { .type = HOLDER_SWAP, .text = swap->source, .by = "swap" };
	AUTO_FREE char *source = NULL;
	struct stat st;

	if (asprintf(&source, PATH_SWAPS ":%u", swap->line) < 0) {
		source = NULL;
		return -ENOMEM;
	}
	kept.source = source;
	if (!swap->file)
		return match_swap_device(made, &kept);
	if (host_is_live(made->host) && host_stat(made->host, swap->source, &st, NULL) == 0) {
		kept.known = true;
		kept.dev = st.st_dev;
		kept.ino = st.st_ino;
	}
	return match(made, &kept);
}

static int find_swaps(struct holders_made *made)
{
	CLEANUP(cleanup_swaps) struct swaps *swaps = NULL;
	struct error why = ERROR_INIT;
	int r = swaps_load(made->host, &swaps, &why);

	if (r == -ENOENT && !host_is_live(made->host))
		r = holders_gap(made, PATH_SWAPS ": not in the capture");
	else if (r < 0 && r != -ENOMEM && r != -ECANCELED)
		r = holders_gap(made, PATH_SWAPS ": %s", error_text(&why));
	for (size_t i = 0; swaps && i < swaps->n && r == 0; i++)
		r = find_swap(made, &swaps->items[i]);
	error_done(&why);
	return r;
}

int holders_find_kernel(struct holders_made *made, struct error *err)
{
	int r = find_loops(made);

	if (r == 0)
		r = find_swaps(made);
	if (r == -ENOMEM)
		return error_oom(err);
	return r < 0 ? error_set(err, r, "cannot look for loop devices and swap: %s", strerror(-r))
		     : 0;
}

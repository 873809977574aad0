/* SPDX-License-Identifier: MIT */
#include "copy/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/intl.h"
#include "copy/copy.h"
#include "sys/copyfs.h"
#include "sys/io.h"

#define ASIDE_MAX 1000

static int cannot(const char *what, const char *path, int code, struct error *err)
{
	if (code == -ENOMEM)
		return error_oom(err);
	error_set(err, code, "cannot %s %s: %s", what, path, strerror(-code));
	error_hint(err, code == -ENOSPC || code == -EDQUOT
				? _("make room on the destination, and run the step again")
				: _("check that the destination is there, and that root can write "
				    "to it"));
	return code;
}

static int split(struct copy_place *place, const char *dir, struct error *err)
{
	const char *slash = strrchr(dir, '/');

	if (dir[0] != '/' || !slash || !slash[1]) {
		error_set(err, -EINVAL, "%s is no absolute path of a directory", dir);
		error_hint(err, "%s", _("name the copy's directory by its absolute path"));
		return -EINVAL;
	}
	place->parent = slash == dir ? strdup("/") : strndup(dir, (size_t)(slash - dir));
	place->name = strdup(slash + 1);
	if (asprintf(&place->partial, "%s" COPY_PARTIAL, dir) < 0)
		place->partial = NULL;
	return place->parent && place->name && place->partial ? 0 : error_oom(err);
}

/* 0700 from the first byte, and nobody else's. */
static int open_partial(struct copy_place *place, struct error *err)
{
	const char *name = strrchr(place->partial, '/') + 1;
	struct stat st;
	bool made = mkdirat(place->above, name, 0700) == 0;

	if (!made && errno != EEXIST)
		return cannot("make", place->partial, -errno, err);
	place->dir = copyfs_open_dir(place->above, name);
	if (place->dir < 0)
		return cannot("open", place->partial, place->dir, err);
	if (fstat(place->dir, &st) < 0)
		return cannot("look at", place->partial, -errno, err);
	if (st.st_uid != geteuid() || (st.st_mode & 022)) {
		error_set(err, -EPERM, "%s could have been written by somebody else",
			  place->partial);
		error_hint(err, _("remove it: rm -rf %s"), place->partial);
		return -EPERM;
	}
	if (fchmod(place->dir, 0700) < 0)
		return cannot("close to others", place->partial, -errno, err);
	/* What a crash left of writing it; an error shows where it matters. */
	(void)copyfs_remove(place->dir, "." COPY_RESTORE ".new");
	if (mkdirat(place->dir, COPY_DATA, 0700) < 0 && errno != EEXIST)
		return cannot("make data in", place->partial, -errno, err);
	place->data = copyfs_open_dir(place->dir, COPY_DATA);
	return place->data < 0 ? cannot("open data in", place->partial, place->data, err) : 0;
}

int place_open(struct copy_place *ret, const char *dir, struct error *err)
{
	struct stat st;
	bool mounted;
	int r;

	memset(ret, 0, sizeof(*ret));
	ret->above = ret->dir = ret->data = -1;
	r = split(ret, dir, err);
	if (r < 0)
		return r;
	ret->above = copyfs_open_path(ret->parent);
	if (ret->above < 0)
		return cannot("open", ret->parent, ret->above, err);
	r = copyfs_look(ret->above, ret->name, &st, &mounted);
	if (r == 0) {
		error_set(err, -EEXIST, "%s is there already", dir);
		error_hint(err, "%s", _("move it away, or give another destination"));
		return -EEXIST;
	}
	if (r != -ENOENT)
		return cannot("look at", dir, r, err);
	return open_partial(ret, err);
}

void place_done(struct copy_place *place)
{
	cleanup_fd(&place->data);
	cleanup_fd(&place->dir);
	cleanup_fd(&place->above);
	free(place->parent);
	free(place->name);
	free(place->partial);
}

static int give_name(struct copy_place *place, const char *name)
{
	const char *from = strrchr(place->partial, '/') + 1;

	if (renameat2(place->above, from, place->above, name, 1 /* RENAME_NOREPLACE */) == 0)
		return 0;
	if (errno != EINVAL)
		return -errno;
	/* A filesystem without that flag: a directory never replaces one with something in it. */
	return renameat(place->above, from, place->above, name) < 0 ? -errno : 0;
}

int place_commit(struct copy_place *place)
{
	int r;

	if (fsync(place->data) < 0 || fsync(place->dir) < 0)
		return -errno;
	r = give_name(place, place->name);
	if (r < 0)
		return r;
	if (fsync(place->above) == 0)
		return 0;
	r = -errno;
	/* It must not carry a name that may be gone after a power cut. */
	(void)renameat(place->above, place->name, place->above, strrchr(place->partial, '/') + 1);
	return r;
}

void place_discard(struct copy_place *place)
{
	(void)copyfs_remove(place->above, strrchr(place->partial, '/') + 1);
}

char *place_set_aside(struct copy_place *place)
{
	int n;

	for (n = 1; n < ASIDE_MAX; n++) {
		AUTO_FREE char *name = NULL;
		char *path = NULL;
		int r;

		r = n == 1 ? asprintf(&name, "%s" COPY_FAILED, place->name)
			   : asprintf(&name, "%s" COPY_FAILED ".%d", place->name, n);
		if (r < 0) {
			name = NULL;
			return NULL;
		}
		r = give_name(place, name);
		if (r == -EEXIST || r == -ENOTEMPTY)
			continue;
		if (r < 0 || asprintf(&path, "%s/%s", place->parent, name) < 0)
			return NULL;
		(void)fsync(place->above);
		return path;
	}
	return NULL;
}

/* SPDX-License-Identifier: MIT */
/*
 * What stands above the roots in a copy: its four parts, directories on the
 * way to a root, and nothing else.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "copy/sweep.h"
#include "sys/io.h"

static bool leads_to_root(char *const *roots, const char *path)
{
	size_t len = strlen(path);

	for (; roots && *roots; roots++)
		if (strncmp(*roots, path, len) == 0 && (*roots)[len] == '/')
			return true;
	return false;
}

static int look_at(struct sweep *sweep, int fd, const char *path);

static int judge(struct sweep *sweep, int fd, const char *name, const char *path)
{
	AUTO_FD below = -1;

	if (strv_has(sweep->roots, path))
		return 0;
	if (!leads_to_root(sweep->roots, path))
		return sweep_fault(sweep, path, _("it is no part of the copy"));
	below = copyfs_open_dir(fd, name);
	return below < 0 ? sweep_fault(sweep, path, strerror(-below)) : look_at(sweep, below, path);
}

static int look_at(struct sweep *sweep, int fd, const char *path)
{
	struct copyfs_list list;
	const char *name;
	int r = copyfs_list_open(fd, &list);

	while (r >= 0 && (r = copyfs_list_next(&list, &name)) > 0) {
		AUTO_FREE char *below = NULL;

		if (asprintf(&below, "%s/%s", path, name) < 0) {
			below = NULL;
			return run_system(sweep->run, -ENOMEM, path, "cannot verify");
		}
		r = judge(sweep, fd, name, below);
	}
	if (r == -ECANCELED || r >= 0)
		return r;
	return sweep_fault(sweep, path, strerror(-r));
}

/* RESTORE.md is the last: without it nothing of the proof is missing. */
static int look_beside(struct sweep *sweep)
{
	static const char *const parts[] = { COPY_DATA, COPY_SUMS, COPY_MANIFEST, COPY_RESTORE };
	bool found[ELEMENTS(parts)] = { false };
	struct copyfs_list list;
	const char *name;
	int r = copyfs_list_open(sweep->dir, &list);

	while (r >= 0 && (r = copyfs_list_next(&list, &name)) > 0) {
		size_t i = 0;

		while (i < ELEMENTS(parts) && strcmp(parts[i], name) != 0)
			i++;
		if (i < ELEMENTS(parts))
			found[i] = true;
		else
			r = sweep_fault(sweep, name, _("it is no part of the copy"));
	}
	for (size_t i = 0; r >= 0 && i + 1 < ELEMENTS(parts); i++)
		if (!found[i])
			r = sweep_fault(sweep, parts[i], _("it is missing"));
	return r == -ECANCELED || r >= 0 ? r : sweep_fault(sweep, ".", strerror(-r));
}

int sweep_above(struct sweep *sweep)
{
	int r = look_at(sweep, sweep->data, "");

	/* While it is made, not all of it is there yet. */
	return r < 0 || sweep->source_hash ? r : look_beside(sweep);
}

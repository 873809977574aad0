/* SPDX-License-Identifier: MIT */
/* The table of rows.c, spread out over what the host has. */
#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#include "base/strv.h"
#include "capture/collect.h"

#define DEPTH_MAX 8

static bool is_pattern(const char *component)
{
	return strpbrk(component, "*?[") != NULL;
}

static char *join(const char *directory, const char *name)
{
	AUTO_BUF path = BUF_INIT;

	buf_addf(&path, "%s/%s", directory, name);
	return buf_take(&path);
}

/* All below a directory.  Its links are taken and followed to files, never to directories. */
static int take_below(struct capture *capture, const char *directory, unsigned depth,
		      struct error *err)
{
	AUTO_STRV char **names = NULL;
	int r = host_list(capture->host, directory, &names, NULL);

	if (r < 0 || depth == 0)
		return r == -ENOMEM ? error_oom(err)
				    : collect_path(capture, directory, WANT_STAT, err);
	r = collect_path(capture, directory, WANT_STAT, err);
	for (char **name = names; r == 0 && *name; name++) {
		AUTO_FREE char *path = join(directory, *name), *target = NULL;
		struct stat st;

		if (!path)
			return error_oom(err);
		if (host_readlink(capture->host, path, &target, NULL) < 0 &&
		    host_stat(capture->host, path, &st, NULL) == 0 && S_ISDIR(st.st_mode))
			r = take_below(capture, path, depth - 1, err);
		else
			r = collect_path(capture, path, WANT_CONTENT, err);
	}
	return r;
}

static int take_end(struct capture *capture, const struct capture_row *row, const char *path,
		    struct error *err)
{
	return row->below ? take_below(capture, path, DEPTH_MAX, err)
			  : collect_path(capture, path, WANT_CONTENT, err);
}

/* `rest` of the row's glob below `directory`. */
static int take_glob(struct capture *capture, const struct capture_row *row, const char *directory,
		     const char *rest, struct error *err)
{
	size_t len = strcspn(++rest, "/");
	AUTO_FREE char *component = strndup(rest, len);
	AUTO_STRV char **names = NULL;
	int r = component ? 0 : error_oom(err);

	rest += len;
	if (r < 0)
		return r;
	if (is_pattern(component)) {
		r = host_list(capture->host, *directory ? directory : "/", &names, NULL);
		if (r < 0)
			return r == -ENOMEM ? error_oom(err) : 0;
	} else if (strv_add(&names, component) < 0) {
		return error_oom(err);
	}
	for (char **name = names; r == 0 && *name; name++) {
		AUTO_FREE char *path = NULL;

		if (is_pattern(component) && fnmatch(component, *name, FNM_NOESCAPE) != 0)
			continue;
		path = join(directory, *name);
		if (!path)
			return error_oom(err);
		r = *rest ? take_glob(capture, row, path, rest, err)
			  : take_end(capture, row, path, err);
	}
	return r;
}

int collect_rows(struct capture *capture, struct error *err)
{
	const struct capture_row *row;
	int r = 0;

	for (size_t i = 0; r == 0 && (row = capture_row_at(i)); i++)
		if (row->take)
			r = take_glob(capture, row, "", row->glob, err);
	return r;
}

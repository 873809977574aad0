/* SPDX-License-Identifier: MIT */
/* Which unit files there are: by precedence, with their drop-ins. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/strv.h"
#include "probe/paths.h"
#include "probe/unitfile.h"

#define UNITFILE_MAX ((size_t)256 << 10)

/* By precedence: the first that has a name wins. */
static const char *const unit_dirs[] = { PATH_SYSTEMD_ETC, PATH_SYSTEMD_LOCAL, PATH_SYSTEMD_USR,
					 PATH_SYSTEMD_LIB };

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), tail = strlen(end);

	return len > tail && strcmp(text + len - tail, end) == 0;
}

/* 0 also when it is not there; what may not be read is noted. */
static int read_file(struct unitfiles *files, struct host *host, struct unitfile *unit,
		     const char *path, struct error *err)
{
	AUTO_BUF text = BUF_INIT;
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_FREE char *note = NULL;
	int r = host_read(host, path, UNITFILE_MAX, &text, &why);

	if (r == -ENOMEM)
		return error_oom(err);
	if (r == -EACCES || r == -EPERM) {
		if (asprintf(&note, "%s: %s", path, error_text(&why)) < 0) {
			note = NULL;
			return error_oom(err);
		}
		return strv_add(&files->unreadable, note) < 0 ? error_oom(err) : 0;
	}
	if (r < 0)
		return 0;
	if (!text.len)
		unit->masked = true;
	return unitfile_parse(unit, path, buf_text(&text)) < 0 ? error_oom(err) : 0;
}

static struct unitfile *unit_of(struct unitfiles *files, const char *name)
{
	struct unitfile *grown;

	for (size_t i = 0; i < files->n; i++)
		if (strcmp(files->items[i].name, name) == 0)
			return &files->items[i];
	grown = reallocarray(files->items, files->n + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	files->items = grown;
	grown[files->n] = (struct unitfile){ .name = strdup(name) };
	return grown[files->n].name ? &grown[files->n++] : NULL;
}

/* A link to a unit of another name is an alias, and the unit is met by its own. */
static int add_fragment(struct unitfiles *files, struct host *host, const char *dir,
			const char *name, struct error *err)
{
	AUTO_FREE char *path = NULL, *target = NULL;
	struct unitfile *unit = unit_of(files, name);
	const char *base;

	if (!unit || asprintf(&path, "%s/%s", dir, name) < 0) {
		path = NULL;
		return error_oom(err);
	}
	if (unit->path)
		return 0;
	if (host_readlink(host, path, &target, NULL) == 0) {
		base = strrchr(target, '/');
		base = base ? base + 1 : target;
		unit->masked = strcmp(target, PATH_DEV_NULL) == 0;
		if (!unit->masked && strcmp(base, name) != 0)
			unit->masked = true;
	}
	unit->path = TAKE(path);
	unit->local = strcmp(dir, PATH_SYSTEMD_ETC) == 0;
	return unit->masked ? 0 : read_file(files, host, unit, unit->path, err);
}

static int note_wanted(struct unitfiles *files, struct host *host, const char *dir,
		       const char *name, struct error *err)
{
	AUTO_FREE char *path = NULL;
	AUTO_STRV char **names = NULL;

	if (asprintf(&path, "%s/%s", dir, name) < 0) {
		path = NULL;
		return error_oom(err);
	}
	if (host_list(host, path, &names, NULL) < 0)
		return 0;
	for (size_t i = 0; i < strv_length(names); i++)
		if (strv_add(&files->wanted, names[i]) < 0)
			return error_oom(err);
	return 0;
}

/* Drop-ins of all directories are read in the order of their names, each name once. */
static int add_drop_ins(struct unitfiles *files, struct host *host, struct unitfile *unit,
			struct error *err)
{
	AUTO_STRV char **names = NULL, **paths = NULL;

	for (size_t d = 0; d < ELEMENTS(unit_dirs); d++) {
		AUTO_FREE char *dir = NULL;
		AUTO_STRV char **found = NULL;

		if (asprintf(&dir, "%s/%s.d", unit_dirs[d], unit->name) < 0) {
			dir = NULL;
			return error_oom(err);
		}
		if (host_list(host, dir, &found, NULL) < 0)
			continue;
		for (size_t i = 0; i < strv_length(found); i++) {
			char *path = NULL;

			if (!ends_with(found[i], ".conf") || strv_has(names, found[i]))
				continue;
			if (asprintf(&path, "%s/%s", dir, found[i]) < 0 ||
			    strv_take(&paths, path) < 0 || strv_add(&names, found[i]) < 0)
				return error_oom(err);
		}
	}
	while (strv_length(names)) {
		size_t first = 0, n = strv_length(names);
		int r;

		for (size_t i = 1; i < n; i++)
			if (strcmp(names[i], names[first]) < 0)
				first = i;
		unit->local |=
			strncmp(paths[first], PATH_SYSTEMD_ETC, strlen(PATH_SYSTEMD_ETC)) == 0;
		r = read_file(files, host, unit, paths[first], err);
		free(names[first]);
		free(paths[first]);
		memmove(&names[first], &names[first + 1], (n - first) * sizeof(*names));
		memmove(&paths[first], &paths[first + 1], (n - first) * sizeof(*paths));
		if (r < 0)
			return r;
	}
	return 0;
}

static int load_directory(struct unitfiles *files, struct host *host, const char *dir,
			  char ***ret_dropped, struct error *err)
{
	AUTO_STRV char **names = NULL;
	int r = 0;

	if (host_list(host, dir, &names, NULL) < 0)
		return 0;
	for (size_t i = 0; i < strv_length(names) && r == 0; i++) {
		size_t len = strlen(names[i]);

		if (ends_with(names[i], ".service")) {
			r = add_fragment(files, host, dir, names[i], err);
		} else if (ends_with(names[i], ".service.d")) {
			AUTO_FREE char *unit = strndup(names[i], len - 2);

			if (!unit || strv_add(ret_dropped, unit) < 0)
				r = error_oom(err);
		} else if (ends_with(names[i], ".wants") || ends_with(names[i], ".requires")) {
			r = note_wanted(files, host, dir, names[i], err);
		}
	}
	return r;
}

int unitfiles_load(struct host *host, struct unitfiles **ret, struct error *err)
{
	CLEANUP(cleanup_unitfiles) struct unitfiles *files = calloc(1, sizeof(*files));
	AUTO_STRV char **dropped = NULL;
	int r = files ? 0 : error_oom(err);

	for (size_t i = 0; i < ELEMENTS(unit_dirs) && r == 0; i++)
		r = load_directory(files, host, unit_dirs[i], &dropped, err);
	for (size_t i = 0; i < strv_length(dropped) && r == 0; i++) {
		struct unitfile *unit = unit_of(files, dropped[i]);
		bool again = false;

		for (size_t k = 0; k < i; k++)
			again |= strcmp(dropped[k], dropped[i]) == 0;
		if (!unit)
			r = error_oom(err);
		else if (!again && !unit->masked)
			r = add_drop_ins(files, host, unit, err);
	}
	if (r < 0)
		return r;
	*ret = TAKE(files);
	return 0;
}

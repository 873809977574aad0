/* SPDX-License-Identifier: MIT */
/* Which unit files there are: by precedence, with their drop-ins. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/strv.h"
#include "probe/paths.h"
#include "probe/unitfile.h"

#define UNITFILE_MAX ((size_t)256 << 10)

/* By precedence: the first that has a name wins. */
static const struct {
	const char *path;
	bool local;   /* the administrator's */
	bool passing; /* gone at the next boot, and with it the units that are defined there */
} unit_dirs[] = {
	{ PATH_SYSTEMD_CONTROL, true, false },    { PATH_SYSTEMD_RUN_CONTROL, true, true },
	{ PATH_SYSTEMD_TRANSIENT, false, true },  { PATH_SYSTEMD_EARLY, false, false },
	{ PATH_SYSTEMD_ETC, true, false },        { PATH_SYSTEMD_RUN, true, true },
	{ PATH_SYSTEMD_GENERATED, false, false }, { PATH_SYSTEMD_LOCAL, false, false },
	{ PATH_SYSTEMD_USR, false, false },       { PATH_SYSTEMD_LIB, false, false },
	{ PATH_SYSTEMD_LATE, false, false },
};

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

struct unitfile *unitfiles_add(struct unitfiles *files, const char *name)
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
static int add_fragment(struct unitfiles *files, struct host *host, size_t dir_index,
			const char *name, struct error *err)
{
	AUTO_FREE char *path = NULL, *target = NULL;
	struct unitfile *unit = unitfiles_add(files, name);
	const char *dir = unit_dirs[dir_index].path, *base;

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
	unit->local = unit_dirs[dir_index].local;
	unit->template = strstr(name, "@.service") != NULL;
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

/* The files of one directory of drop-ins, each name once over all of them. */
static int list_drop_ins(struct host *host, const char *name, char ***names, char ***paths,
			 struct error *err)
{
	for (size_t d = 0; d < ELEMENTS(unit_dirs); d++) {
		AUTO_FREE char *dir = NULL;
		AUTO_STRV char **found = NULL;

		if (asprintf(&dir, "%s/%s", unit_dirs[d].path, name) < 0) {
			dir = NULL;
			return error_oom(err);
		}
		if (host_list(host, dir, &found, NULL) < 0)
			continue;
		for (size_t i = 0; i < strv_length(found); i++) {
			char *path = NULL;

			if (!ends_with(found[i], ".conf") || strv_has(*names, found[i]))
				continue;
			if (asprintf(&path, "%s/%s", dir, found[i]) < 0 ||
			    strv_take(paths, path) < 0 || strv_add(names, found[i]) < 0)
				return error_oom(err);
		}
	}
	return 0;
}

/* Every service's, its template's, and those of each prefix that ends in a dash. */
static bool drops_into(const char *dir, const char *unit)
{
	size_t stem = strlen(dir) - strlen(".service.d"), len = strlen(unit);
	const char *at = strchr(unit, '@');

	if (strcmp(dir, "service.d") == 0)
		return true;
	if (strlen(dir) <= strlen(".service.d") || stem > len || strncmp(dir, unit, stem) != 0)
		return false;
	if (strcmp(unit + stem, ".service") == 0 || dir[stem - 1] == '-')
		return true;
	return at && dir[stem - 1] == '@' && (size_t)(at - unit) + 1 == stem;
}

/* The longest name is the most specific one, and its files hide those of the others. */
static int collect_drop_ins(struct unitfiles *files, struct host *host, const struct unitfile *unit,
			    char ***names, char ***paths, struct error *err)
{
	size_t longest = NAME_MAX + 1;
	int r = 0;

	for (size_t next = 1; next && r == 0; longest = next) {
		next = 0;
		for (size_t i = 0; i < strv_length(files->drop_dirs); i++) {
			size_t len = strlen(files->drop_dirs[i]);

			if (len < longest && len > next &&
			    drops_into(files->drop_dirs[i], unit->name))
				next = len;
		}
		for (size_t i = 0; next && r == 0 && i < strv_length(files->drop_dirs); i++)
			if (strlen(files->drop_dirs[i]) == next &&
			    drops_into(files->drop_dirs[i], unit->name))
				r = list_drop_ins(host, files->drop_dirs[i], names, paths, err);
	}
	return r;
}

/* Drop-ins of all directories are read in the order of their names. */
static int add_drop_ins(struct unitfiles *files, struct host *host, struct unitfile *unit,
			struct error *err)
{
	AUTO_STRV char **names = NULL, **paths = NULL;
	int r = collect_drop_ins(files, host, unit, &names, &paths, err);

	while (r == 0 && strv_length(names)) {
		size_t first = 0, n = strv_length(names);

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
	}
	return r;
}

static int load_directory(struct unitfiles *files, struct host *host, size_t dir_index,
			  struct error *err)
{
	const char *dir = unit_dirs[dir_index].path;
	AUTO_STRV char **names = NULL;
	int r = 0;

	if (host_list(host, dir, &names, NULL) < 0)
		return 0;
	for (size_t i = 0; i < strv_length(names) && r == 0; i++) {
		if (ends_with(names[i], ".service")) {
			if (!unit_dirs[dir_index].passing)
				r = add_fragment(files, host, dir_index, names[i], err);
		} else if (ends_with(names[i], ".service.d") ||
			   strcmp(names[i], "service.d") == 0) {
			if (!strv_has(files->drop_dirs, names[i]) &&
			    strv_add(&files->drop_dirs, names[i]) < 0)
				r = error_oom(err);
		} else if ((ends_with(names[i], ".wants") || ends_with(names[i], ".requires")) &&
			   !unit_dirs[dir_index].passing) {
			r = note_wanted(files, host, dir, names[i], err);
		}
	}
	return r;
}

/* Each instance that a target wants gets the lines of its template. */
static int make_instances(struct unitfiles *files, struct error *err)
{
	for (size_t i = 0; i < strv_length(files->wanted); i++) {
		const char *name = files->wanted[i], *at = strchr(name, '@');
		AUTO_FREE char *template = NULL;
		const struct unitfile *from;
		struct unitfile *unit;

		if (!at || at[1] == '.' || !ends_with(name, ".service"))
			continue;
		if (asprintf(&template, "%.*s@.service", (int)(at - name), name) < 0) {
			template = NULL;
			return error_oom(err);
		}
		if (!unitfiles_find(files, template) || unitfiles_find(files, name))
			continue;
		unit = unitfiles_add(files, name);
		from = unitfiles_find(files, template); /* adding may have moved it */
		if (!unit || unitfile_copy_lines(from, unit) < 0)
			return error_oom(err);
		unit->masked = from->masked;
		unit->local = from->local;
		unit->path = from->path ? strdup(from->path) : NULL;
		unit->end = from->end ? strdup(from->end) : NULL;
		unit->end_text = from->end_text ? strdup(from->end_text) : NULL;
	}
	return 0;
}

/* Drop-ins may be all that the tree holds of a unit. */
static int note_dropped(struct unitfiles *files, struct error *err)
{
	for (size_t i = 0; i < strv_length(files->drop_dirs); i++) {
		size_t len = strlen(files->drop_dirs[i]), stem = len - strlen(".service.d");
		AUTO_FREE char *unit = NULL;

		if (len <= strlen(".service.d") || files->drop_dirs[i][stem - 1] == '-' ||
		    files->drop_dirs[i][stem - 1] == '@')
			continue;
		unit = strndup(files->drop_dirs[i], len - 2);
		if (!unit || !unitfiles_add(files, unit))
			return error_oom(err);
	}
	return 0;
}

int unitfiles_load(struct host *host, struct unitfiles **ret, struct error *err)
{
	CLEANUP(cleanup_unitfiles) struct unitfiles *files = calloc(1, sizeof(*files));
	int r = files ? 0 : error_oom(err);

	for (size_t i = 0; i < ELEMENTS(unit_dirs) && r == 0; i++)
		r = load_directory(files, host, i, err);
	if (r == 0)
		r = make_instances(files, err);
	if (r == 0)
		r = note_dropped(files, err);
	for (size_t i = 0; r == 0 && i < files->n; i++) {
		struct unitfile *unit = &files->items[i];

		if (!unit->masked && !unit->template && strv_length(files->drop_dirs))
			r = add_drop_ins(files, host, unit, err);
		if (r == 0 && !unit->template && unitfile_expand(unit) < 0)
			r = error_oom(err);
	}
	if (r < 0)
		return r;
	*ret = TAKE(files);
	return 0;
}

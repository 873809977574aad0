/* SPDX-License-Identifier: MIT */
/* What keeps a unit from starting before a mount is there. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "probe/fstab.h"
#include "probe/mounts.h"
#include "probe/users_internal.h"

/* Directories that systemd makes for a service; it waits for their mounts by itself. */
static const struct {
	const char *key, *dir;
} made_dirs[] = {
	{ "StateDirectory", "/var/lib" },
	{ "LogsDirectory", "/var/log" },
	{ "CacheDirectory", "/var/cache" },
};

bool line_has_key(const struct unitfile_line *line, const char *const *keys, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(line->key, keys[i]) == 0)
			return true;
	return false;
}

/* A word of a list at or below the mount point. */
static bool word_below(const char *list, const char *mount_point, bool itself)
{
	while (*(list += strspn(list, " \t"))) {
		size_t len = strcspn(list, " \t");
		AUTO_FREE char *word = strndup(list, len);

		if (word && path_is_below(word, mount_point) &&
		    (itself || strcmp(word, mount_point) != 0))
			return true;
		list += len;
	}
	return false;
}

static bool has_word(const char *list, const char *wanted)
{
	size_t len = strlen(wanted);

	while (*(list += strspn(list, " \t"))) {
		size_t word = strcspn(list, " \t");

		if (word == len && strncmp(list, wanted, len) == 0)
			return true;
		list += word;
	}
	return false;
}

/* "StateDirectory=grafana" is /var/lib/grafana. */
static bool makes_dir_below(const struct unitfile_line *line, const char *mount_point)
{
	for (size_t i = 0; i < ELEMENTS(made_dirs); i++) {
		const char *word = line->value;

		if (strcmp(line->key, made_dirs[i].key) != 0)
			continue;
		while (*(word += strspn(word, " \t"))) {
			size_t len = strcspn(word, " \t");
			AUTO_FREE char *path = NULL;

			if (asprintf(&path, "%s/%.*s", made_dirs[i].dir, (int)strcspn(word, " \t:"),
				     word) < 0)
				path = NULL;
			if (path && path_is_below(path, mount_point))
				return true;
			word += len;
		}
	}
	return false;
}

static bool line_waits(const struct unitfile_line *line, const char *mount_point)
{
	static const char *const directories[] = { "WorkingDirectory", "RootDirectory" };
	static const char *const contents[] = {
		"ConditionPathExists",     "AssertPathExists",      "ConditionDirectoryNotEmpty",
		"AssertDirectoryNotEmpty", "ConditionFileNotEmpty", "AssertFileNotEmpty",
	};
	static const char *const points[] = { "ConditionPathIsMountPoint",
					      "AssertPathIsMountPoint" };

	if (strcmp(line->key, "RequiresMountsFor") == 0 ||
	    line_has_key(line, directories, ELEMENTS(directories)))
		return word_below(line->value, mount_point, true);
	if (line_has_key(line, contents, ELEMENTS(contents)))
		return word_below(line->value, mount_point, strstr(line->key, "NotEmpty") != NULL);
	if (line_has_key(line, points, ELEMENTS(points)))
		return strcmp(line->value, mount_point) == 0;
	return makes_dir_below(line, mount_point);
}

/* x-systemd.required-by= in the entry of the mount. */
static bool required_by(const char *options, const char *unit)
{
	for (size_t i = 0;; i++) {
		AUTO_FREE char *value = NULL;

		if (option_value(options, "x-systemd.required-by", i, &value) != 1)
			return false;
		if (strcmp(value, unit) == 0)
			return true;
	}
}

/* What systemd has loaded. */
static bool loaded_unit_waits(struct users *users, const char *name, const char *mount_point)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_JSON properties = NULL;
	const json_t *paths;
	const char *path;

	if (host_fact(users->host, HOST_FACT_UNIT, name, &text, NULL, NULL) < 0 ||
	    json_parse(buf_text(&text), text.len, name, &properties, NULL) < 0)
		return false;
	paths = json_at(properties, "RequiresMountsFor", NULL);
	for (size_t i = 0; i < json_array_size(paths); i++) {
		path = json_string_value(json_array_get(paths, i));
		if (path && path_is_below(path, mount_point))
			return true;
	}
	return false;
}

static void decide(struct user *ret, enum user_wait wait, const struct unitfile_line *line)
{
	ret->wait = wait;
	ret->at = line ? line->source : NULL;
	ret->at_text = line ? line->text : NULL;
}

/* The first line of one of the keys that has the word; one that stays comes first. */
static const struct unitfile_line *line_with(const struct unitfile *unit, const char *const *keys,
					     size_t n, const char *word)
{
	const struct unitfile_line *passing = NULL;

	for (size_t i = 0; i < unit->n; i++) {
		const struct unitfile_line *line = &unit->lines[i];

		if (!line_has_key(line, keys, n) || !has_word(line->value, word))
			continue;
		if (!line->passing)
			return line;
		if (!passing)
			passing = line;
	}
	return passing;
}

/* Requires= with After= waits; each alone does not. */
static void wait_by_dependency(const struct unitfile *unit, const char *mount_unit,
			       struct user *ret)
{
	static const char *const pulling[] = { "Requires", "BindsTo", "Requisite" };
	static const char *const ordering[] = { "After" };
	const struct unitfile_line *pull = line_with(unit, pulling, ELEMENTS(pulling), mount_unit);
	const struct unitfile_line *order =
		line_with(unit, ordering, ELEMENTS(ordering), mount_unit);

	if (pull && order && !pull->passing && !order->passing)
		decide(ret, WAIT_YES, pull);
	else if (pull && order)
		decide(ret, WAIT_PASSING, pull->passing ? pull : order);
	else if (order)
		decide(ret, WAIT_ORDER, order);
	else if (pull)
		decide(ret, WAIT_PULL, pull);
}

static bool starts_early(const struct unitfile *unit)
{
	static const char *const no[] = { "no", "false", "0", "off" };

	for (size_t i = 0; i < unit->n; i++)
		for (size_t k = 0; k < ELEMENTS(no); k++)
			if (strcmp(unit->lines[i].key, "DefaultDependencies") == 0 &&
			    strcmp(unit->lines[i].value, no[k]) == 0)
				return true;
	return false;
}

void unit_waits(struct users *users, const struct unitfile *unit, const char *mount_point,
		const char *options, struct user *ret)
{
	AUTO_FREE char *mount_unit = NULL;

	ret->early = starts_early(unit);
	ret->wait = WAIT_NOT;
	ret->at = unit->end;
	ret->at_text = unit->end_text;
	for (size_t i = 0; i < unit->n; i++) {
		if (!line_waits(&unit->lines[i], mount_point))
			continue;
		if (!unit->lines[i].passing) {
			decide(ret, WAIT_YES, &unit->lines[i]);
			return;
		}
		decide(ret, WAIT_PASSING, &unit->lines[i]);
	}
	if (required_by(options, unit->name)) {
		decide(ret, WAIT_YES, NULL);
		return;
	}
	if (ret->wait == WAIT_NOT && unit_name_of_mount(mount_point, &mount_unit) == 0)
		wait_by_dependency(unit, mount_unit, ret);
	/* The next boot goes by the files; what is loaded counts where there is none. */
	if (ret->wait < WAIT_YES && !unit->path &&
	    loaded_unit_waits(users, unit->name, mount_point))
		decide(ret, WAIT_YES, NULL);
}

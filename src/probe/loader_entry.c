/* SPDX-License-Identifier: MIT */
/* Entries of the Boot Loader Specification: loader/entries/NAME.conf. */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/strv.h"
#include "probe/loader.h"

#define BLANKS " \t\r"
#define ENTRIES_MAX 256u
#define SUFFIX ".conf"

bool loader_key(char *line, char **ret_key, char **ret_value)
{
	size_t len;

	line += strspn(line, BLANKS);
	if (*line == '\0' || *line == '#')
		return false;
	*ret_key = line;
	line += strcspn(line, BLANKS);
	if (*line)
		*line++ = '\0';
	line += strspn(line, BLANKS);
	for (len = strlen(line); len && strchr(BLANKS, line[len - 1]); len--)
		line[len - 1] = '\0';
	*ret_value = line;
	return true;
}

/* "$kernelopts" is a variable of grubenv; any other stays as it is. */
static char *expanded(const char *options, const char *kernelopts)
{
	const char *at = strstr(options, "$kernelopts");
	char *text = NULL;

	if (!at || !kernelopts)
		return strdup(options);
	if (asprintf(&text, "%.*s%s%s", (int)(at - options), options, kernelopts,
		     at + strlen("$kernelopts")) < 0)
		return NULL;
	return text;
}

struct entry_file {
	const char *path;
	const char *kernelopts;
	bool boots;
	struct kernel_lines *ret;
};

static int take_options(const struct entry_file *file, char *text, const char *options,
			unsigned number, struct error *err)
{
	AUTO_FREE char *args = expanded(options, file->kernelopts);
	struct kernel_line line = { .when = LINE_NEXT, .boots = file->boots };

	if (!args)
		return error_oom(err);
	line.text = text;
	line.args = args;
	return kernel_lines_add(file->ret, &line, file->path, number, err);
}

static int load_entry(const struct entry_file *file, struct host *host, struct error *err)
{
	AUTO_BUF text = BUF_INIT;
	const char *start;
	size_t at = 0, len;
	unsigned number = 0;
	int r = kernel_lines_read(file->ret, host, file->path, &text, err);

	while (r > 0 && text_line(&text, &at, &start, &len)) {
		AUTO_FREE char *line = strndup(start, len), *whole = strndup(start, len);
		char *key, *value;

		number++;
		if (!line || !whole)
			return error_oom(err);
		if (!loader_key(line, &key, &value) || strcmp(key, "options") != 0)
			continue;
		r = take_options(file, whole, value, number, err);
		if (r < 0)
			return r;
		r = 1;
	}
	return r < 0 ? r : 0;
}

static bool is_entry(const char *name)
{
	size_t len = strlen(name);

	return len > strlen(SUFFIX) && strcmp(name + len - strlen(SUFFIX), SUFFIX) == 0;
}

/* "default" of loader.conf: a pattern of names, with or without the suffix. */
static int load_pattern(struct host *host, const char *top, struct kernel_lines *lines, char **ret,
			struct error *err)
{
	AUTO_FREE char *path = NULL;
	AUTO_BUF text = BUF_INIT;
	const char *start;
	size_t at = 0, len;
	int r;

	if (asprintf(&path, "%s/loader/loader.conf", top) < 0) {
		path = NULL;
		return error_oom(err);
	}
	r = kernel_lines_read(lines, host, path, &text, err);
	while (r > 0 && text_line(&text, &at, &start, &len)) {
		AUTO_FREE char *line = strndup(start, len);
		char *key, *value;

		if (!line)
			return error_oom(err);
		if (!loader_key(line, &key, &value) || strcmp(key, "default") != 0)
			continue;
		free(*ret);
		*ret = strdup(value);
		if (!*ret)
			return error_oom(err);
	}
	return r < 0 ? r : 0;
}

static bool is_wanted(const char *name, const char *pattern)
{
	AUTO_FREE char *bare = strndup(name, strlen(name) - strlen(SUFFIX));

	return pattern && *pattern &&
	       (fnmatch(pattern, name, 0) == 0 || (bare && fnmatch(pattern, bare, 0) == 0));
}

/* The one that is started: what is named, else the newest; -1 none. */
static ssize_t find_default(char *const *names, const char *saved, const char *pattern)
{
	const char *wanted[] = { saved, pattern };
	ssize_t newest = -1;

	for (size_t w = 0; w < ELEMENTS(wanted); w++)
		for (size_t i = strv_length(names); i-- > 0;)
			if (is_entry(names[i]) && is_wanted(names[i], wanted[w]))
				return (ssize_t)i;
	for (size_t i = 0; i < strv_length(names); i++)
		if (is_entry(names[i]))
			newest = (ssize_t)i;
	return newest;
}

int loader_entries_load(struct host *host, const char *top, const char *saved,
			const char *kernelopts, bool boots, struct kernel_lines *ret,
			struct error *err)
{
	AUTO_FREE char *dir = NULL, *pattern = NULL;
	AUTO_STRV char **names = NULL;
	ssize_t chosen;
	int r;

	if (asprintf(&dir, "%s/loader/entries", top) < 0) {
		dir = NULL;
		return error_oom(err);
	}
	r = kernel_lines_list(ret, host, dir, &names, err);
	if (r <= 0)
		return r;
	if (strv_length(names) > ENTRIES_MAX)
		return error_set(err, -EFBIG, "%s holds more than %u entries", dir, ENTRIES_MAX);
	r = load_pattern(host, top, ret, &pattern, err);
	chosen = find_default(names, saved, pattern);
	for (size_t i = 0; i < strv_length(names) && r == 0; i++) {
		AUTO_FREE char *path = NULL;
		struct entry_file file = { .kernelopts = kernelopts, .ret = ret };

		if (!is_entry(names[i]))
			continue;
		if (asprintf(&path, "%s/%s", dir, names[i]) < 0) {
			path = NULL;
			return error_oom(err);
		}
		file.path = path;
		file.boots = boots && (ssize_t)i == chosen;
		r = load_entry(&file, host, err);
	}
	return r;
}

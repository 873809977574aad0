/* SPDX-License-Identifier: MIT */
/* How a runbook names one: a word for its kind, and a path. */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "probe/dataset.h"

static const struct {
	const char *word, *name;
} databases[] = {
	[DATABASE_NONE] = { "", "files" },
	[DATABASE_SQLITE] = { "sqlite:", "SQLite" },
	[DATABASE_POSTGRES] = { "postgres:", "PostgreSQL" },
	[DATABASE_ETCD] = { "etcd:", "etcd" },
	[DATABASE_RAFT] = { "raft:", "raft storage" },
};

enum database dataset_word(const char *text, const char **ret_path)
{
	for (size_t i = 1; i < ELEMENTS(databases); i++) {
		size_t len = strlen(databases[i].word);

		if (strncmp(text, databases[i].word, len) == 0) {
			*ret_path = text + len;
			return (enum database)i;
		}
	}
	*ret_path = text;
	return DATABASE_NONE;
}

const char *database_name(enum database database)
{
	return databases[database].name;
}

/* A word that is none: all before the first colon, where that comes before any slash. */
static int check_word(const char *text, struct error *err)
{
	size_t len = strcspn(text, ":/");

	if (text[len] != ':')
		return 0;
	error_set(err, -EINVAL, "'%.*s' is no kind of data", (int)len, text);
	error_hint(err, "write one of sqlite:FILE, postgres:DIRECTORY, etcd:DIRECTORY, "
			"raft:DIRECTORY, or a path alone");
	return -EINVAL;
}

/* Neither "", "." and ".." between slashes nor a slash at the end. */
static bool is_normal(const char *path)
{
	if (strcmp(path, "/") == 0)
		return true;
	while (*path == '/') {
		size_t len = strcspn(++path, "/");

		if (len == 0 || len > NAME_MAX || (len == 1 && path[0] == '.') ||
		    (len == 2 && path[0] == '.' && path[1] == '.'))
			return false;
		path += len;
	}
	return !*path;
}

int dataset_check(const char *text, struct error *err)
{
	const char *path;

	if (dataset_word(text, &path) == DATABASE_NONE && check_word(text, err) < 0)
		return -EINVAL;
	if (*path != '/') {
		error_set(err, -EINVAL, "'%s' is no absolute path", path);
		error_hint(err, "write the whole path, from / on");
		return -EINVAL;
	}
	if (!is_normal(path) || strlen(path) >= PATH_MAX) {
		error_set(err, -EINVAL, "'%s' is not written as paths are", path);
		error_hint(err, "write it without '//', '.', '..' and without a slash at its end");
		return -EINVAL;
	}
	return 0;
}

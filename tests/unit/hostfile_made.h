/* SPDX-License-Identifier: MIT */
/*
 * The host's own files made up for tests of the kinds that write some: the
 * calls of sys/hostfile.h below a tree of the test, defined here so that the
 * linker leaves the real ones out.
 */
#ifndef COLDSWAP_TESTS_HOSTFILE_MADE_H
#define COLDSWAP_TESTS_HOSTFILE_MADE_H

#include <errno.h>
#include <string.h>

#include "base/strv.h"
#include "sys/hostfile.h"
#include "tree.h"

static struct {
	struct tree tree;
	int code;             /* what each change gives */
	const char *code_for; /* at this path alone, or NULL */
	unsigned changes;
} files;

static inline int files_fail(const char *path, struct error *err)
{
	if (files.code < 0 && (!files.code_for || strcmp(files.code_for, path) == 0))
		return error_set(err, files.code, "cannot change %s", path);
	return 0;
}

static inline void files_path(const char *path, char ret[512])
{
	snprintf(ret, 512, "%s%s", files.tree.root, path);
}

int hostfile_read(struct host *host, const char *path, char **ret, struct error *err)
{
	char whole[512], text[4096];
	FILE *file;

	(void)host;
	files_path(path, whole);
	file = fopen(whole, "r");
	if (!file)
		return error_set(err, -errno, "cannot read %s", path);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	*ret = strdup(text);
	return 0;
}

int hostfile_write(struct host *host, const char *path, const char *text, mode_t mode,
		   char ***ret_made, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_FREE char *there = NULL;
	int r = files_fail(path, err);

	(void)ret_made;
	(void)mode;
	if (r < 0)
		return r;
	if (hostfile_read(host, path, &there, &why) == 0)
		return strcmp(there, text) == 0 ? 0 : error_set(err, -EEXIST, "is there");
	tree_file(&files.tree, path + 1, text);
	files.changes++;
	return 0;
}

int hostfile_remove(struct host *host, const char *path, const char *expected, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_FREE char *there = NULL;
	char whole[512];
	int r = files_fail(path, err);

	if (r < 0)
		return r;
	if (hostfile_read(host, path, &there, &why) < 0)
		return 0;
	if (strcmp(there, expected) != 0)
		return error_set(err, -EEXIST, "was changed since");
	files_path(path, whole);
	files.changes++;
	return unlink(whole) < 0 ? -errno : 0;
}

int hostfile_symlink(struct host *host, const char *path, const char *target, char ***ret_made,
		     struct error *err)
{
	int r = files_fail(path, err);
	char whole[512], there[512] = "";

	(void)host;
	(void)ret_made;
	if (r < 0)
		return r;
	files_path(path, whole);
	if (readlink(whole, there, sizeof(there) - 1) > 0)
		return strcmp(there, target) == 0 ? 0 : error_set(err, -EEXIST, "is there");
	tree_link(&files.tree, path + 1, target);
	files.changes++;
	return 0;
}

int hostfile_unlink(struct host *host, const char *path, const char *expected, struct error *err)
{
	int r = files_fail(path, err);
	char whole[512], there[512] = "";

	(void)host;
	if (r < 0)
		return r;
	files_path(path, whole);
	if (readlink(whole, there, sizeof(there) - 1) < 0)
		return 0;
	if (strcmp(there, expected) != 0)
		return error_set(err, -EEXIST, "was changed since");
	files.changes++;
	return unlink(whole) < 0 ? -errno : 0;
}

int hostfile_rmdir(struct host *host, char *const *made, struct error *err)
{
	char whole[512];

	(void)host;
	(void)err;
	files_path(made[0], whole);
	rmdir(whole);
	return 0;
}

static inline bool files_has(const char *path)
{
	char whole[512];
	struct stat st;

	files_path(path, whole);
	return lstat(whole, &st) == 0;
}

#endif

/* SPDX-License-Identifier: MIT */
/* A directory that a test fills as a capture, and that goes with the test. */
#ifndef COLDSWAP_TESTS_UNIT_SYS_TREE_H
#define COLDSWAP_TESTS_UNIT_SYS_TREE_H

#include <criterion/criterion.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attr.h"

struct tree {
	char path[64];
};

static inline void tree_make(struct tree *tree)
{
	strcpy(tree->path, "/tmp/coldswap-unit-XXXXXX");
	cr_assert_not_null(mkdtemp(tree->path));
}

static inline int tree_remove_one(const char *path, const struct stat *st, int type,
				  struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline void tree_done(struct tree *tree)
{
	nftw(tree->path, tree_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
#define AUTO_TREE CLEANUP(tree_done) struct tree

/* Where a path of the capture lies; its directories are made. */
static inline const char *tree_at(const struct tree *tree, const char *path, char ret[PATH_MAX])
{
	char *at;

	snprintf(ret, PATH_MAX, "%s%s", tree->path, path);
	for (at = ret + strlen(tree->path) + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(ret, 0755);
		*at = '/';
	}
	return ret;
}

static inline void tree_file(const struct tree *tree, const char *path, const char *text)
{
	char at[PATH_MAX];
	FILE *file = fopen(tree_at(tree, path, at), "w");

	cr_assert_not_null(file);
	fputs(text, file);
	fclose(file);
}

static inline void tree_link(const struct tree *tree, const char *path, const char *target)
{
	char at[PATH_MAX];

	cr_assert_eq(symlink(target, tree_at(tree, path, at)), 0);
}

static inline void tree_dir(const struct tree *tree, const char *path)
{
	char at[PATH_MAX];

	cr_assert_eq(mkdir(tree_at(tree, path, at), 0755), 0);
}

#endif

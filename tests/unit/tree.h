/* SPDX-License-Identifier: MIT */
/* A capture made for one test: files and links in a temporary directory. */
#ifndef COLDSWAP_TESTS_TREE_H
#define COLDSWAP_TESTS_TREE_H

#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attr.h"

struct tree {
	char root[32];
};

static int tree_remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline void tree_done(struct tree *tree)
{
	nftw(tree->root, tree_remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}
#define AUTO_TREE CLEANUP(tree_done) struct tree

static inline struct tree tree_new(void)
{
	struct tree tree = { "/tmp/coldswap-tree-XXXXXX" };

	if (!mkdtemp(tree.root))
		abort();
	return tree;
}

/* "ROOT/path" with its parents made. */
static inline void tree_path(const struct tree *tree, const char *path, char ret[512])
{
	snprintf(ret, 512, "%s/%s", tree->root, path);
	for (char *slash = ret + strlen(tree->root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(ret, 0755);
		*slash = '/';
	}
}

static inline void tree_file(const struct tree *tree, const char *name, const char *text)
{
	char path[512];
	FILE *file;

	tree_path(tree, name, path);
	file = fopen(path, "w");
	if (!file || fputs(text, file) < 0 || fclose(file) != 0)
		abort();
}

static inline void tree_link(const struct tree *tree, const char *name, const char *target)
{
	char path[512];

	tree_path(tree, name, path);
	if (symlink(target, path) < 0)
		abort();
}

#endif

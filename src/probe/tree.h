/* SPDX-License-Identifier: MIT */
/*
 * The files of a host: those that can be read, and those that a capture only
 * lists (HOST_FACT_FILES) because it does not hold them.
 *
 * Links are never followed inside a tree, nor is another filesystem entered.
 */
#ifndef COLDSWAP_PROBE_TREE_H
#define COLDSWAP_PROBE_TREE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "attr.h"
#include "error.h"
#include "host.h"

struct tree;

int tree_open(struct host *host, struct tree **ret, struct error *err);
void tree_free(struct tree *tree);
DEFINE_CLEANUP(tree, tree_free)

struct host *tree_host(struct tree *tree);

/*
 * The path with the links of its existing part resolved; what does not exist
 * yet is kept as it stands.
 */
int tree_resolve(struct tree *tree, const char *path, char **ret, struct error *err);

/* 1 there, 0 not, else a negative errno (-EACCES: may not be looked into). */
int tree_exists(struct tree *tree, const char *path, struct error *err);
/* 1 a directory that is no link, 0 not, else a negative errno. */
int tree_is_directory(struct tree *tree, const char *path, struct error *err);
/* Names in a directory, sorted; -ENOENT when there is none. */
int tree_list(struct tree *tree, const char *directory, char ***ret, struct error *err);

struct tree_sum {
	uint64_t bytes; /* of regular files, as their sizes say */
	uint64_t files; /* all that is no directory */
	uint64_t directories;
};

/*
 * All below `path`, itself included.  `cancelled` may be NULL.
 * -EFBIG over TREE_MAX_ENTRIES, -ECANCELED when cancelled.
 */
#define TREE_MAX_ENTRIES 1000000u
int tree_sum(struct tree *tree, const char *path, const volatile sig_atomic_t *cancelled,
	     struct tree_sum *ret, struct error *err);

#endif

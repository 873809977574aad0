/* SPDX-License-Identifier: MIT */
/*
 * The files of a host: those that can be read, and those that a capture only
 * lists (HOST_FACT_FILES) because it does not hold them.
 *
 * Links are never followed inside a tree, nor is another filesystem entered.
 */
#ifndef COLDSWAP_PROBE_FILETREE_H
#define COLDSWAP_PROBE_FILETREE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "attr.h"
#include "error.h"
#include "host.h"

struct filetree;

int filetree_open(struct host *host, struct filetree **ret, struct error *err);
void filetree_free(struct filetree *tree);
DEFINE_CLEANUP(filetree, filetree_free)

/*
 * Of a capture: take the files that somebody has open (openfiles.json) for
 * there, which a list of files may lack.  Their sizes are not known and 0.
 */
int filetree_add_open(struct filetree *tree, struct error *err);

struct host *filetree_host(struct filetree *tree);

/*
 * The path with the links of its existing part resolved; what does not exist
 * yet is kept as it stands.  A link to what does not exist leads to where it
 * says.  -ELOOP.
 */
int filetree_resolve(struct filetree *tree, const char *path, char **ret, struct error *err);

/* 1 there, 0 not, else a negative errno (-EACCES: may not be looked into). */
int filetree_exists(struct filetree *tree, const char *path, struct error *err);
/* 1 a directory that is no link, 0 not, else a negative errno. */
int filetree_is_directory(struct filetree *tree, const char *path, struct error *err);
/* Names in a directory, sorted; -ENOENT when there is none. */
int filetree_list(struct filetree *tree, const char *directory, char ***ret, struct error *err);

enum filetree_type {
	FILETREE_FILE,
	FILETREE_DIRECTORY,
	FILETREE_LINK,
	FILETREE_CHARACTER, /* a character device, which holds nothing */
	FILETREE_OTHER,     /* a block device, a socket, a FIFO */
};
struct filetree_stat {
	enum filetree_type type;
	bool mounted; /* a mount begins there, be it of the same filesystem */
	uint64_t size;
	dev_t dev; /* as stat(2) tells; of a capture, as files.json does */
	ino_t ino; /* 0: a capture that does not tell */
	mode_t mode;
	nlink_t nlink;
};
/* Of the path itself, no link followed.  -ENOENT. */
int filetree_stat(struct filetree *tree, const char *path, struct filetree_stat *ret,
		  struct error *err);
/*
 * Where a link leads, resolved as filetree_resolve() does.  -EINVAL: no link;
 * -ENODATA: a capture that does not tell.
 */
int filetree_target(struct filetree *tree, const char *path, char **ret, struct error *err);
/*
 * A descriptor to read a file of data from, which a capture never records.
 * -ENODATA: a capture that lists it without content.
 */
int filetree_open_data(struct filetree *tree, const char *path, struct error *err);

struct filetree_sum {
	uint64_t bytes; /* of regular files, as their sizes say */
	uint64_t files; /* all that is no directory */
	uint64_t directories;
};

/*
 * All below `path`, itself included.  `cancelled` may be NULL.
 * -EFBIG over FILETREE_MAX_ENTRIES, -ECANCELED when cancelled.
 */
#define FILETREE_MAX_ENTRIES 1000000u
int filetree_sum(struct filetree *tree, const char *path, const volatile sig_atomic_t *cancelled,
		 struct filetree_sum *ret, struct error *err);

#endif

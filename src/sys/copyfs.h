/* SPDX-License-Identifier: MIT */
/*
 * What a cold copy asks of filesystems.
 *
 * Every call takes an open directory and one component below it: nothing is
 * ever followed, so that a directory which is exchanged for a link in the
 * middle of a copy leads nowhere.  A negative errno, never words: the caller
 * knows what it meant to do.
 */
#ifndef COLDSWAP_SYS_COPYFS_H
#define COLDSWAP_SYS_COPYFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "buf.h"

/* ---- open ------------------------------------------------------------------------- */

/* A directory by its absolute path, no link in it followed.  The descriptor. */
int copyfs_open_path(const char *path);
/* A directory below `dir`, on the same mount: -EXDEV, -ELOOP, -ENOTDIR. */
int copyfs_open_dir(int dir, const char *name);
/* A regular file below `dir`, to be read; FIFOs and devices are never waited for: -EINVAL. */
int copyfs_open_file(int dir, const char *name);
/* A regular file of the copy, to be written anew over what stands in it. */
int copyfs_open_again(int dir, const char *name);
/* A new file, 0600; -EEXIST. */
int copyfs_create(int dir, const char *name);
/* lstat(2), and whether another filesystem is mounted there. */
int copyfs_look(int dir, const char *name, struct stat *ret, bool *ret_mounted);
/* lstat(2) of a path of many components below `dir`, as long as it may be. */
int copyfs_look_deep(int dir, const char *path, struct stat *ret);

/* ---- list ------------------------------------------------------------------------- */

#define COPYFS_LIST_BYTES 4096
struct copyfs_list {
	int fd; /* borrowed; one list at a time */
	size_t at, len;
	char bytes[COPYFS_LIST_BYTES] __attribute__((aligned(8)));
};
/* From the first name on. */
int copyfs_list_open(int fd, struct copyfs_list *ret);
/* 1 and a name that is borrowed until the next call ("." and ".." never); 0 at the end. */
int copyfs_list_next(struct copyfs_list *list, const char **ret);

/* ---- change, in the copy alone ------------------------------------------------------ */

/* A file, or a directory with all that is in it; what is not there is 0. */
int copyfs_remove(int dir, const char *name);
/* Link `target_path` (components below `top`, none followed) as `name`. */
int copyfs_link(int top, const char *target_path, int dir, const char *name);

/* ---- extended attributes ------------------------------------------------------------ */

/*
 * `fd` >= 0: of that file; else of the link `name` in `dir`.  The list: names
 * with their NULs; -EOPNOTSUPP where the filesystem has none.
 */
struct copyfs_node {
	int fd;
	int dir;
	const char *name;
};
int copyfs_xattr_list(const struct copyfs_node *node, struct buf *ret);
int copyfs_xattr_get(const struct copyfs_node *node, const char *name, struct buf *ret);
int copyfs_xattr_set(const struct copyfs_node *node, const char *name, const void *value,
		     size_t len);
int copyfs_xattr_remove(const struct copyfs_node *node, const char *name);

/* ---- the page cache ----------------------------------------------------------------- */

/*
 * Drop what the cache holds of the file, so that the next read asks the
 * device: what is dirty is written first.  *ret_resident: bytes that stayed.
 */
int copyfs_drop_cache(int fd, uint64_t size, uint64_t *ret_resident);

/*
 * Let reads go past the cache (O_DIRECT), or through it again; where the
 * filesystem has no such reads nothing changes.  A read then wants
 * `COPYFS_ALIGNED` offsets, lengths and buffers, and is -EINVAL otherwise.
 */
#define COPYFS_ALIGNED ((size_t)4096)
void copyfs_read_past_cache(int fd, bool past);

#endif

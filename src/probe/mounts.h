/* SPDX-License-Identifier: MIT */
/* What is mounted now, from /proc/self/mountinfo, by libmount; and swaps. */
#ifndef COLDSWAP_PROBE_MOUNTS_H
#define COLDSWAP_PROBE_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>

#include "attr.h"
#include "error.h"
#include "host.h"

struct mount {
	unsigned line; /* of mountinfo, from 1 */
	int id, parent;
	bool hidden;  /* a later mount on a directory above covers it */
	char *target; /* decoded */
	char *source; /* "/dev/sda1", "tmpfs"; may be NULL */
	char *fstype;
	char *root;            /* directory of the filesystem that is mounted: "/", "/@home" */
	char *options;         /* of the mount and of the filesystem, comma-separated */
	unsigned major, minor; /* 0:N for filesystems without one device (btrfs) */
};

struct mounts {
	struct mount *items; /* in the order of the kernel's list */
	size_t n;
	char **malformed; /* "LINE: text" of the first 16 lines that libmount refused */
};

int mounts_load(struct host *host, struct mounts **ret, struct error *err);
void mounts_free(struct mounts *mounts);
DEFINE_CLEANUP(mounts, mounts_free)

/* The topmost mount at exactly this point that can be reached, or NULL. */
const struct mount *mounts_at(const struct mounts *mounts, const char *target);
/* The last mount at exactly this point that a later one above hides, or NULL. */
const struct mount *mounts_hidden_at(const struct mounts *mounts, const char *target);
/* The mount on which a path lies (the path need not exist). */
const struct mount *mounts_over(const struct mounts *mounts, const char *path);
/* Is `path` equal to `dir` or below it?  Both absolute and normalised. */
bool path_is_below(const char *path, const char *dir);

struct swap {
	unsigned line;
	char *source; /* "/dev/sdb2" or a file */
	bool file;
};

struct swaps {
	struct swap *items;
	size_t n;
};

/* A missing /proc/swaps is no swap (the kernel has none) only on a live host. */
int swaps_load(struct host *host, struct swaps **ret, struct error *err);
void swaps_free(struct swaps *swaps);
DEFINE_CLEANUP(swaps, swaps_free)

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The parts of mount.release; private to mount_release*.c.
 *
 * A filesystem is what is released, not a mount point: its number in
 * mountinfo, the devices that it is made of, and every mount of it that this
 * mount namespace has.  All of that is kept before the first umount, because
 * nothing tells it afterwards.
 */
#ifndef COLDSWAP_STEP_MOUNT_RELEASE_H
#define COLDSWAP_STEP_MOUNT_RELEASE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "probe/facts.h"
#include "probe/holders.h"
#include "step.h"

struct mount_release_params {
	char **mounts;
	char *copy_to;
};

extern const struct finding_row mount_release_findings[];

/* A device that the filesystem is made of; of a volume the mapped one. */
struct release_member {
	char *name; /* "sdb1", "dm-3" */
	unsigned major, minor;
};

struct release_mount {
	char *target, *root, *options, *source;
	unsigned depth; /* of mounts above it: the deepest goes first */
	dev_t dev;      /* st_dev; btrfs gives each subvolume its own; 0 = not told */
};

struct release_fs {
	unsigned major, minor;
	char *fstype, *uuid; /* uuid NULL: not told */
	char *sysfs;         /* its entry below /sys/fs, or NULL where it has none */
	struct release_member *members;
	size_t n_members;
	struct release_mount *mounts; /* in the order in which they go */
	size_t n_mounts;
};

struct release {
	char *boot_id; /* of the boot whose numbers these are; or NULL */
	struct release_fs *items;
	size_t n;
};

void release_done(struct release *release);
#define AUTO_RELEASE CLEANUP(release_done) struct release
/* How a filesystem is called: its first mount point. */
const char *release_name(const struct release_fs *fs);

/*
 * What the parameters ask to release, as the host is now.  What is not
 * released is a finding: skip where the running system needs it and nobody
 * named it, else fail or unknown.  Negative: -ENOMEM, -ECANCELED.
 */
int release_find(const struct step *step, const struct mount_release_params *params,
		 struct release *ret, struct result *result, struct error *err);
/* 1: it may be unmounted; 0: why not is in `result`. */
int release_judge_need(const struct step *step, const struct mount_release_params *params,
		       const struct mounts *mounts, const struct mount *mount, bool named,
		       struct result *result, struct error *err);
/* The members, the entry in sysfs, the UUID.  1; 0: it cannot be told, and is said. */
int release_find_members(const struct step *step, const struct blocks *blocks,
			 const struct mount *mount, struct release_fs *fs, struct result *result,
			 struct error *err);

/* ---- originals ---- */

int release_save(const struct step *step, const struct release *release, struct error *err);
/* 1 and what was kept, 0 when nothing was. */
int release_load(const struct step *step, struct release *ret, struct error *err);
/*
 * After another boot the numbers are others: find them again by UUID.  1; 0: it cannot be told,
 * and is said.
 */
int release_renew(const struct step *step, struct release *release, struct result *result,
		  struct error *err);

/* ---- who is there ---- */

/* Everything that holds the filesystem or its devices, other mount namespaces included. */
int release_holders(const struct step *step, const struct release_fs *fs, struct holders *ret,
		    struct error *err);
/* The filesystem could not be unmounted: who has it, one finding a process. */
int release_say_busy(const struct step *step, const struct release_fs *fs, const struct error *why,
		     struct result *result, struct error *err);
/* Before the session: which step ends each. */
int release_foresee_holders(const struct step *step, const struct release_fs *fs,
			    struct result *result, struct error *err);
/* One holder as a finding; `id` and `verdict` are the caller's. */
void release_say_holder(const struct release_fs *fs, const struct holder *holder, const char *id,
			enum verdict verdict, struct result *result);
/* Has the process the mount namespace of this one? */
bool release_is_own_namespace(const struct step *step, const struct holder *holder);
/* Does a umount here reach the mount that the holder has? */
bool release_spreads(const struct step *step, const struct release_fs *fs,
		     const struct holder *holder);

/* ---- is it free? ---- */

/* No mount here, and nothing anywhere: the four questions.  Yes, no or unknown, with findings. */
int release_judge_free(const struct step *step, const struct release_fs *fs,
		       enum standing *ret_standing, struct result *result, struct error *err);

/* ---- as before ---- */

/* Is everything mounted as it was?  By the filesystem's UUID. */
int release_judge_back(const struct step *step, struct release *release,
		       enum standing *ret_standing, struct result *result, struct error *err);
/* Mount what is not; nothing is ever mounted over what somebody else has mounted since. */
int release_put_back(const struct step *step, struct release *release, struct result *result,
		     struct error *err);

#endif

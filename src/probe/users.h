/* SPDX-License-Identifier: MIT */
/*
 * Who uses data below a mount point, and who waits until it is mounted.
 *
 * Users are services (a path in their command line, environment or sandbox
 * settings, or the place where such a service keeps its data unless told
 * otherwise), static pods and Kubernetes volumes with a host path.  A pod or
 * volume waits when the unit of its kubelet does.
 *
 * Waiting is what systemd makes of it: RequiresMountsFor= (WorkingDirectory=
 * and StateDirectory= imply it), Requires= or BindsTo= with After= on the
 * mount unit, or a condition that only the mounted filesystem can meet.
 * After= alone, or WantedBy=, does not keep a service from starting on the
 * empty directory below a mount that failed.
 */
#ifndef COLDSWAP_PROBE_USERS_H
#define COLDSWAP_PROBE_USERS_H

#include <stdbool.h>
#include <stddef.h>

#include "attr.h"
#include "error.h"
#include "host.h"
#include "probe/unitfile.h"

enum user_type { USER_UNIT, USER_STATIC_POD, USER_POD, USER_VOLUME };

enum user_wait {
	WAIT_NOT,
	WAIT_ORDER,   /* After= alone: it starts when the mount has failed, too */
	WAIT_PULL,    /* Requires= without After=: both start at once */
	WAIT_PASSING, /* by a drop-in below /run, which the next boot does not find */
	WAIT_YES,
};

struct user {
	enum user_type type;
	char *name;    /* "k3s.service", "etcd", "vault/vault-0", "pvc-0001" */
	char *path;    /* what it uses */
	bool existing; /* it refuses a path that is not there already */
	bool by_pods;  /* a unit that starts pods, by what they use */
	bool early;    /* a unit that may start before the local filesystems are mounted */
	char *source;  /* "/etc/systemd/system/k3s.service:9" */
	char *observed;
	enum user_wait wait; /* of a pod or volume: its kubelet's */
	char *at, *at_text;  /* of a unit: the line that makes it wait, or where one is missing;
	                        NULL = no file tells it */
};

struct users; /* everything that was read, once */

int users_load(struct host *host, struct users **ret, struct error *err);
void users_free(struct users *users);
DEFINE_CLEANUP(users, users_free)

/*
 * Everybody who uses data at or below a mount point and is started by the
 * next boot, and whether it waits for the mount.  Pods that refuse a missing
 * path are left out.  `options`, array: as for users_unguarded().
 */
int users_of(struct users *users, const char *mount_point, const char *options, struct user **ret,
	     size_t *ret_n, struct error *err);
/*
 * Units that keep a database at a place that no file of theirs names: found by
 * what is in the directory.  `what` is datadirs.h's word, "PostgreSQL"; false
 * when no unit of such a database is started, so that nothing need be found.
 */
bool users_keep_data(struct users *users);
int users_of_data(struct users *users, const char *what, const char *path, const char *marker,
		  const char *mount_point, const char *options, struct user **ret, size_t *ret_n,
		  struct error *err);
/*
 * The users of data at or below a mount point that do not wait for it.
 * `options` are those of the mount's fstab entry: x-systemd.required-by= makes
 * a unit wait.  The array is the caller's (user_list_free()).
 */
int users_unguarded(struct users *users, const char *mount_point, const char *options,
		    struct user **ret, size_t *ret_n, struct error *err);
void user_list_free(struct user *list, size_t n);

/* "PATH: why" of what may not be read and may hide a user; NULL-terminated or NULL. */
char *const *users_unreadable(const struct users *users);

#endif

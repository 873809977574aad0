/* SPDX-License-Identifier: MIT */
/* The sorts of users: services, and what a kubelet starts. */
#ifndef COLDSWAP_PROBE_USERS_INTERNAL_H
#define COLDSWAP_PROBE_USERS_INTERNAL_H

#include "probe/users.h"

struct users {
	struct host *host;
	struct unitfiles *units;
	struct user *pods; /* static pods, pods and volumes, wherever their paths lie */
	size_t n_pods;
};

struct user_list {
	struct user *items;
	size_t n;
};

/* Copies what it is given; -ENOMEM leaves the list as it was. */
int user_add(struct user_list *list, const struct user *user);

/* Every path of this host that a manifest, a pod or a volume names. */
int pods_load(struct users *users, struct error *err);
/* The parser of one manifest, for a file's text. */
int manifest_parse(struct user_list *list, const char *path, const char *text, size_t len);

/* Services that use data below a mount point, and whether they wait for it. */
int services_using(struct users *users, const char *mount_point, const char *options,
		   struct user_list *list, struct error *err);
/* Is it started by the next boot? */
bool unit_starts(struct users *users, const struct unitfile *unit);
/* Does it wait for the mount?  Fills in `wait`, `at`, `at_text`, `early`; borrowed. */
void unit_waits(struct users *users, const struct unitfile *unit, const char *mount_point,
		const char *options, struct user *ret);
/* Units that a capture tells by their D-Bus properties alone. */
int units_add_captured(struct host *host, struct unitfiles *files, struct error *err);
/* Is it a line of one of the settings? */
bool line_has_key(const struct unitfile_line *line, const char *const *keys, size_t n);
/* The place of a path at or below the mount point in a setting's text, or NULL. */
const char *mention_of(const char *text, const char *mount_point);

#endif

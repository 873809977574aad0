/* SPDX-License-Identifier: MIT */
/*
 * The world of a session: what must not change while it is open and before
 * the boundary.
 *
 *	{"ports":  {disk's key: "port 5 of 0000:00:1f.2"},
 *	 "mounts": {mount point: UUID of the filesystem},
 *	 "files":  {path: SHA-256}}
 *
 * 1. Ports are those of built-in disks that tell who they are: what is plugged
 *    in by USB comes and goes by itself.
 * 2. Mounts are those that /etc/fstab wants at every boot, and the root: others
 *    come and go with sessions, pods and idle times.
 * 3. Files are /etc/fstab and the administrator's units of mounts, and those of
 *    the services that the plan names; a drop-in of this session's own is none
 *    of them.
 */
#ifndef COLDSWAP_EXEC_WORLD_H
#define COLDSWAP_EXEC_WORLD_H

#include "base/json.h"
#include "plan.h"
#include "probe/facts.h"

int world_take(struct facts *facts, const struct plan *plan, json_t **ret, struct error *err);
/*
 * The present one beside the one that was sealed: one sentence for each
 * difference (strv_free()), NULL where there is none.  That nothing is mounted
 * any more at one of `taken_down` (may be NULL) is none.
 */
int world_compare(const json_t *sealed, struct facts *facts, const struct plan *plan,
		  char *const *taken_down, char ***ret, struct error *err);

#endif

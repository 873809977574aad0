/* SPDX-License-Identifier: MIT */
/* Shared by the parts of unit.mounts. */
#ifndef COLDSWAP_STEP_UNIT_MOUNTS_H
#define COLDSWAP_STEP_UNIT_MOUNTS_H

#include "probe/facts.h"
#include "probe/users.h"
#include "step.h"
#include "work/work.h"

/* A filesystem on a disk of the work that may be missing after it. */
struct spot {
	char *target;                /* mount point */
	char *options;               /* of its fstab entry; "" where it has none */
	char *source;                /* "/etc/fstab:24", "/proc/self/mountinfo:31" */
	char *text;                  /* what stands there */
	bool required;               /* the boot stops where it is missing */
	bool automount;              /* whoever looks into it waits, or gets an error */
	enum tristate known_to_boot; /* systemd has a unit for it: an fstab entry or a mount unit */
};

struct spots {
	struct spot *items;
	size_t n;
};

extern const struct finding_row unit_mounts_findings[];

/*
 * The filesystems that `work` may leave out.  Those that go with the root
 * disk are none: without it nothing starts at all.
 */
int spots_find(struct facts *facts, const struct work *work, struct spots *ret, struct error *err);
void spots_done(struct spots *spots);

/* One user of one filesystem: a finding, or none where another kind has it. */
void judge_user(struct result *ret, const struct spot *spot, const struct user *user);

#endif

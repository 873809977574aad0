/* SPDX-License-Identifier: MIT */
/*
 * What is still to be done with the cables.
 *
 * After a boot with other cables than were planned: the machine as it is
 * plugged now, the machine as it was before, and the work that was meant give
 * the work that is left.  Disks are told by what they say of themselves, never
 * by their kernel names.  Law: place after (remaining, now) = place after
 * (work, before), for each disk of before.
 */
#ifndef COLDSWAP_WORK_REMAINING_H
#define COLDSWAP_WORK_REMAINING_H

#include "error.h"
#include "probe/facts.h"
#include "work/work.h"

/*
 * `work`'s disks are those of `before`, those of *ret are of `now`; *ret is to
 * be freed before `now`.  All as wanted: a plain power cycle (n = 0).  Two
 * disks in each other's place are an exchange, a longer ring is moves.  A disk
 * that nobody planned, in the place of one that was, is to be taken out.  A
 * new cable cannot be seen, so a recabling is left to be done.
 *
 * -ENODEV: a disk that should be there is not, and is named; -ENODATA: a disk
 * tells nothing to know it by; -EOPNOTSUPP: it cannot be said in one step
 * (behind port multipliers): work_back() first.
 */
int work_remaining(struct facts *now, struct facts *before, const struct work *work,
		   struct work **ret, struct error *err);

/*
 * What brings every disk back to where it was before.  A disk that was taken
 * out is not in the machine: -ENODEV names it.
 */
int work_back(struct facts *now, struct facts *before, struct work **ret, struct error *err);

#endif

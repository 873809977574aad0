/* SPDX-License-Identifier: MIT */
/*
 * Judging the entries of fstab one by one; private to mounts_present*.c, but
 * for the whole of it, which mounts.expected falls back on.
 */
#ifndef COLDSWAP_STEP_MOUNTS_PRESENT_H
#define COLDSWAP_STEP_MOUNTS_PRESENT_H

#include "probe/facts.h"
#include "step.h"

/* What one run has at hand. */
struct mounts_look {
	const struct step *step;
	struct result *result;
	const struct blocks *blocks;
	const struct mounts *mounts;
	int64_t entries, present;
};

/* An entry is counted in look->entries by mounts_judge_entry(), in look->present by both. */
int mounts_judge_entry(struct mounts_look *look, const struct fstab_entry *entry,
		       struct error *err);
int mounts_judge_mount(struct mounts_look *look, const struct fstab_entry *entry,
		       struct error *err);
/* Evidence: the mount as the kernel lists it. */
void mounts_cite(struct mounts_look *look, struct finding *finding, const struct mount *mount);

/*
 * What is mounted now against fstab; `points` NULL or empty: all its entries.
 * The result's kind must declare the findings and outputs of mounts.present.
 */
int mounts_judge_now(const struct step *step, char *const *points, struct result *ret,
		     struct error *err);

#endif

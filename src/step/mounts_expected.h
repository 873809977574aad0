/* SPDX-License-Identifier: MIT */
/* Shared by src/step/mounts_expected*.c alone. */
#ifndef COLDSWAP_STEP_MOUNTS_EXPECTED_H
#define COLDSWAP_STEP_MOUNTS_EXPECTED_H

#include "probe/facts.h"
#include "step.h"

extern const struct output_row mounts_expected_outputs[];
extern const struct finding_row mounts_expected_findings[];

/* One machine at one time. */
struct mounted {
	const struct blocks *blocks;
	const struct mounts *mounts;
	const struct swaps *swaps; /* NULL until they are asked for; of before: there are none */
	const struct fstab *fstab; /* of before alone; NULL: there is none, or it is unreadable */
};

/* What one run has at hand. */
struct comparison {
	const struct step *step;
	struct result *ret;
	struct mounted now, before;
	int64_t entries, present;
};

/* Every mount of before that should be there again. */
int mounts_compare(struct comparison *comparison, struct error *err);
/* mounts_expected_swap.c: every swap device of before. */
int swaps_compare(struct comparison *comparison, struct error *err);

/* Evidence out of the earlier capture. */
void comparison_cite_before(struct comparison *comparison, struct finding *finding,
			    const char *path, unsigned line, const char *observed);
/* A file of the earlier capture is there, and nothing can be known of what it says. */
void comparison_unreadable_before(struct comparison *comparison, const char *path,
				  const struct error *why);

/* mounts_expected_unknown.c */
/* A mount may stand in a line that cannot be read: then absence proves nothing. */
void comparison_judge_malformed(struct comparison *comparison, const struct mounts *mounts,
				const char *root);
/* A mount of before whose device the earlier capture does not have. */
void comparison_judge_no_device(struct comparison *comparison, const struct mount *mount);

#endif

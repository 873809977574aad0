/* SPDX-License-Identifier: MIT */
/* Shared by src/step/disk_links*.c alone. */
#ifndef COLDSWAP_STEP_DISK_LINKS_H
#define COLDSWAP_STEP_DISK_LINKS_H

#include "probe/block_pair.h"
#include "probe/facts.h"
#include "step.h"
#include "step/disk_ports.h"
#include "work/work.h"

extern const struct output_row disk_links_outputs[];
extern const struct finding_row disk_links_findings[];

/* All that one run of the check looks at. */
struct links {
	struct board now;    /* with the advice; disk_ports_cite.c takes its evidence from here */
	struct board before; /* `map` NULL: nothing was recorded */
	const struct blocks *blocks, *blocks_before;
	struct disk_pair *pairs; /* one for each disk of before */
	size_t n_pairs;
	size_t right; /* disks that are where they should be */
};

static inline bool links_compare(const struct links *links)
{
	return links->before.map;
}

static inline void links_done(struct links *links)
{
	free(links->pairs);
	links->pairs = NULL;
	links->n_pairs = 0;
}

/* Was this disk of now there before?  NULL: it was not. */
static inline const struct disk_pair *links_pair_of(const struct links *links,
						    const struct block *now)
{
	return disk_pair_of(links->pairs, links->n_pairs, now);
}

/* disk_links_place.c: is each disk where the work should have brought it? */
void links_judge_places(struct links *links);

/* disk_links_end.c: of a disk that moved, what does its link prove now? */
void links_say_end(struct links *links, const char *name);

/* disk_links_speed.c: is each link as fast as was predicted? */
void links_judge_speeds(struct links *links);

/* disk_links_errors.c: CRC counts against those of before, and this boot's log. */
void links_judge_crc(struct links *links);
void links_judge_log(struct links *links);

/* disk_links_cite.c */
/* Evidence that stands in the earlier capture: its source is put below that capture's root. */
void links_cite_before(struct links *links, struct finding *finding, const char *source,
		       const char *observed);
/* Where a disk is plugged in, as sysfs has it. */
void links_cite_place(struct links *links, struct finding *finding, const struct block *disk,
		      bool before, const char *formula, const char *derived);
/* Nothing was recorded before, so there is nothing to compare `what` with. */
void links_say_nothing_recorded(struct links *links, const char *what);

#endif

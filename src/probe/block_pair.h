/* SPDX-License-Identifier: MIT */
/*
 * Which disk of now is which of before.
 *
 * Kernel names are dealt anew at each boot and mean nothing here.  A disk is
 * known by its key (WWN, else model and serial); where one side could not
 * tell the WWN, by model and serial.  One that tells neither is known by its
 * partition table, and only then: a clone carries the table of another disk.
 */
#ifndef COLDSWAP_PROBE_BLOCK_PAIR_H
#define COLDSWAP_PROBE_BLOCK_PAIR_H

#include "probe/block.h"

struct disk_pair {
	const struct block *before;
	const struct block *now; /* NULL: it is missing, or was not recognised */
	bool recognised;         /* it can be told from all others; else `now` says nothing */
};

/* One for each disk of `before`, without drives that hold nothing; a new array.  -ENOMEM. */
int blocks_pair(const struct blocks *before, const struct blocks *now, struct disk_pair **ret,
		size_t *ret_n);
/* NULL: nobody of before is known to be this disk. */
const struct disk_pair *disk_pair_of(const struct disk_pair *pairs, size_t n,
				     const struct block *now);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * How fast long work goes and how long it will still take, from what was
 * counted at two moments.  Nothing is asked of a clock here.
 */
#ifndef COLDSWAP_REPORT_PACE_H
#define COLDSWAP_REPORT_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "buf.h"
#include "step.h"

struct pace_sample {
	uint64_t at_us; /* monotonic */
	uint64_t done;
};

struct pace {
	bool known;       /* nothing can be said of a moment too short, or of none done */
	double per_s;     /* 0: it stands still */
	bool left_known;  /* total and rate are known, and it does not stand still */
	uint64_t left_us; /* until `total` is done */
};

/* `total` 0 = not known. */
struct pace pace_of(struct pace_sample first, struct pace_sample last, uint64_t total);

/* "copying /data: 1.2 GB of 4.0 GB, 110 MB/s, 25 s left". */
int pace_line(const struct progress *progress, const struct pace *pace, struct buf *ret);

#endif

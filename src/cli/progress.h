/* SPDX-License-Identifier: MIT */
/*
 * The progress of long work: one line that is drawn anew on a terminal, a
 * line every ten seconds anywhere else.
 */
#ifndef COLDSWAP_CLI_PROGRESS_H
#define COLDSWAP_CLI_PROGRESS_H

#include "report.h"
#include "report/pace.h"

/* Rate and time left are of the last ten seconds or so: so many samples, a second apart. */
#define PROGRESS_SAMPLES 10

struct progress_line {
	bool redraw; /* on a terminal that can */
	bool drawn;  /* the cursor stands behind a line of ours */
	char *what;
	uint64_t told_us;
	struct pace_sample samples[PROGRESS_SAMPLES];
	size_t n_samples;
};

/* What is to be written now; often nothing. */
int progress_text(struct progress_line *line, const struct progress *progress, uint64_t now_us,
		  unsigned width, struct buf *ret);
/* What clears the line, before anything else is written. */
void progress_clear(struct progress_line *line, struct buf *ret);
void progress_done(struct progress_line *line);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Whole sentences with holes: "Safe to power down and swap {a} and {b}".
 *
 * Translators move the holes as their language wants.  What fills a hole is
 * copied as it is and never searched for holes itself.
 */
#ifndef COLDSWAP_REPORT_FILL_H
#define COLDSWAP_REPORT_FILL_H

#include "buf.h"

struct fill {
	const char *name; /* without the braces; NULL ends the array */
	const char *text;
};

int fill_sentence(const char *sentence, const struct fill *values, struct buf *ret);

#endif

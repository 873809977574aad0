/* SPDX-License-Identifier: MIT */
/*
 * What smartctl says of a disk's link: speeds by its strings (the sata_value
 * numbers of `max` and `current` are of different codes and never compared),
 * CRC errors and reallocated sectors by their raw values.
 *
 * The exit status of smartctl is a mask: 1, 2 and 4 mean that it could not
 * ask the drive; the higher bits judge the drive and leave the facts sound.
 */
#ifndef COLDSWAP_PROBE_SMART_H
#define COLDSWAP_PROBE_SMART_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "host.h"

struct smart_link {
	unsigned max, current;                     /* SATA generations; 0 = not told */
	int64_t crc_errors, reallocated;           /* raw values; -1 = not told */
	unsigned max_line, current_line, crc_line; /* of the document, from 1; 0 = none */
	char *source;                              /* NULL when nothing was told */
	char *why_not, *remedy;                    /* set when `source` is NULL */
};

/* `name` is a kernel name.  That smartctl tells nothing is no error. */
int smart_link_load(struct host *host, const char *name, struct smart_link *ret, struct error *err);
/* The document alone. */
int smart_link_parse(const char *text, size_t len, const char *source, struct smart_link *ret,
		     struct error *err);
void smart_link_done(struct smart_link *link);

#endif

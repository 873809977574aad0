/* SPDX-License-Identifier: MIT */
/* What a disk of the port map is used for: shared by its text and its JSON. */
#ifndef COLDSWAP_REPORT_PORTS_DISK_H
#define COLDSWAP_REPORT_PORTS_DISK_H

#include <stdint.h>

#include "probe/facts.h"

struct disk_use {
	char **mounts;      /* mount points with something of the disk below, each once */
	char **places;      /* the same without bind mounts of a directory shown already */
	int64_t used_bytes; /* on filesystems of this disk alone; -1 = not known */
	int boot;           /* 1, 0; -1 = not known */
};

int disk_use_load(struct facts *facts, const struct block *disk, struct disk_use *ret,
		  struct error *err);
void disk_use_done(struct disk_use *use);

/* What names the disk outside: serial, else key, else kernel name. */
const char *disk_outer_name(const struct block *disk);

#endif

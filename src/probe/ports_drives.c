/* SPDX-License-Identifier: MIT */
/* The drives of a port map: what they could do, and how much they are used. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/intl.h"
#include "base/parse.h"
#include "probe/paths.h"
#include "probe/ports_load.h"
#include "probe/smart.h"

#define DISKSTATS_MAX ((size_t)1 << 20)
#define SECTOR_BYTES 512 /* diskstats counts so whatever the drive's own sector is */

enum { FIELD_NAME = 2, FIELD_SECTORS_WRITTEN = 9 };

/* The sectors written of a line of diskstats that is about `name`; false: another line. */
static bool read_stat_line(char *line, const char *name, uint64_t *ret)
{
	unsigned field = 0;
	bool ours = false;

	for (char *word; (word = strsep(&line, " ")) != NULL;) {
		if (*word == '\0')
			continue;
		if (field == FIELD_NAME)
			ours = strcmp(word, name) == 0;
		if (field == FIELD_SECTORS_WRITTEN)
			return ours && parse_u64(word, ret) == 0;
		field++;
	}
	return false;
}

static int64_t written_since_boot(const char *diskstats, const char *name)
{
	AUTO_FREE char *copy = diskstats != NULL ? strdup(diskstats) : NULL;
	char *rest = copy;
	uint64_t sectors;

	for (char *line; (line = strsep(&rest, "\n")) != NULL;)
		if (read_stat_line(line, name, &sectors))
			return sectors <= INT64_MAX / SECTOR_BYTES
				       ? (int64_t)(sectors * SECTOR_BYTES)
				       : -1;
	return -1;
}

static int add_drive(struct portmap *map, struct host *host, const struct block *disk,
		     const char *diskstats, struct error *err)
{
	struct smart *smart = NULL;
	struct drive_link *grown =
		reallocarray(map->drives, map->n_drives + 1, sizeof(*map->drives));

	if (grown == NULL)
		return error_oom(err);
	map->drives = grown;
	int r = smart_load(host, disk->name, &smart, err);
	if (r < 0)
		return r;
	bool told = smart_tells_link(smart);
	map->drives[map->n_drives++] = (struct drive_link){
		.disk = disk,
		.max = smart->max != 0 ? smart->max : disk->max_generation,
		.max_by_identify = smart->max == 0 && disk->max_generation != 0,
		.current = smart->current,
		.crc_errors = smart->crc_errors,
		.reallocated = smart->reallocated,
		.written_bytes = written_since_boot(diskstats, disk->name),
		.max_line = smart->max_line,
		.current_line = smart->current_line,
		.crc_line = smart->crc_line,
		.source = told ? smart->source : NULL,
		.why_not = told             ? NULL
			   : smart->why_not ? smart->why_not
					    : _("smartctl could not ask the drive for its link"),
		.remedy = told            ? NULL
			  : smart->remedy ? smart->remedy
					  : _("ask the drive by hand: smartctl -x"),
		.smart = smart,
	};
	return 0;
}

int ports_read_drives(struct portmap *map, struct host *host, const struct blocks *blocks,
		      struct error *err)
{
	AUTO_BUF diskstats = BUF_INIT_MAX(DISKSTATS_MAX);
	bool told = host_read(host, PATH_DISKSTATS, DISKSTATS_MAX, &diskstats, NULL) == 0;

	for (size_t i = 0; i < blocks->n; i++) {
		const struct block *block = blocks->items[i];

		if (!block_is_disk(block) || block->bus != BUS_ATA)
			continue;
		int r = add_drive(map, host, block, told ? buf_text(&diskstats) : NULL, err);
		if (r < 0)
			return r;
	}
	return 0;
}

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

struct written {
	const char *name; /* of the text */
	int64_t bytes;
};

struct diskstats {
	char *text;
	struct written *items; /* by name */
	size_t n;
};

static void diskstats_done(struct diskstats *stats)
{
	free(stats->text);
	free(stats->items);
}

/* False: a line that does not tell of a device. */
static bool read_stat_line(char *line, struct written *ret)
{
	unsigned field = 0;
	uint64_t sectors;

	for (char *word; (word = strsep(&line, " ")) != NULL;) {
		if (*word == '\0')
			continue;
		if (field == FIELD_NAME)
			ret->name = word;
		if (field == FIELD_SECTORS_WRITTEN) {
			if (parse_u64(word, &sectors) < 0 || sectors > INT64_MAX / SECTOR_BYTES)
				return false;
			ret->bytes = (int64_t)(sectors * SECTOR_BYTES);
			return true;
		}
		field++;
	}
	return false;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct written *)a)->name, ((const struct written *)b)->name);
}

static size_t count_lines(const char *text)
{
	size_t n = 1;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

/* Once for all drives: a line each, looked for by each, would take quadratic time. */
static int read_diskstats(struct host *host, struct diskstats *ret, struct error *err)
{
	AUTO_BUF text = BUF_INIT_MAX(DISKSTATS_MAX);
	char *rest;

	if (host_read(host, PATH_DISKSTATS, DISKSTATS_MAX, &text, NULL) < 0 || !text.len)
		return 0;
	ret->items = calloc(count_lines(buf_text(&text)), sizeof(*ret->items));
	rest = ret->text = buf_take(&text);
	if (!ret->items || !ret->text)
		return error_oom(err);
	for (char *line; (line = strsep(&rest, "\n")) != NULL;)
		ret->n += read_stat_line(line, &ret->items[ret->n]);
	qsort(ret->items, ret->n, sizeof(*ret->items), by_name);
	return 0;
}

static int64_t written_since_boot(const struct diskstats *stats, const char *name)
{
	const struct written key = { .name = name };
	const struct written *found =
		stats->n ? bsearch(&key, stats->items, stats->n, sizeof(key), by_name) : NULL;

	return found ? found->bytes : -1;
}

static int add_drive(struct portmap *map, struct host *host, const struct block *disk,
		     const struct diskstats *diskstats, struct error *err)
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
	CLEANUP(diskstats_done) struct diskstats diskstats = { 0 };
	int r = read_diskstats(host, &diskstats, err);

	for (size_t i = 0; r == 0 && i < blocks->n; i++) {
		const struct block *block = blocks->items[i];

		if (!block_is_disk(block) || block->bus != BUS_ATA)
			continue;
		r = add_drive(map, host, block, &diskstats, err);
	}
	return r;
}

/* SPDX-License-Identifier: MIT */
/* Figures of earlier measurements, from whatever wrote them: read with distrust. */
#include <errno.h>
#include <string.h>

#include "base/json.h"
#include "probe/facts.h"

/* No disk of this world writes faster; beyond it is no figure but an error. */
#define MAX_MB_S 1e6

/* A figure of a path is one of the disk only where nothing else lies below it. */
static bool path_is_on(const struct blocks *blocks, const struct mounts *mounts, const char *path,
		       const struct block *disk)
{
	const struct mount *mount = mounts && *path == '/' ? mounts_over(mounts, path) : NULL;
	const struct block *device = mount ? blocks_of_mount(blocks, mount) : NULL;

	return device && device->n_disks == 1 && device->disks[0] == disk;
}

static bool is_of(const json_t *figure, const struct blocks *blocks, const struct mounts *mounts,
		  const struct block *disk)
{
	const char *name = json_text(figure, "disk"), *path = json_text(figure, "path");

	if (name)
		return (disk->key && strcmp(name, disk->key) == 0 && !disk->key_shared) ||
		       (disk->serial && strcmp(name, disk->serial) == 0);
	return path && path_is_on(blocks, mounts, path, disk);
}

static double best(const json_t *figure)
{
	const json_t *runs = json_object_get(figure, "mb_s"), *run;
	double max = 0;
	size_t i;

	if (json_is_number(runs))
		max = json_number_value(runs);
	json_array_foreach (runs, i, run)
		if (json_is_number(run) && json_number_value(run) <= MAX_MB_S &&
		    json_number_value(run) > max)
			max = json_number_value(run);
	return max > 0 && max <= MAX_MB_S ? max : 0;
}

int facts_measured_write(struct facts *facts, const struct block *disk, double *ret_mb_s,
			 char **ret_source, struct error *err)
{
	const struct blocks *blocks = NULL;
	const struct mounts *mounts = NULL;
	AUTO_FREE char *source = NULL;
	AUTO_BUF text = BUF_INIT;
	AUTO_JSON document = NULL;
	const json_t *figure;
	double max = 0;
	size_t i;
	int r;

	r = host_fact(facts_host(facts), HOST_FACT_MEASURES, NULL, &text, &source, err);
	if (r == -ENOENT) {
		error_done(err);
		return 0;
	}
	if (r == 0)
		r = json_parse(buf_text(&text), text.len, source, &document, err);
	if (r == 0)
		r = facts_blocks(facts, &blocks, err);
	if (r < 0)
		return r;
	/* Without the mounts the figures that name a disk still count. */
	if (facts_mounts(facts, &mounts, NULL) < 0)
		mounts = NULL;
	json_array_foreach (json_object_get(document, "figures"), i, figure) {
		const char *kind = json_text(figure, "kind");

		if (kind && strcmp(kind, "disk.write") == 0 &&
		    is_of(figure, blocks, mounts, disk) && best(figure) > max)
			max = best(figure);
	}
	if (max <= 0)
		return 0;
	*ret_mb_s = max;
	if (ret_source)
		*ret_source = TAKE(source);
	return 1;
}

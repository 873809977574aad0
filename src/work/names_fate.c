/* SPDX-License-Identifier: MIT */
/* What every judge of a name needs: who survives the work, and how to say it. */
#include "work/names_fate.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"

#define MAX_DEPTH 16 /* of devices made of devices */
#define MAX_DISKS 64

int fate_set(struct simulation *sim, enum ref_fate fate, struct error *err, const char *fmt, ...)
{
	va_list args;
	int n;

	sim->ret->fate = fate;
	free(sim->ret->why);
	va_start(args, fmt);
	n = vasprintf(&sim->ret->why, fmt, args);
	va_end(args);
	if (n >= 0)
		return 0;
	sim->ret->why = NULL;
	return error_oom(err);
}

char *fate_device(const struct block *block)
{
	AUTO_FREE char *disk = NULL;
	char *text = NULL;
	int n;

	if (block->disk && block_is_disk(block->disk) && block_describe(block->disk, &disk) == 0)
		n = asprintf(&text, _("%s/%s of %s"), PATH_DEV, block->name, disk);
	else if (block->dm_name)
		n = asprintf(&text, "%s/%s (%s)", PATH_DEV, block->name, block->dm_name);
	else
		n = asprintf(&text, "%s/%s", PATH_DEV, block->name);
	return n < 0 ? strdup("") : text;
}

void fate_look_up(struct simulation *sim)
{
	sim->ret->n_before = blocks_by_path(sim->blocks, sim->name->path, sim->ret->before,
					    ELEMENTS(sim->ret->before));
}

/* How many members an array of this level can do without; -1 = level not known. */
static int spare_members(const struct simulation *sim, const struct block *array)
{
	static const struct {
		const char *level;
		int spare;
	} levels[] = { { "raid4", 1 },  { "raid5", 1 }, { "raid6", 2 },
		       { "raid10", 1 }, { "raid0", 0 }, { "linear", 0 } };
	AUTO_FREE char *path = NULL, *level = NULL;

	if (asprintf(&path, "%s/%s/md/level", PATH_CLASS_BLOCK, array->name) < 0)
		return -1;
	if (host_read_line(facts_host(sim->facts), path, &level, NULL) < 0)
		return -1;
	if (strcmp(level, "raid1") == 0)
		return (int)array->n_slaves - 1;
	for (size_t i = 0; i < ELEMENTS(levels); i++)
		if (strcmp(level, levels[i].level) == 0)
			return levels[i].spare;
	return -1;
}

/* A disk, a partition, or a member of a pool, which needs all its fellows. */
static enum survival survival_of_disks(const struct simulation *sim, const struct block *block)
{
	const struct block *disks[MAX_DISKS];
	size_t n = blocks_disks_of(sim->blocks, block, disks, MAX_DISKS);

	for (size_t i = 0; i < n && i < MAX_DISKS; i++) {
		struct place_after after;

		work_place_after(sim->work, disks[i], &after);
		if (!after.present)
			return SURVIVES_NOT;
	}
	return SURVIVES;
}

static enum survival survival_at(const struct simulation *sim, const struct block *block,
				 unsigned depth)
{
	const struct block *whole = block->disk ? block->disk : block;
	size_t lost = 0, unsure = 0;
	int spare = 0;

	if (!whole->n_slaves || depth > MAX_DEPTH)
		return survival_of_disks(sim, block);
	for (size_t i = 0; i < whole->n_slaves; i++) {
		enum survival slave = survival_at(sim, whole->slaves[i], depth + 1);

		lost += slave == SURVIVES_NOT;
		unsure += slave == SURVIVES_UNSURE;
	}
	if (lost + unsure && strncmp(whole->name, "md", 2) == 0)
		spare = spare_members(sim, whole);
	if (spare < 0)
		return lost == whole->n_slaves ? SURVIVES_NOT : SURVIVES_UNSURE;
	if (lost > (size_t)spare)
		return SURVIVES_NOT;
	return lost + unsure > (size_t)spare ? SURVIVES_UNSURE : SURVIVES;
}

enum survival survival_of(const struct simulation *sim, const struct block *block)
{
	return survival_at(sim, block, 0);
}

/* A name that cannot be found where nothing tells names is no absent device. */
static bool host_tells_links(const struct simulation *sim)
{
	for (size_t i = 0; i < sim->blocks->n; i++)
		if (sim->blocks->items[i]->links && sim->blocks->items[i]->links[0])
			return true;
	return false;
}

static int set_absent(struct simulation *sim, struct error *err)
{
	if (sim->ret->form != REF_KERNEL_NAME && !host_tells_links(sim))
		return fate_set(sim, FATE_UNKNOWN, err,
				_("no udev data was found, so that it is not known which device "
				  "has the name %s"),
				sim->name->path);
	return fate_set(sim, FATE_ABSENT, err, _("no device has the name %s today"),
			sim->name->path);
}

int fate_of_presence(struct simulation *sim, struct error *err)
{
	AUTO_FREE char *device = NULL;
	const struct block *block = sim->ret->before[0];
	enum survival survival;

	if (!sim->ret->n_before)
		return set_absent(sim, err);
	survival = survival_of(sim, block);
	device = fate_device(block);
	if (survival == SURVIVES_NOT)
		return fate_set(sim, FATE_REMOVED, err,
				_("today it is %s, whose disk is taken out by the work"), device);
	if (survival == SURVIVES_UNSURE)
		return fate_set(sim, FATE_UNKNOWN, err,
				_("today it is %s, which loses a member by the work; whether the "
				  "array does without it is not known"),
				device);
	sim->ret->after = block;
	return fate_set(sim, FATE_SAME, err, _("it is %s today and after the work"), device);
}

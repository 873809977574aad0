/* SPDX-License-Identifier: MIT */
/* Array numbers: stable by an ARRAY line, else given out in the order of discovery. */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "probe/mdconf.h"
#include "probe/paths.h"
#include "work/names_fate.h"

/* "/dev/md127p1" is partition 1 of the array /dev/md127. */
static char *array_of_path(const char *path)
{
	char *array = strdup(path);
	size_t base = strlen(PATH_DEV_MD);

	if (array && array[base] != '/')
		array[base + strcspn(array + base, "p")] = '\0';
	return array;
}

static bool has_uuid(const struct block *block, const char *digits)
{
	char own[33];

	if (!block->md_uuid)
		return false;
	mdconf_uuid_digits(block->md_uuid, own);
	return strcmp(own, digits) == 0;
}

/* The configuration may give the number to another array than has it today. */
static int judge_listed(struct simulation *sim, const struct mdconf_array *array, struct error *err)
{
	AUTO_FREE char *other = NULL;
	const struct block *today;
	int r = fate_of_presence(sim, err);

	if (r < 0 || sim->ret->fate != FATE_SAME)
		return r;
	today = sim->ret->before[0]->disk;
	if (!array->uuid || !today || !today->md_uuid || has_uuid(today, array->uuid))
		return 0;
	sim->ret->after = NULL;
	for (size_t i = 0; i < sim->blocks->n; i++)
		if (has_uuid(sim->blocks->items[i], array->uuid))
			sim->ret->after = sim->blocks->items[i];
	other = sim->ret->after ? fate_device(sim->ret->after) : strdup(_("another array"));
	if (!other)
		return error_oom(err);
	return fate_set(sim, sim->ret->after ? FATE_OTHER_DISK : FATE_NOTHING, err,
			_("the ARRAY line %s:%u gives this name to the array with the UUID %s: "
			  "%s, not to the one that has it today"),
			array->file, array->line, array->uuid, other);
}

static int judge_unlisted(struct simulation *sim, struct error *err)
{
	AUTO_FREE char *device = NULL;
	int r = fate_of_presence(sim, err);

	if (r < 0 || (sim->ret->fate != FATE_SAME && sim->ret->fate != FATE_ABSENT))
		return r;
	sim->ret->after = NULL;
	if (!sim->ret->n_before)
		return 0;
	device = fate_device(sim->ret->before[0]);
	return fate_set(sim, FATE_MD_UNLISTED, err,
			_("it is %s today; no ARRAY line gives the number to an array by its UUID"),
			device);
}

int fate_of_md_number(struct simulation *sim, struct error *err)
{
	CLEANUP(cleanup_mdconf) struct mdconf *conf = NULL;
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_FREE char *path = array_of_path(sim->name->path);
	const struct mdconf_array *array;
	int r;

	if (!path)
		return error_oom(err);
	fate_look_up(sim);
	r = mdconf_load(facts_host(sim->facts), &conf, &why);
	if (r == -ENOMEM)
		return error_oom(err);
	if (r < 0)
		return fate_set(sim, FATE_UNKNOWN, err, "%s", error_text(&why));
	array = mdconf_find(conf, path);
	return array && array->identified ? judge_listed(sim, array, err)
					  : judge_unlisted(sim, err);
}

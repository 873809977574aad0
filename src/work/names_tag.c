/* SPDX-License-Identifier: MIT */
/* Tags: who carries a UUID or label today, and who of them is left. */
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"
#include "work/names_fate.h"

#define MAX_BEARERS 8

static bool of_memory(const struct block *block)
{
	static const char *const prefixes[] = { "loop", "ram", "zram" };

	for (size_t i = 0; i < ELEMENTS(prefixes); i++)
		if (strncmp(block->name, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

/* A device that may carry the tag unseen: its signature could not be read. */
static const struct block *unread_device(const struct blocks *blocks, bool physical)
{
	for (size_t i = 0; i < blocks->n; i++) {
		const struct block *block = blocks->items[i];

		if (!block->tags_known && block->size && !block->optical && !of_memory(block) &&
		    !(physical && block->bus == BUS_VIRTUAL))
			return block;
	}
	return NULL;
}

/* Does the disk come in the place of one that goes: a copy made on purpose? */
static bool is_successor(const struct work *work, const struct block *block)
{
	for (size_t i = 0; i < work->n; i++)
		if (work->ops[i].type == WORK_REPLACE && work->ops[i].other == block->disk)
			return true;
	return false;
}

static char *list_devices(const struct block *const *blocks, size_t n)
{
	AUTO_BUF list = BUF_INIT;

	for (size_t i = 0; i < n; i++) {
		AUTO_FREE char *device = fate_device(blocks[i]);

		buf_addf(&list, "%s%s", i == 0 ? "" : i + 1 == n ? _(" and ") : ", ", device);
	}
	return buf_take(&list);
}

static int nobody_carries_it(struct simulation *sim, struct error *err)
{
	const struct block *unread = unread_device(sim->blocks, false);

	if (unread)
		return fate_set(sim, FATE_UNKNOWN, err,
				_("no device that could be read carries this %s, and the signature "
				  "of %s/%s could not be read"),
				sim->name->tag, PATH_DEV, unread->name);
	return fate_set(sim, FATE_ABSENT, err, _("no device carries this %s today"),
			sim->name->tag);
}

/* One is left of several: is it the one that is in use today? */
static int one_is_left(struct simulation *sim, const struct block *left, struct error *err)
{
	AUTO_FREE char *device = fate_device(left);
	const struct block *mounted = NULL;

	sim->ret->after = left;
	for (size_t i = 0; i < sim->ret->n_before && i < MAX_BEARERS; i++)
		if (facts_is_mounted(sim->facts, sim->ret->before[i]))
			mounted = sim->ret->before[i];
	if (mounted && mounted != left && !is_successor(sim->work, left))
		return fate_set(sim, FATE_OTHER_DISK, err,
				_("%s/%s is in use today and is taken out; the same %s is carried "
				  "by %s, which is used after the work"),
				PATH_DEV, mounted->name, sim->name->tag, device);
	return fate_set(sim, FATE_SAME, err,
			_("after the work %s is the only device that carries this %s"), device,
			sim->name->tag);
}

static int several_carry_it(struct simulation *sim, struct error *err)
{
	const struct block *left[MAX_BEARERS];
	AUTO_FREE char *devices = NULL;
	size_t n = 0, shown = sim->ret->n_before;

	if (shown > MAX_BEARERS)
		shown = MAX_BEARERS;
	for (size_t i = 0; i < shown; i++)
		if (survival_of(sim, sim->ret->before[i]) != SURVIVES_NOT)
			left[n++] = sim->ret->before[i];
	if (n == 1 && shown == sim->ret->n_before)
		return one_is_left(sim, left[0], err);
	devices = list_devices(n ? left : sim->ret->before, n ? n : shown);
	if (!devices)
		return error_oom(err);
	if (!n)
		return fate_set(sim, FATE_REMOVED, err, _("%s carry it and are taken out"),
				devices);
	return fate_set(sim, FATE_AMBIGUOUS, err,
			_("%s carry the same %s; which of them is used is a matter of chance"),
			devices, sim->name->tag);
}

int fate_of_tag(struct simulation *sim, struct error *err)
{
	const struct block *unread;
	int r;

	sim->ret->n_before = blocks_by_tag(sim->blocks, sim->name->tag, sim->name->value,
					   sim->ret->before, ELEMENTS(sim->ret->before));
	if (!sim->ret->n_before)
		return nobody_carries_it(sim, err);
	if (sim->ret->n_before > 1)
		return several_carry_it(sim, err);
	r = fate_of_presence(sim, err);
	unread = unread_device(sim->blocks, true);
	if (r < 0 || sim->ret->fate != FATE_SAME || !unread)
		return r;
	return fate_set(sim, FATE_UNKNOWN, err,
			_("the signature of %s/%s could not be read, so that it may carry the same "
			  "%s"),
			PATH_DEV, unread->name, sim->name->tag);
}

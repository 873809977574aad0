/* SPDX-License-Identifier: MIT */
/* The planned work: what the operator is about to do to the hardware. */
#include <string.h>

#include "base/intl.h"
#include "runbook/reader.h"

/* A disk, or a port: text in which variables may stand. */
static void take_name(struct reader *reader, const struct yaml_node *value, const char *what,
		      char **ret)
{
	const char *text = expect_text(reader, value, what);

	if (!text)
		return;
	check_references(reader, value->at, text, NO_STEP);
	free(*ret); /* two operations in one item were reported */
	*ret = keep_text(reader, text);
}

static void take_disk(struct reader *reader, const struct yaml_node *value, void *into)
{
	take_name(reader, value, "disk", &((struct runbook_work *)into)->disk);
}

static void take_to(struct reader *reader, const struct yaml_node *value, void *into)
{
	take_name(reader, value, "to", &((struct runbook_work *)into)->to);
}

static void take_old(struct reader *reader, const struct yaml_node *value, void *into)
{
	take_name(reader, value, "old", &((struct runbook_work *)into)->disk);
}

static void take_new(struct reader *reader, const struct yaml_node *value, void *into)
{
	take_name(reader, value, "new", &((struct runbook_work *)into)->other);
}

static const struct key_row move_keys[] = {
	{ "disk", true, take_disk },
	{ "to", true, take_to },
	{ 0 },
};

static const struct key_row replace_keys[] = {
	{ "old", true, take_old },
	{ "new", true, take_new },
	{ 0 },
};

static void take_exchange(struct reader *reader, const struct yaml_node *value, void *into)
{
	struct runbook_work *work = into;

	work->word = WORK_WORD_EXCHANGE;
	if (!expect(reader, value, YAML_SEQUENCE, "exchange"))
		return;
	if (value->n != 2) {
		diagnostics_add(reader->diags, value->at,
				_("exchange: two disks trade ports, and %zu are named; use "
				  "[DISK, DISK]"),
				value->n);
		return;
	}
	take_name(reader, value->items[0], "exchange", &work->disk);
	take_name(reader, value->items[1], "exchange", &work->other);
}

static void take_move(struct reader *reader, const struct yaml_node *value, void *into)
{
	((struct runbook_work *)into)->word = WORK_WORD_MOVE;
	if (expect(reader, value, YAML_MAPPING, "move"))
		keys_take(reader, value, move_keys, "move", into);
}

static void take_replace(struct reader *reader, const struct yaml_node *value, void *into)
{
	((struct runbook_work *)into)->word = WORK_WORD_REPLACE;
	if (expect(reader, value, YAML_MAPPING, "replace"))
		keys_take(reader, value, replace_keys, "replace", into);
}

static void take_remove(struct reader *reader, const struct yaml_node *value, void *into)
{
	struct runbook_work *work = into;

	work->word = WORK_WORD_REMOVE;
	take_name(reader, value, "remove", &work->disk);
}

static void take_recable(struct reader *reader, const struct yaml_node *value, void *into)
{
	struct runbook_work *work = into;

	work->word = WORK_WORD_RECABLE;
	take_name(reader, value, "recable", &work->disk);
}

static void take_power_cycle(struct reader *reader, const struct yaml_node *value, void *into)
{
	bool on = true;

	((struct runbook_work *)into)->word = WORK_WORD_POWER_CYCLE;
	take_bool(reader, value, "power-cycle", &on);
	if (!on)
		diagnostics_add(reader->diags, value->at,
				_("power-cycle: only 'true' has a meaning; leave the line out"));
}

static const struct key_row work_keys[] = {
	{ "exchange", false, take_exchange },
	{ "move", false, take_move },
	{ "remove", false, take_remove },
	{ "replace", false, take_replace },
	{ "recable", false, take_recable },
	{ "power-cycle", false, take_power_cycle },
	{ 0 },
};

static void take_one(struct reader *reader, const struct yaml_node *item)
{
	struct runbook *runbook = reader->runbook;
	struct runbook_work *work;

	if (!expect(reader, item, YAML_MAPPING, "work"))
		return;
	if (item->n != 2)
		diagnostics_add(reader->diags, item->at,
				_("work: one operation for each '-', such as 'exchange: [DISK, "
				  "DISK]'"));
	work = grow(reader, &runbook->work, &runbook->n_work, sizeof(*work));
	if (!work)
		return;
	work->at = item->at;
	keys_take(reader, item, work_keys, "work", work);
}

void take_work(struct reader *reader, const struct yaml_node *value, void *into)
{
	struct runbook *runbook = reader->runbook;

	(void)into;
	runbook->work_given = true;
	if (!expect(reader, value, YAML_SEQUENCE, "work"))
		return;
	if (!value->n)
		diagnostics_add(reader->diags, value->at,
				_("work: the list is empty; 'power-cycle: true' is the least"));
	for (size_t i = 0; i < value->n && !reader->oom; i++)
		take_one(reader, value->items[i]);
	for (size_t i = 0; i < runbook->n_work; i++)
		if (runbook->work[i].word == WORK_WORD_POWER_CYCLE && runbook->n_work > 1)
			diagnostics_add(reader->diags, runbook->work[i].at,
					_("power-cycle: stands alone; all other work has its own"));
}

/* SPDX-License-Identifier: MIT */
#include "work/remaining.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "probe/block_pair.h"
#include "work/work_internal.h"

/* One disk of before: where it is to be in the end. */
struct seat {
	const struct disk_pair *pair;
	const struct work_op *op; /* of the work that was meant; NULL: it leaves the disk alone */
	struct place_after wanted;
	bool settled; /* it is right, or an operation of `ret` brings it there */
};

struct planning {
	const struct blocks *now;
	const struct disk_pair *pairs;
	struct seat *seats; /* one for each pair */
	size_t n;
	struct work *ret;
	struct error *err;
};

static bool stands_at(const struct block *disk, const struct place_after *place)
{
	if (!place->present || disk->bus != place->bus)
		return false;
	if (disk->bus != BUS_ATA) /* slots off SATA have no number that could be compared */
		return true;
	return disk->place.controller && place->controller &&
	       strcmp(disk->place.controller, place->controller) == 0 &&
	       disk->place.port == place->port && disk->place.pmp == place->pmp &&
	       disk->place.device == place->device;
}

static const struct block *now_at(const struct planning *planning, const struct place_after *place)
{
	for (size_t i = 0; i < planning->now->n; i++) {
		const struct block *disk = planning->now->items[i];

		if (block_is_disk(disk) && disk->bus == BUS_ATA && stands_at(disk, place))
			return disk;
	}
	return NULL;
}

static struct seat *seat_of_now(const struct planning *planning, const struct block *now)
{
	for (size_t i = 0; now && i < planning->n; i++)
		if (planning->seats[i].pair->now == now)
			return &planning->seats[i];
	return NULL;
}

static struct seat *seat_of_before(const struct planning *planning, const struct block *before)
{
	for (size_t i = 0; before && i < planning->n; i++)
		if (planning->seats[i].pair->before == before)
			return &planning->seats[i];
	return NULL;
}

/* ---- what cannot be told ------------------------------------------------------- */

static int refuse(const struct planning *planning, int code, const struct block *disk,
		  const char *sentence, const char *hint)
{
	AUTO_FREE char *name = NULL, *place = NULL;

	if (block_describe(disk, &name) < 0 || place_describe(disk, &place) < 0)
		return error_oom(planning->err);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	error_set(planning->err, code, sentence, name, place);
#pragma GCC diagnostic pop
	error_hint(planning->err, "%s", hint);
	return code;
}

/* A stick that was pulled out meanwhile is nobody's cable. */
static int check_seat(const struct planning *planning, const struct seat *seat)
{
	const struct block *disk = seat->pair->before;

	if (seat->pair->now || !seat->wanted.present || (!seat->op && disk->bus != BUS_ATA))
		return 0;
	if (seat->pair->recognised)
		return refuse(planning, -ENODEV, disk,
			      _("%s, which was on %s before the work, does not show now"),
			      _("power off, and seat its data and power plugs"));
	return seat->op ? refuse(planning, -ENODATA, disk,
				 _("%s, which was on %s before the work, tells nothing to know it "
				   "by"),
				 _("compare the label of the drive with the swap card"))
			: 0;
}

static int beyond_words(const struct planning *planning, const struct block *disk)
{
	return refuse(planning, -EOPNOTSUPP, disk,
		      _("what is left to be done with %s, now on %s, cannot be said in one step"),
		      _("put every cable back as it was before the work, and begin again"));
}

/* ---- operations ------------------------------------------------------------------ */

static int add_op(struct planning *planning, struct work_op op)
{
	planning->ret->ops[planning->ret->n++] = op;
	return 0;
}

static int move(struct planning *planning, const struct block *disk,
		const struct place_after *place)
{
	AUTO_FREE char *controller = place->controller ? strdup(place->controller) : NULL;

	if (!controller)
		return place->controller ? error_oom(planning->err) : beyond_words(planning, disk);
	return add_op(
		planning,
		(struct work_op){ .type = WORK_MOVE,
				  .disk = disk,
				  .controller = TAKE(controller),
				  .port = place->port < 0 ? 0 : (unsigned)place->port,
				  .device = place->device,
				  .off_sata = place->bus == BUS_SCSI,
				  .whole = place->pmp >= 0 && disk->place.pmp == place->pmp });
}

/* Who stands where the disk is to go?  A disk that nobody planned must leave. */
static int bring(struct planning *planning, struct seat *seat)
{
	const struct block *disk = seat->pair->now, *other = now_at(planning, &seat->wanted);
	struct seat *others = seat_of_now(planning, other);
	int r = 0;

	seat->settled = true;
	if (seat->wanted.bus != BUS_ATA && seat->wanted.bus != BUS_SCSI)
		return beyond_words(planning, disk);
	if (others && !others->settled && stands_at(disk, &others->wanted)) {
		others->settled = true;
		return add_op(
			planning,
			(struct work_op){ .type = WORK_EXCHANGE, .disk = disk, .other = other });
	}
	if (other && !others)
		r = add_op(planning, (struct work_op){ .type = WORK_REMOVE, .disk = other });
	return r < 0 ? r : move(planning, disk, &seat->wanted);
}

/* ---- a disk that gives way to another ---------------------------------------------- */

/* The one SATA disk that was not there before, or NULL: none, or more than one. */
static const struct block *newcomer(const struct planning *planning, size_t *ret_n)
{
	const struct block *found = NULL;

	*ret_n = 0;
	for (size_t i = 0; i < planning->now->n; i++) {
		const struct block *disk = planning->now->items[i];

		if (!block_is_disk(disk) || disk->bus != BUS_ATA || seat_of_now(planning, disk))
			continue;
		found = disk;
		++*ret_n;
	}
	return *ret_n == 1 ? found : NULL;
}

/* The new disk was in its box before the work: it is known by nothing but being new. */
static int seat_newcomer(struct planning *planning, const struct seat *seat)
{
	const struct block *old = seat->pair->before, *disk;
	const struct work nothing = { .origin = WORK_POWER_CYCLE };
	struct place_after place;
	size_t n;

	work_place_after(&nothing, old, &place);
	disk = now_at(planning, &place);
	if (old->bus != BUS_ATA || (disk && !seat_of_now(planning, disk)))
		return 0;
	disk = newcomer(planning, &n);
	if (disk)
		return move(planning, disk, &place);
	return refuse(planning, -ENODEV, old,
		      n ? _("which of the new disks is to take the place of %s (%s) cannot be told")
			: _("the disk that was to take the place of %s (%s) does not show now"),
		      _("power off, and seat the data and power plugs of the new disk"));
}

static int replace(struct planning *planning, struct seat *seat)
{
	struct seat *others = seat_of_before(planning, seat->op->other);
	const struct block *old = seat->pair->now;
	const char *text = seat->op->new_text;
	struct work_op op = { .type = WORK_REPLACE, .disk = old };
	struct place_after place;
	const struct work nothing = { .origin = WORK_POWER_CYCLE };
	int r = 0;

	work_place_after(&nothing, seat->pair->before, &place);
	if (old && stands_at(old, &place) && (!others || others->pair->now)) {
		op.other = others ? others->pair->now : NULL;
		op.new_text = text ? strdup(text) : NULL;
		if (text && !op.new_text)
			return error_oom(planning->err);
		if (others)
			others->settled = true;
		return add_op(planning, op);
	}
	if (old)
		r = add_op(planning, (struct work_op){ .type = WORK_REMOVE, .disk = old });
	return r < 0 || others ? r : seat_newcomer(planning, seat);
}

static int settle(struct planning *planning, struct seat *seat)
{
	const struct block *now = seat->pair->now;

	if (seat->settled)
		return 0;
	seat->settled = true;
	if (seat->op && seat->op->type == WORK_REPLACE && seat->op->disk == seat->pair->before)
		return replace(planning, seat);
	if (!now)
		return 0;
	if (!seat->wanted.present)
		return add_op(planning, (struct work_op){ .type = WORK_REMOVE, .disk = now });
	if (!stands_at(now, &seat->wanted)) {
		seat->settled = false;
		return bring(planning, seat);
	}
	if (seat->op && seat->op->type == WORK_RECABLE)
		return add_op(planning, (struct work_op){ .type = WORK_RECABLE, .disk = now });
	return 0;
}

/* ---- the whole ------------------------------------------------------------------------ */

/* The disks of the work come first, in its order. */
static int settle_all(struct planning *planning, const struct work *work)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < work->n; i++) {
		struct seat *seats[] = { seat_of_before(planning, work->ops[i].disk),
					 seat_of_before(planning, work->ops[i].other) };

		for (size_t k = 0; r == 0 && k < ELEMENTS(seats); k++)
			if (seats[k])
				r = settle(planning, seats[k]);
	}
	for (size_t i = 0; r == 0 && i < planning->n; i++)
		r = settle(planning, &planning->seats[i]);
	return r;
}

/* The law of the header, asked of what was put together. */
static int check_law(const struct planning *planning)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;

	for (size_t i = 0; i < planning->n; i++) {
		const struct seat *seat = &planning->seats[i];
		struct place_after after;

		if (!seat->pair->now)
			continue;
		work_place_after(planning->ret, seat->pair->now, &after);
		if (after.present != seat->wanted.present ||
		    (after.present &&
		     (after.bus != seat->wanted.bus || after.port != seat->wanted.port ||
		      after.pmp != seat->wanted.pmp || after.device != seat->wanted.device)))
			return beyond_words(planning, seat->pair->now);
	}
	if (planning->ret->n && work_conflicts(planning->ret, NULL, &why) < 0)
		return beyond_words(planning, planning->ret->ops[0].disk);
	return 0;
}

static int plan_rest(struct planning *planning, const struct work *work)
{
	int r = 0;

	for (size_t i = 0; i < planning->n; i++) {
		struct seat *seat = &planning->seats[i];

		seat->pair = &planning->pairs[i];
		work_place_after(work, seat->pair->before, &seat->wanted);
		for (size_t k = 0; k < work->n; k++)
			if (work->ops[k].disk == seat->pair->before ||
			    work->ops[k].other == seat->pair->before)
				seat->op = &work->ops[k];
	}
	for (size_t i = 0; r == 0 && i < planning->n; i++)
		r = check_seat(planning, &planning->seats[i]);
	if (r == 0)
		r = settle_all(planning, work);
	return r < 0 ? r : check_law(planning);
}

int work_remaining(struct facts *now, struct facts *before, const struct work *work,
		   struct work **ret, struct error *err)
{
	CLEANUP(cleanup_work) struct work *rest = calloc(1, sizeof(*rest));
	AUTO_FREE struct disk_pair *pairs = NULL;
	AUTO_FREE struct seat *seats = NULL;
	const struct blocks *blocks_before;
	struct planning planning = { .ret = rest, .err = err };
	int r;

	if ((r = facts_blocks(now, &planning.now, err)) < 0 ||
	    (r = facts_blocks(before, &blocks_before, err)) < 0)
		return r;
	if (!rest || blocks_pair(blocks_before, planning.now, &pairs, &planning.n) < 0)
		return error_oom(err);
	/* at most one for each disk of before, and one for each that has come */
	rest->ops = calloc(planning.n + planning.now->n + 1, sizeof(*rest->ops));
	seats = calloc(planning.n + 1, sizeof(*seats));
	if (!rest->ops || !seats)
		return error_oom(err);
	rest->blocks = planning.now;
	planning.pairs = pairs;
	planning.seats = seats;
	r = plan_rest(&planning, work);
	if (r < 0)
		return r;
	rest->origin = rest->n ? WORK_GIVEN : WORK_POWER_CYCLE;
	*ret = TAKE(rest);
	return 0;
}

int work_back(struct facts *now, struct facts *before, struct work **ret, struct error *err)
{
	const struct work nothing = { .origin = WORK_POWER_CYCLE };

	return work_remaining(now, before, &nothing, ret, err);
}

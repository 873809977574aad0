/* SPDX-License-Identifier: MIT */
/* The machine after the work: who is plugged in where; and the work in words. */
#include <string.h>

#include "base/intl.h"
#include "work/work.h"

static void take_place(const struct place *place, struct place_after *ret)
{
	ret->bus = BUS_ATA;
	ret->controller = place->controller;
	ret->port = place->port;
	ret->pmp = place->pmp;
	ret->device = place->device;
	ret->moved = true;
}

static void move_to(const struct work_op *op, struct place_after *ret)
{
	ret->controller = op->controller;
	ret->moved = true;
	ret->bus = op->off_sata ? BUS_SCSI : BUS_ATA;
	ret->port = op->off_sata ? -1 : (int)op->port;
	ret->pmp = op->whole ? op->disk->place.pmp : -1;
	ret->device = op->device;
}

/* The disk that comes takes the port of the one that goes; off SATA its slot is not known. */
static void take_over(const struct block *gone, struct place_after *ret)
{
	if (gone->bus == BUS_ATA) {
		take_place(&gone->place, ret);
		return;
	}
	*ret = (struct place_after){ .present = true,
				     .moved = true,
				     .bus = gone->bus,
				     .controller = gone->place.controller,
				     .port = -1,
				     .pmp = -1 };
}

void work_place_after(const struct work *work, const struct block *disk, struct place_after *ret)
{
	*ret = (struct place_after){
		.present = true,
		.bus = disk->bus,
		.controller = disk->place.controller,
		.port = disk->bus == BUS_ATA ? disk->place.port : -1,
		.pmp = disk->bus == BUS_ATA ? disk->place.pmp : -1,
		.device = disk->place.device,
	};
	for (size_t i = 0; i < work->n; i++) {
		const struct work_op *op = &work->ops[i];

		if (op->disk != disk && op->other != disk)
			continue;
		if (op->type == WORK_EXCHANGE)
			take_place(op->disk == disk ? &op->other->place : &op->disk->place, ret);
		else if (op->type == WORK_MOVE)
			move_to(op, ret);
		else if (op->type == WORK_REPLACE && op->other == disk)
			take_over(op->disk, ret);
		else if (op->type == WORK_REMOVE || op->type == WORK_REPLACE)
			*ret = (struct place_after){ .present = false, .port = -1, .pmp = -1 };
		return;
	}
}

static int describe_op(const struct work_op *op, struct buf *ret)
{
	AUTO_FREE char *disk = NULL, *place = NULL, *other = NULL, *other_place = NULL;
	int r = block_describe(op->disk, &disk);

	if (r == 0)
		r = place_describe(op->disk, &place);
	if (r == 0 && op->other)
		r = block_describe(op->other, &other);
	if (r == 0 && op->other)
		r = place_describe(op->other, &other_place);
	if (r < 0)
		return r;
	switch (op->type) {
	case WORK_EXCHANGE:
		return buf_addf(ret, _("exchange %s (%s) and %s (%s)"), disk, place, other,
				other_place);
	case WORK_MOVE:
		return buf_addf(ret, _("move %s (%s) to port %u of %s"), disk, place, op->port,
				op->controller);
	case WORK_REMOVE:
		return buf_addf(ret, _("remove %s (%s)"), disk, place);
	case WORK_REPLACE:
		return buf_addf(ret, _("replace %s (%s) by %s"), disk, place,
				other          ? other
				: op->new_text ? op->new_text
					       : _("a new disk"));
	case WORK_RECABLE:
		break;
	}
	return buf_addf(ret, _("change the cable of %s (%s)"), disk, place);
}

int work_describe(const struct work *work, struct buf *ret)
{
	if (!work->n)
		return buf_adds(ret, _("power off and on; no cable is touched"));
	for (size_t i = 0; i < work->n; i++) {
		int r;

		if (i)
			buf_addc(ret, '\n');
		r = describe_op(&work->ops[i], ret);
		if (r < 0)
			return r;
	}
	return buf_error(ret);
}

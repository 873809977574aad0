/* SPDX-License-Identifier: MIT */
/*
 * What to do with the cables: a sentence for each, with the end that is to be
 * exchanged.
 *
 * At the drives, where serials can be read, a cable keeps its port and gets
 * another drive.  That is possible when the drives trade ports among each
 * other, two or a ring of more; a drive that goes to a free port takes its
 * cable along, which is done at the board.
 */
#include <stdio.h>

#include "base/intl.h"
#include "report/card_parts.h"

struct cable {
	const struct card_disk *disk, *other; /* `other`: who is on the port now, or comes */
	char *now, *after;                    /* places; `after` NULL where the drive goes */
};

static void cable_done(struct cable *cable)
{
	free(cable->now);
	free(cable->after);
}

static const struct card_disk *who_is_at(const struct card *card, const struct spot *spot)
{
	for (size_t i = 0; i < card->n; i++)
		if (card_same_spot(&card->disks[i].now, spot))
			return &card->disks[i];
	return NULL;
}

/* Does the row of those who make room for each other come back to this drive? */
static bool is_ring(const struct card *card, const struct card_disk *disk)
{
	const struct card_disk *at = disk;

	for (size_t i = 0; i < card->n; i++) {
		at = at->after.gone ? NULL : who_is_at(card, &at->after);
		if (!at || at == disk)
			return at == disk;
	}
	return false;
}

static int open_cable(const struct card *card, const struct block *disk, struct cable *ret)
{
	ret->disk = card_disk_of(card, disk);
	ret->now = card_spot(card, &ret->disk->now);
	if (!ret->disk->after.gone) {
		ret->other = who_is_at(card, &ret->disk->after);
		ret->after = card_spot(card, &ret->disk->after);
	}
	return ret->now && (ret->disk->after.gone || ret->after) ? 0 : error_oom(card->err);
}

static void sentence_of_move(struct card *card, const char *number, const struct cable *cable)
{
	const char *drive = cable->disk->name;

	if (cable->other && cable->other != cable->disk && is_ring(card, cable->disk))
		card_linef(card, number,
			   _("At the drives: the cable of %s, now in %s, goes into %s."),
			   cable->after, cable->other->name, drive);
	else if (cable->disk->now.bus == BUS_ATA)
		card_linef(card, number,
			   _("At the board: the cable of %s leaves %s and goes into %s."), drive,
			   cable->now, cable->after);
	else
		card_linef(card, number,
			   _("At both ends: %s, now on %s, gets a cable into %s; its power "
			     "too."),
			   drive, cable->now, cable->after);
}

static int write_move(struct card *card, const struct block *disk, const char *number)
{
	CLEANUP(cable_done) struct cable cable = { 0 };
	int r = open_cable(card, disk, &cable);

	if (r == 0)
		sentence_of_move(card, number, &cable);
	return r;
}

static int write_remove(struct card *card, const struct work_op *op, const char *number)
{
	CLEANUP(cable_done) struct cable cable = { 0 };
	int r = open_cable(card, op->disk, &cable);

	if (r == 0)
		card_linef(card, number,
			   _("At the drives: %s, on %s, loses its cables and is taken out."),
			   cable.disk->name, cable.now);
	return r;
}

static int write_recable(struct card *card, const struct work_op *op, const char *number)
{
	CLEANUP(cable_done) struct cable cable = { 0 };
	int r = open_cable(card, op->disk, &cable);

	if (r == 0)
		card_linef(card, number, _("At both ends: %s gets another cable, again into %s."),
			   cable.disk->name, cable.now);
	return r;
}

static int write_replace(struct card *card, const struct work_op *op, const char *number)
{
	CLEANUP(cable_done) struct cable cable = { 0 };
	const struct card_disk *comes = card_disk_of(card, op->other);
	AUTO_FREE char *text =
		card_cut(op->new_text ? op->new_text : _("the new drive"), 24, CUT_MIDDLE);
	int r = open_cable(card, op->disk, &cable);

	if (!text)
		return error_oom(card->err);
	if (r == 0)
		card_linef(card, number,
			   _("At the drives: the cables of %s, on %s, go into %s, which takes its "
			     "place."),
			   cable.disk->name, cable.now, comes ? comes->name : text);
	return r;
}

static int write_op(struct card *card, const struct work_op *op, unsigned *number)
{
	char lead[16];
	int r;

	snprintf(lead, sizeof(lead), "%u. ", (*number)++);
	switch (op->type) {
	case WORK_REMOVE:
		return write_remove(card, op, lead);
	case WORK_RECABLE:
		return write_recable(card, op, lead);
	case WORK_REPLACE:
		return write_replace(card, op, lead);
	case WORK_EXCHANGE:
	case WORK_MOVE:
		break;
	}
	r = write_move(card, op->disk, lead);
	if (r < 0 || op->type == WORK_MOVE)
		return r;
	snprintf(lead, sizeof(lead), "%u. ", (*number)++);
	return write_move(card, op->other, lead);
}

int card_write_cables(struct card *card)
{
	unsigned number = 1;
	int r = 0;

	for (size_t i = 0; r == 0 && i < card->work->n; i++)
		r = write_op(card, &card->work->ops[i], &number);
	return r;
}

/* ---- before a cable is touched --------------------------------------------------------- */

static bool has_op(const struct card *card, enum work_type type)
{
	for (size_t i = 0; i < card->work->n; i++)
		if (card->work->ops[i].type == type)
			return true;
	return false;
}

/* Ports that the kernel found switched off or not wired. */
static void add_dummies(const struct controller *controller, struct buf *ret)
{
	size_t n = 0;

	for (size_t i = 0; !controller->mask_phantom && i < controller->n_ports; i++) {
		const struct port *port = &controller->ports[i];

		if (port->implemented != TRI_NO && port->state != PORT_OFFLINE)
			continue;
		buf_addf(ret, "%s%u", n++ ? ", " : ret->len ? "; " : "", port->index);
	}
	if (n)
		buf_addf(ret, _(" of %s"), controller->address);
}

static void write_firmware(struct card *card)
{
	AUTO_BUF dummies = BUF_INIT;

	for (size_t i = 0; card->map && i < card->map->n; i++)
		add_dummies(&card->map->controllers[i], &dummies);
	if (dummies.len)
		card_linef(card, "[ ] ",
			   _("Firmware setup: is another SATA port disabled? Off, or not wired: "
			     "%s. One that can be enabled may save the exchange: then stop and "
			     "plan anew."),
			   buf_text(&dummies));
	else if (!card->map || card->map->log_why_not)
		card_line(card, "[ ] ",
			  _("Firmware setup: is another SATA port disabled? What the kernel "
			    "found is not known."));
	else
		card_line(card, "[ ] ",
			  _("Firmware setup: is another SATA port disabled? The kernel found "
			    "none."));
}

int card_write_before(struct card *card)
{
	if (!card->work->n) {
		card_heading(card, _("POWER OFF AND ON"));
		card_line(card, "", _("No cable is touched, and the case stays shut."));
		return 0;
	}
	card_heading(card, _("WORK"));
	card_line(card, "[ ] ", _("Photograph the wiring first, with both ends of every cable."));
	write_firmware(card);
	card_line(card, "[ ] ",
		  _("Mains plug out; then hold the power button for 5 s; then touch bare metal."));
	if (has_op(card, WORK_REMOVE) || has_op(card, WORK_REPLACE))
		card_line(card, "[ ] ", _("Data cables only, but for a drive that is taken out."));
	else
		card_line(card, "[ ] ", _("Data cables only: every power cable stays."));
	return 0;
}

const char *card_way_back(const struct card *card)
{
	size_t cables = 0;

	for (size_t i = 0; i < card->work->n; i++)
		cables += card->work->ops[i].type == WORK_EXCHANGE ? 2 : 1;
	if (has_op(card, WORK_REMOVE) || has_op(card, WORK_REPLACE))
		return _("put every drive and cable back as BEFORE shows; nothing on the disks "
			 "was changed.");
	if (cables == 0)
		return _("no cable was touched, and nothing on the disks was changed.");
	if (cables == 1)
		return _("put the cable back; nothing on the disks was changed.");
	if (cables == 2)
		return _("put both cables back; nothing on the disks was changed.");
	return _("put every cable back as BEFORE shows; nothing on the disks was changed.");
}

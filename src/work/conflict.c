/* SPDX-License-Identifier: MIT */
/* What operations cannot be carried out, alone or together. */
#include <errno.h>
#include <string.h>

#include "work/work_internal.h"

/* Where one operation puts one disk. */
struct landing {
	const struct block *disk;
	const char *controller;
	unsigned port;
	int pmp;
	size_t op;
};

static int blame(struct error *err, const struct work_request *request)
{
	return error_wrap(err, "%s", request->position ? request->position : "the planned work");
}

static bool same_port(const struct place *place, const char *controller, unsigned port)
{
	return place->controller && place->port >= 0 && (unsigned)place->port == port &&
	       strcmp(place->controller, controller) == 0;
}

static int refuse_not_sata(const struct block *disk, const char *what, struct error *err)
{
	AUTO_FREE char *name = NULL;

	if (block_describe(disk, &name) < 0)
		return error_oom(err);
	error_set(err, -EINVAL, "cannot %s %s: it is on %s, not on a SATA port", what, name,
		  bus_name(disk->bus));
	error_hint(err, "only disks on SATA ports can trade cables");
	return -EINVAL;
}

static int check_exchange(const struct work_op *op, struct error *err)
{
	const struct block *const disks[] = { op->disk, op->other };

	if (op->disk == op->other) {
		error_set(err, -EINVAL, "%s cannot be exchanged with itself", op->disk->name);
		error_hint(err, "name two different disks");
		return -EINVAL;
	}
	for (size_t i = 0; i < ELEMENTS(disks); i++) {
		if (disks[i]->bus != BUS_ATA)
			return refuse_not_sata(disks[i], "exchange the port of", err);
		if (!disks[i]->place.controller || disks[i]->place.port < 0) {
			error_set(err, -EINVAL, "the port of %s is not known", disks[i]->name);
			error_hint(err, "`coldswap ports` shows what is known");
			return -EINVAL;
		}
	}
	return 0;
}

/* A disk may come to SATA from a USB case or a SAS port; a soldered or M.2 one may not. */
static int check_move(const struct work_op *op, struct error *err)
{
	enum bus bus = op->disk->bus;

	if (bus != BUS_ATA && bus != BUS_USB && bus != BUS_SCSI && bus != BUS_UNKNOWN)
		return refuse_not_sata(op->disk, "move", err);
	if (same_port(&op->disk->place, op->controller, op->port) && op->disk->place.pmp < 0 &&
	    op->disk->place.device <= 0) {
		error_set(err, -EINVAL, "%s is on port %u of %s already", op->disk->name, op->port,
			  op->controller);
		error_hint(err, "for another cable on the same port say recable");
		return -EINVAL;
	}
	return 0;
}

static int check_op(const struct work_op *op, struct error *err)
{
	if (op->type == WORK_EXCHANGE)
		return check_exchange(op, err);
	if (op->type == WORK_MOVE)
		return check_move(op, err);
	if (op->type == WORK_REPLACE && op->disk == op->other) {
		error_set(err, -EINVAL, "%s cannot be replaced by itself", op->disk->name);
		error_hint(err, "for another cable on the same port say recable");
		return -EINVAL;
	}
	return 0;
}

static int check_twice(const struct work *work, size_t index, struct error *err)
{
	const struct work_op *op = &work->ops[index];

	for (size_t i = 0; i < index; i++) {
		const struct block *const earlier[] = { work->ops[i].disk, work->ops[i].other };

		for (size_t k = 0; k < ELEMENTS(earlier); k++) {
			if (!earlier[k] || (earlier[k] != op->disk && earlier[k] != op->other))
				continue;
			error_set(err, -EINVAL, "disk %s is named twice", earlier[k]->name);
			error_hint(err, "name each disk in one operation");
			return -EINVAL;
		}
	}
	return 0;
}

/* Up to two for an operation. */
static size_t landings_of(const struct work *work, size_t index, struct landing ret[2])
{
	const struct work_op *op = &work->ops[index];
	const struct place *a = &op->disk->place, *b = op->other ? &op->other->place : NULL;

	if (op->type == WORK_MOVE) {
		ret[0] = (struct landing){ op->disk, op->controller, op->port, -1, index };
		return 1;
	}
	if (op->type == WORK_REPLACE && b && a->controller && a->port >= 0) {
		ret[0] = (struct landing){ op->other, a->controller, (unsigned)a->port, a->pmp,
					   index };
		return 1;
	}
	if (op->type != WORK_EXCHANGE)
		return 0;
	ret[0] = (struct landing){ op->disk, b->controller, (unsigned)b->port, b->pmp, index };
	ret[1] = (struct landing){ op->other, a->controller, (unsigned)a->port, a->pmp, index };
	return 2;
}

/* Both moved from the one port of a multiplier: its cable moves. */
static bool one_cable(const struct work *work, const struct landing *a, const struct landing *b)
{
	const struct place *from = &a->disk->place, *other = &b->disk->place;

	return work->ops[a->op].type == WORK_MOVE && work->ops[b->op].type == WORK_MOVE &&
	       from->controller && other->port >= 0 &&
	       same_port(other, from->controller, (unsigned)from->port) &&
	       (from->pmp >= 0 || other->pmp >= 0);
}

static bool lands_together(const struct landing *a, const struct landing *b)
{
	return a->port == b->port && strcmp(a->controller, b->controller) == 0 &&
	       (a->pmp < 0 || b->pmp < 0 || a->pmp == b->pmp);
}

/* Every disk of the multiplier must go, or its cable does not. */
static int check_whole_multiplier(struct work *work, const struct landing *landing,
				  struct error *err)
{
	const struct place *from = &landing->disk->place;
	size_t disks = 0, moved = 0;

	for (size_t i = 0; i < work->blocks->n; i++) {
		const struct block *block = work->blocks->items[i];

		if (block_is_disk(block) && block->bus == BUS_ATA &&
		    same_port(&block->place, from->controller, (unsigned)from->port))
			disks++;
	}
	for (size_t i = 0; i < work->n; i++) {
		struct work_op *op = &work->ops[i];

		if (op->type == WORK_MOVE && op->port == landing->port &&
		    strcmp(op->controller, landing->controller) == 0 &&
		    same_port(&op->disk->place, from->controller, (unsigned)from->port)) {
			op->whole = true;
			moved++;
		}
	}
	if (moved == disks)
		return 0;
	error_set(err, -EINVAL,
		  "%zu of the %zu disks behind port %d of %s are to share port %u of %s", moved,
		  disks, from->port, from->controller, landing->port, landing->controller);
	error_hint(err, "a multiplier's cable carries all its disks: name them all, or one alone");
	return -EINVAL;
}

static int check_pair(struct work *work, const struct landing *a, const struct landing *b,
		      struct error *err)
{
	if (!lands_together(a, b))
		return 0;
	if (one_cable(work, a, b))
		return check_whole_multiplier(work, a, err);
	error_set(err, -EINVAL, "%s and %s are both to go to port %u of %s", b->disk->name,
		  a->disk->name, a->port, a->controller);
	error_hint(err, "a port takes one cable");
	return -EINVAL;
}

static int check_ports(struct work *work, size_t index, struct error *err)
{
	struct landing mine[2], theirs[2];
	size_t n_mine = landings_of(work, index, mine);

	for (size_t i = 0; i < index; i++) {
		size_t n_theirs = landings_of(work, i, theirs);

		for (size_t a = 0; a < n_mine; a++)
			for (size_t b = 0; b < n_theirs; b++) {
				int r = check_pair(work, &theirs[b], &mine[a], err);

				if (r < 0)
					return r;
			}
	}
	return 0;
}

int work_conflicts(struct work *work, const struct work_request *requests, struct error *err)
{
	for (size_t i = 0; i < work->n; i++) {
		int r = check_op(&work->ops[i], err);

		if (r == 0)
			r = check_twice(work, i, err);
		if (r == 0)
			r = check_ports(work, i, err);
		if (r < 0)
			return requests ? blame(err, &requests[i]) : r;
	}
	return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * The planned work: the disks of it can be told apart, a cable that carries
 * several disks is known to, the targets can take them, and where each disk
 * will be is written down.
 *
 * A port's capability is an interval: at least the fastest link seen on it,
 * at most what controller and SControl allow; a port that is known to hold
 * its disk back can do no more than it does.  What libata lowered after
 * errors is gone after a cold boot.
 */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "step/disk_ports.h"

#define MEMBERS_MAX 32

static unsigned least_of(unsigned a, unsigned b)
{
	return a == 0 || (b != 0 && b < a) ? b : a;
}

/* ---- prediction ---------------------------------------------------------------- */

unsigned predicted_most(const struct board *board, const struct block *disk,
			const struct controller *controller, const struct port *port)
{
	const struct drive_link *drive = portmap_drive(board->map, disk);
	unsigned limit = port->slowed ? 0 : port->hard_limit;
	unsigned most = least_of(controller_capability(controller), limit);

	for (size_t i = 0; i < board->advice->n_held; i++)
		if (board->advice->held[i].port == port &&
		    board->advice->held[i].cause == HELD_PORT)
			most = port->link;
	return drive != NULL ? least_of(most, drive->max) : most;
}

static unsigned predicted_least(const struct board *board, const struct block *disk,
				const struct port *port)
{
	const struct drive_link *drive = portmap_drive(board->map, disk);

	if (port->link == 0)
		return 0;
	return drive != NULL ? least_of(port->link, drive->max) : port->link;
}

static void predict(struct board *board, const struct block *disk, struct buf *list)
{
	struct place_after after;

	work_place_after(board->step->work, disk, &after);
	if (!after.present || after.port < 0)
		return;
	const struct controller *controller = portmap_controller(board->map, after.controller);
	const struct port *port = portmap_port(board->map, after.controller, (unsigned)after.port);
	if (controller == NULL || port == NULL)
		return;
	unsigned least = predicted_least(board, disk, port);
	unsigned most = predicted_most(board, disk, controller, port);
	AUTO_FREE char *name = disk_name(board, disk);
	AUTO_BUF law = BUF_INIT;
	AUTO_BUF derived = BUF_INIT;
	struct finding *finding = result_find(board->ret, "predicted", VERDICT_PASS, "%s", name);

	if (after.moved)
		result_say(board->ret, finding, _("%s will be on port %u of %s."), name,
			   port->index, controller->address);
	else
		result_say(board->ret, finding, _("%s stays on port %u of %s."), name, port->index,
			   controller->address);
	buf_addf(&law,
		 "fastest link seen on the port, or the drive's limit <= link <= "
		 "min(drive, controller %.1f, limit of the port)",
		 generation_gbps(controller_capability(controller)));
	if (least == most)
		buf_addf(&derived, "%.1f Gb/s", generation_gbps(most));
	else if (least == 0)
		buf_addf(&derived, "up to %.1f Gb/s", generation_gbps(most));
	else
		buf_addf(&derived, "%.1f to %.1f Gb/s", generation_gbps(least),
			 generation_gbps(most));
	result_evidence(board->ret, finding, _("port map"), name, buf_text(&law),
			buf_text(&derived));
	buf_addf(list, "%sport %u of %s: %s at %s", list->len > 0 ? "; " : "", port->index,
		 controller->address, name, buf_text(&derived));
}

/* ---- several disks on a cable ---------------------------------------------------- */

/* Arrays and volumes that the disk is a part of, each once. */
static void name_holders(const struct board *board, const struct port *port, struct buf *ret)
{
	const struct blocks *blocks = board->step->work->blocks;

	for (size_t i = 0; i < blocks->n; i++) {
		const struct block *block = blocks->items[i];
		const struct block *below[MEMBERS_MAX];
		bool ours = false;

		if (block->bus != BUS_VIRTUAL || block->n_slaves == 0)
			continue;
		size_t n = blocks_disks_of(blocks, block, below, MEMBERS_MAX);
		for (size_t j = 0; j < n && j < MEMBERS_MAX; j++)
			for (size_t k = 0; k < port->n_disks; k++)
				ours = ours || below[j] == port->disks[k];
		if (ours)
			buf_addf(ret, "%s%s", ret->len > 0 ? ", " : "", block->name);
	}
}

static void judge_cable(struct board *board, const struct controller *controller,
			const struct port *port)
{
	AUTO_BUF disks = BUF_INIT;
	AUTO_BUF holders = BUF_INIT;

	for (size_t i = 0; i < port->n_disks; i++)
		buf_addf(&disks, "%s%s", i > 0 ? ", " : "", port->disks[i]->name);
	name_holders(board, port, &holders);
	struct finding *finding =
		result_find(board->ret, port->multiplier ? "port-multiplier" : "shared-port",
			    VERDICT_WARN, "port %u of %s", port->index, controller->address);
	if (holders.len > 0)
		result_say(board->ret, finding,
			   _("One cable carries %zu disks (%s): the work touches them all, and "
			     "with them "
			     "%s."),
			   port->n_disks, buf_text(&disks), buf_text(&holders));
	else
		result_say(board->ret, finding,
			   _("One cable carries %zu disks (%s): the work touches them all."),
			   port->n_disks, buf_text(&disks));
	result_remedy(board->ret, finding, "%s",
		      _("Stop what uses any of these disks before the power goes off, not only the "
			"one that is named."));
	if (port->multiplier_line != 0)
		cite_line(board, finding, port->multiplier_line, NULL, NULL);
	else
		result_evidence(board->ret, finding, _("port map"), buf_text(&disks), NULL, NULL);
}

static void judge_cables(struct board *board)
{
	for (size_t i = 0; i < board->map->n; i++)
		for (size_t j = 0; j < board->map->controllers[i].n_ports; j++) {
			const struct port *port = &board->map->controllers[i].ports[j];
			bool touched = false;

			for (size_t k = 0; k < port->n_disks; k++)
				touched =
					touched || work_touches(board->step->work, port->disks[k]);
			if (touched && port->n_disks > 1)
				judge_cable(board, &board->map->controllers[i], port);
		}
}

/* ---- exchanges ------------------------------------------------------------------ */

static void judge_off_sata(struct board *board, const struct work_op *op, const struct block *disk)
{
	bool alike = op->disk->bus == op->other->bus;
	AUTO_FREE char *name = disk_name(board, disk);
	struct finding *finding = result_find(board->ret, "not-on-sata",
					      alike ? VERDICT_UNKNOWN : VERDICT_FAIL, "%s", name);

	if (alike)
		result_say(board->ret, finding,
			   _("%s is not on a SATA port (%s): where its ports are is not known to "
			     "coldswap."),
			   name, bus_name(disk->bus));
	else
		result_say(board->ret, finding,
			   _("%s is not on a SATA port (%s) and cannot trade places with a disk "
			     "that is."),
			   name, bus_name(disk->bus));
	result_remedy(board->ret, finding, "%s",
		      _("Exchange only disks that `coldswap ports` shows."));
	result_evidence(board->ret, finding, disk->name, bus_name(disk->bus), NULL, NULL);
}

/* An exchange costs one disk its speed for the other's; one that gains nothing is a loss. */
static void judge_exchange(struct board *board, const struct work_op *op)
{
	const struct controller *controllers[2] = { NULL, NULL };
	const struct block *disks[2] = { op->disk, op->other };
	const struct port *ports[2];
	bool gains = false;

	for (size_t i = 0; i < 2; i++)
		ports[i] = portmap_port_of(board->map, disks[i], &controllers[i]);
	for (size_t i = 0; i < 2; i++)
		if (ports[i] == NULL)
			judge_off_sata(board, op, disks[i]);
	if (ports[0] == NULL || ports[1] == NULL)
		return;
	unsigned most[2];
	for (size_t i = 0; i < 2; i++) {
		most[i] = predicted_most(board, disks[i], controllers[1 - i], ports[1 - i]);
		gains = gains || most[i] > ports[i]->link;
	}
	for (size_t i = 0; i < 2; i++) {
		AUTO_BUF derived = BUF_INIT;

		if (gains || most[i] == 0 || most[i] >= ports[i]->link)
			continue;
		AUTO_FREE char *name = disk_name(board, disks[i]);
		struct finding *finding =
			result_find(board->ret, "target-slower", VERDICT_WARN, "port %u of %s",
				    ports[1 - i]->index, controllers[1 - i]->address);
		result_say(
			board->ret, finding,
			_("%s runs at %.1f Gb/s now and at %.1f at most on port %u of %s, and the "
			  "other disk gains nothing."),
			name, generation_gbps(ports[i]->link), generation_gbps(most[i]),
			ports[1 - i]->index, controllers[1 - i]->address);
		result_remedy(
			board->ret, finding, "%s",
			_("Leave the two where they are; `coldswap ports` tells what would gain."));
		buf_addf(&derived, "the ceiling falls from %u to %u MB/s",
			 generation_ceiling_mb_s(ports[i]->link), generation_ceiling_mb_s(most[i]));
		cite_link(board, finding, ports[1 - i],
			  "link after <= the most that the port can do", buf_text(&derived));
	}
}

/* ---- the work ------------------------------------------------------------------ */

/* Disks behind one multiplier move by one cable: their target is judged once. */
static bool is_repeated(const struct work *work, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (work->ops[i].type == WORK_MOVE && work->ops[i].port == work->ops[index].port &&
		    strcmp(work->ops[i].controller, work->ops[index].controller) == 0)
			return true;
	return false;
}

void judge_work(struct board *board)
{
	const struct work *work = board->step->work;
	AUTO_BUF predicted = BUF_INIT;

	for (size_t i = 0; i < work->n; i++) {
		const struct work_op *op = &work->ops[i];

		judge_identity(board, op->disk);
		if (op->type == WORK_EXCHANGE && op->other != NULL) {
			judge_identity(board, op->other);
			judge_exchange(board, op);
		}
		if (op->type == WORK_MOVE && !is_repeated(work, i))
			judge_target(board, op);
		predict(board, op->disk, &predicted);
		if (op->type == WORK_EXCHANGE && op->other != NULL)
			predict(board, op->other, &predicted);
	}
	judge_cables(board);
	result_output_string(board->ret, "predicted", buf_text(&predicted));
}

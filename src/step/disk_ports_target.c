/* SPDX-License-Identifier: MIT */
/* Can the port that a disk moves to take it? */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "step/disk_ports.h"

struct target {
	const struct work_op *op;
	const struct controller *controller;
	const struct port *port;
};

static struct finding *find(struct board *board, const struct target *target, const char *id,
			    enum verdict verdict)
{
	return result_find(board->ret, id, verdict, "port %u of %s", target->op->port,
			   target->op->controller);
}

static void judge_dummy(struct board *board, const struct target *target)
{
	struct finding *finding = find(board, target, "target-dummy", VERDICT_FAIL);
	unsigned line = target->port->dummy_line != 0 ? target->port->dummy_line
						      : target->controller->mask_line;
	AUTO_BUF law = BUF_INIT;

	result_say(
		board->ret, finding,
		_("Port %u of %s is not implemented: not wired, or switched off in the firmware's "
		  "setup."),
		target->op->port, target->op->controller);
	result_remedy(board->ret, finding, "%s",
		      _("Take another port, or enable this one in the firmware's setup first."));
	if (target->controller->mask_known)
		buf_addf(&law, "bit %u of mask 0x%x = 0", target->op->port,
			 target->controller->mask);
	cite_line(board, finding, line, law.len > 0 ? buf_text(&law) : NULL, NULL);
}

static void judge_phantom(struct board *board, const struct target *target)
{
	struct finding *finding = find(board, target, "target-phantom", VERDICT_FAIL);
	AUTO_BUF law = BUF_INIT;

	result_say(board->ret, finding, _("Port %u of %s has no socket: its chip has %u of them."),
		   target->op->port, target->op->controller, target->controller->sockets);
	result_remedy(board->ret, finding, _("Take one of the ports 0 to %u that is free."),
		      target->controller->sockets - 1);
	buf_addf(&law, "port %u >= %u sockets (mask 0x%x)", target->op->port,
		 target->controller->sockets, target->controller->mask);
	cite_link(board, finding, target->port, buf_text(&law), NULL);
}

static void judge_offline(struct board *board, const struct target *target)
{
	struct finding *finding = find(board, target, "target-offline", VERDICT_FAIL);

	result_say(board->ret, finding, _("Port %u of %s is switched off by firmware or kernel."),
		   target->op->port, target->op->controller);
	result_remedy(board->ret, finding, "%s",
		      _("Take another port, or enable this one in the firmware's setup first."));
	cite_link(board, finding, target->port, "SStatus bits 3:0 (DET) = 4", "PHY offline");
}

static void judge_no_link(struct board *board, const struct target *target)
{
	struct finding *finding = find(board, target, "target-no-link", VERDICT_WARN);

	result_say(board->ret, finding,
		   _("Something is plugged into port %u of %s and its link does not come up."),
		   target->op->port, target->op->controller);
	result_remedy(board->ret, finding, "%s",
		      _("See what is plugged in there, or take another port."));
	cite_link(board, finding, target->port, "SStatus bits 3:0 (DET) = 1",
		  "device seen, no link");
}

static void judge_untold(struct board *board, const struct target *target)
{
	struct finding *finding = find(board, target, "target-unknown", VERDICT_UNKNOWN);
	const char *why = board->map->log_why_not != NULL
				  ? board->map->log_why_not
				  : _("the kernel log says nothing of this port");

	result_say(board->ret, finding,
		   _("Whether port %u of %s is wired and free is not known: %s."), target->op->port,
		   target->op->controller, why);
	result_remedy(board->ret, finding, "%s",
		      _("Read the kernel log of the boot as root, or take a port that is known."));
	result_evidence(board->ret, finding,
			board->map->klog != NULL ? board->map->klog->source : "kernel log", why,
			NULL, NULL);
}

/* ---- occupied ------------------------------------------------------------- */

/* Does this disk still hold the target port when the work is done? */
static bool stays_there(const struct board *board, const struct target *target,
			const struct block *disk)
{
	struct place_after after;

	if (disk == target->op->disk)
		return false;
	work_place_after(board->step->work, disk, &after);
	return after.present && !after.moved;
}

/* What occupies the port, or NULL. */
static const struct block *occupant(const struct board *board, const struct target *target)
{
	for (size_t i = 0; i < target->port->n_disks; i++)
		if (stays_there(board, target, target->port->disks[i]))
			return target->port->disks[i];
	return target->port->optical;
}

static bool holds_a_disk(const struct target *target)
{
	return target->port->n_disks > 0 || target->port->optical != NULL;
}

static bool judge_occupied(struct board *board, const struct target *target)
{
	const struct block *block = occupant(board, target);
	bool nameless = !holds_a_disk(target) && target->port->state == PORT_UP;

	if (block == NULL && !nameless)
		return false;
	struct finding *finding = find(board, target, "target-occupied", VERDICT_FAIL);
	AUTO_FREE char *name = block != NULL ? disk_name(board, block) : NULL;
	if (block != NULL)
		result_say(board->ret, finding,
			   _("Port %u of %s is taken by %s, which stays there."), target->op->port,
			   target->op->controller, name);
	else
		result_say(board->ret, finding, _("Port %u of %s has a device on it."),
			   target->op->port, target->op->controller);
	result_remedy(board->ret, finding, "%s",
		      _("Name an exchange of the two disks instead, or take a free port."));
	cite_link(board, finding, target->port, NULL, NULL);
	return true;
}

/* ---- speed and multipliers --------------------------------------------------- */

static void judge_slower(struct board *board, const struct target *target)
{
	const struct port *source = portmap_port_of(board->map, target->op->disk, NULL);
	unsigned most = predicted_most(board, target->op->disk, target->controller, target->port);
	AUTO_BUF law = BUF_INIT;
	AUTO_BUF derived = BUF_INIT;

	if (source == NULL || most == 0 || most >= source->link)
		return;
	struct finding *finding = find(board, target, "target-slower", VERDICT_WARN);
	AUTO_FREE char *name = disk_name(board, target->op->disk);
	result_say(board->ret, finding,
		   _("%s runs at %.1f Gb/s now and at %.1f at most on port %u of %s."), name,
		   generation_gbps(source->link), generation_gbps(most), target->op->port,
		   target->op->controller);
	result_remedy(board->ret, finding, "%s", _("Take a port of the disk's speed."));
	buf_addf(&law, "min(controller %.1f, limit of the port %.1f or none) < link now %.1f Gb/s",
		 generation_gbps(controller_capability(target->controller)),
		 generation_gbps(target->port->hard_limit), generation_gbps(source->link));
	buf_addf(&derived, "the ceiling falls from %u to %u MB/s",
		 generation_ceiling_mb_s(source->link), generation_ceiling_mb_s(most));
	cite_link(board, finding, target->port, buf_text(&law), buf_text(&derived));
}

/* Do all disks of the disk's port go to this one port, by one cable? */
static bool whole_multiplier_moves(const struct board *board, const struct target *target)
{
	const struct port *source = portmap_port_of(board->map, target->op->disk, NULL);

	if (source == NULL || !source->multiplier)
		return false;
	for (size_t i = 0; i < source->n_disks; i++) {
		struct place_after after;

		work_place_after(board->step->work, source->disks[i], &after);
		if (!after.present || after.controller == NULL || after.port < 0 ||
		    strcmp(after.controller, target->op->controller) != 0 ||
		    (unsigned)after.port != target->op->port)
			return false;
	}
	return true;
}

static void judge_multiplier(struct board *board, const struct target *target)
{
	const struct controller *controller = target->controller;

	if (!whole_multiplier_moves(board, target) || (controller->pmp_known && controller->pmp))
		return;
	struct finding *finding = find(board, target, "target-without-pmp",
				       controller->pmp_known ? VERDICT_FAIL : VERDICT_UNKNOWN);
	if (controller->pmp_known)
		result_say(board->ret, finding,
			   _("A port multiplier moves to port %u of %s, which does not support "
			     "multipliers."),
			   target->op->port, target->op->controller);
	else
		result_say(board->ret, finding,
			   _("A port multiplier moves to port %u of %s; whether that controller "
			     "supports multipliers is not told."),
			   target->op->port, target->op->controller);
	result_remedy(board->ret, finding, "%s",
		      _("Take a port of a controller whose flags in the kernel log have pmp."));
	result_evidence(board->ret, finding, _("port map"), controller->address,
			"flags of the controller have pmp",
			controller->pmp_known ? "no" : "not told");
}

/* ---- the target ------------------------------------------------------------- */

static void judge_state(struct board *board, const struct target *target)
{
	switch (target->port->state) {
	case PORT_OFFLINE:
		judge_offline(board, target);
		break;
	case PORT_NO_LINK:
		judge_no_link(board, target);
		break;
	case PORT_UNKNOWN:
		judge_untold(board, target);
		break;
	default:
		break;
	}
}

static void judge_missing(struct board *board, const struct target *target)
{
	struct finding *finding = find(board, target, "target-missing", VERDICT_FAIL);

	if (target->controller == NULL)
		result_say(board->ret, finding, _("This host has no SATA controller %s."),
			   target->op->controller);
	else
		result_say(board->ret, finding, _("%s has no port %u; its ports are 0 to %u."),
			   target->op->controller, target->op->port,
			   target->controller->ports[target->controller->n_ports - 1].index);
	result_remedy(board->ret, finding, "%s", _("Take a port that `coldswap ports` lists."));
	for (size_t i = 0; i < board->map->n; i++)
		result_evidence(board->ret, finding, _("port map"),
				board->map->controllers[i].address, NULL, NULL);
}

static void judge_adapter(struct board *board, const struct target *target)
{
	struct finding *finding = find(board, target, "target-unknown", VERDICT_UNKNOWN);

	result_say(board->ret, finding,
		   _("%s is a SAS or RAID adapter; coldswap does not read its ports."),
		   target->op->controller);
	result_remedy(board->ret, finding, "%s",
		      _("Ask the adapter's own tool whether the port is free and passes the disk "
			"through."));
	result_evidence(board->ret, finding, _("port map"), target->op->controller, NULL, NULL);
}

void judge_target(struct board *board, const struct work_op *op)
{
	struct target target = {
		.op = op,
		.controller = portmap_controller(board->map, op->controller),
		.port = portmap_port(board->map, op->controller, op->port),
	};

	if (op->off_sata && target.controller == NULL) {
		judge_adapter(board, &target);
	} else if (target.port == NULL) {
		judge_missing(board, &target);
	} else if (target.port->implemented == TRI_NO) {
		judge_dummy(board, &target);
	} else if (target.port->phantom) {
		judge_phantom(board, &target);
	} else if (target.port->implemented == TRI_UNKNOWN) {
		judge_untold(board, &target);
	} else if (!judge_occupied(board, &target)) {
		judge_state(board, &target);
		judge_slower(board, &target);
		judge_multiplier(board, &target);
	}
}

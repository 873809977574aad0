/* SPDX-License-Identifier: MIT */
/*
 * Holes in the port map: what one source tells of and another lacks.
 *
 * libata registers every port of a controller in sysfs, wired or not; a disk
 * of libata hangs on one of them; a drive that the log names is a block device.
 * Where one of the three does not hold, the map is not whole, and what it
 * does not show cannot be held against it: the verdict is unknown.
 */
#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"
#include "step/disk_ports.h"

static struct finding *start(struct board *board, const char *subject)
{
	struct finding *finding =
		result_find(board->ret, "map-incomplete", VERDICT_UNKNOWN, "%s", subject);

	result_remedy(board->ret, finding, "%s",
		      host_is_live(board->step->host)
			      ? _("Run coldswap as root, on a host with all of /sys mounted.")
			      : _("Capture the host again, with all of /sys and this boot's log."));
	return finding;
}

/* ---- ports that sysfs does not list ----------------------------------------------- */

/* How many ports the log says that libata registered; *line is where. */
static unsigned announced(const struct klog *klog, const struct controller *controller,
			  unsigned *line)
{
	unsigned most = 0;

	for (size_t i = 0; klog != NULL && i < klog->n; i++) {
		const struct klog_event *event = &klog->events[i];
		unsigned by_mask = event->has_mask && event->mask != 0
					   ? 32 - (unsigned)__builtin_clz(event->mask)
					   : 0;
		unsigned ports = event->ports > by_mask ? event->ports : by_mask;

		if (event->controller == NULL ||
		    strcmp(event->controller, controller->address) != 0 || ports <= most)
			continue;
		most = ports;
		*line = event->line;
	}
	return most;
}

static void judge_count(struct board *board, const struct controller *controller)
{
	unsigned line = 0, ports = announced(board->map->klog, controller, &line);
	AUTO_BUF law = BUF_INIT, derived = BUF_INIT;

	/* A mask that cannot be true proves nothing. */
	if (controller->mask_phantom || controller->n_ports >= ports)
		return;
	struct finding *finding = start(board, controller->address);
	result_say(board->ret, finding,
		   _("%s has %u ports by the kernel log, and %zu of them were read from %s."),
		   controller->address, ports, controller->n_ports, PATH_CLASS_ATA_PORT);
	buf_addf(&law,
		 "ports registered = max(ports of the chip, highest bit of the mask + 1) = %u",
		 ports);
	buf_addf(&derived, "%zu missing", ports - controller->n_ports);
	cite_line(board, finding, line, buf_text(&law), buf_text(&derived));
}

/* ---- disks without a port, links without a disk ----------------------------------- */

static void judge_disk(struct board *board, const struct block *disk)
{
	AUTO_BUF source = BUF_INIT;

	if (disk->disk != disk || disk->bus != BUS_ATA || disk->place.port >= 0)
		return;
	struct finding *finding = start(board, disk->name);
	result_say(board->ret, finding, _("On which port %s is plugged in is not told."),
		   disk->name);
	buf_addf(&source, "%s/ata%u/port_no", PATH_CLASS_ATA_PORT, disk->place.ata);
	result_evidence(board->ret, finding, buf_text(&source), _("not readable"), NULL, NULL);
}

/* The line that tells of a drive at the end of the port's own link; 0 = none. */
static unsigned drive_line(const struct klog *klog, const struct port *port)
{
	unsigned line = 0;

	for (size_t i = 0; klog != NULL && i < klog->n; i++)
		if (klog->events[i].ata == port->ata && klog->events[i].type == KLOG_DRIVE)
			line = klog->events[i].line;
	return line;
}

/* A partition whose disk sysfs does not show stands for no disk. */
static size_t count_disks(const struct port *port)
{
	size_t n = 0;

	for (size_t i = 0; i < port->n_disks; i++)
		n += port->disks[i]->partition == 0;
	return n;
}

static void judge_port(struct board *board, const struct controller *controller,
		       const struct port *port)
{
	unsigned line = drive_line(board->map->klog, port);
	AUTO_BUF subject = BUF_INIT;

	if (line == 0 || port->state != PORT_UP || port->multiplier || count_disks(port) > 0)
		return;
	buf_addf(&subject, "port %u of %s", port->index, controller->address);
	struct finding *finding = start(board, buf_text(&subject));
	result_say(board->ret, finding,
		   _("The kernel found a drive on port %u, and it is no block device now."),
		   port->index);
	cite_line(board, finding, line, NULL, NULL);
}

/* Two ports of sysfs cannot be one socket. */
static void judge_twins(struct board *board, const struct controller *controller)
{
	for (size_t i = 1; i < controller->n_ports; i++) {
		const struct port *first = &controller->ports[i - 1],
				  *second = &controller->ports[i];
		AUTO_BUF subject = BUF_INIT, source = BUF_INIT, observed = BUF_INIT;

		if (first->index != second->index)
			continue;
		buf_addf(&subject, "port %u of %s", second->index, controller->address);
		struct finding *finding = start(board, buf_text(&subject));
		result_say(board->ret, finding,
			   _("ata%u and ata%u both say that they are port %u of %s."), first->ata,
			   second->ata, second->index, controller->address);
		buf_addf(&source, "%s/ata%u/port_no", PATH_CLASS_ATA_PORT, second->ata);
		buf_addf(&observed, "%u", second->index + 1);
		result_evidence(board->ret, finding, buf_text(&source), buf_text(&observed), NULL,
				NULL);
	}
}

void judge_gaps(struct board *board)
{
	const struct blocks *blocks = board->step->work->blocks;

	for (size_t i = 0; i < blocks->n; i++)
		judge_disk(board, blocks->items[i]);
	for (size_t i = 0; i < board->map->n; i++) {
		const struct controller *controller = &board->map->controllers[i];

		judge_count(board, controller);
		judge_twins(board, controller);
		for (size_t j = 0; j < controller->n_ports; j++)
			judge_port(board, controller, &controller->ports[j]);
	}
}

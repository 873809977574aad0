/* SPDX-License-Identifier: MIT */
/* Evidence: lines of the kernel log as they stand, attributes of sysfs. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "probe/paths.h"
#include "step/disk_ports.h"

static const struct klog_event *event_at(const struct klog *klog, unsigned line)
{
	for (size_t i = 0; klog != NULL && i < klog->n; i++)
		if (klog->events[i].line == line)
			return &klog->events[i];
	return NULL;
}

void cite_line(struct board *board, struct finding *finding, unsigned line, const char *formula,
	       const char *derived)
{
	const struct klog_event *event = event_at(board->map->klog, line);
	AUTO_BUF source = BUF_INIT;

	if (event == NULL)
		return;
	buf_addf(&source, "%s:%u", board->map->klog->source, line);
	result_evidence(board->ret, finding, buf_text(&source), event->text, formula, derived);
}

/* What is in force in sysfs; the file that holds the lower limit, else the speed. */
static void cite_sysfs(struct board *board, struct finding *finding, const struct port *port,
		       const char *formula, const char *derived)
{
	const char *name = port->soft_limit != 0   ? "sata_spd_limit"
			   : port->hard_limit != 0 ? "hw_sata_spd_limit"
						   : "sata_spd";
	unsigned value = port->soft_limit != 0   ? port->soft_limit
			 : port->hard_limit != 0 ? port->hard_limit
						 : port->link;
	AUTO_BUF source = BUF_INIT;
	AUTO_BUF observed = BUF_INIT;

	buf_addf(&source, "%s/link%u/%s", PATH_CLASS_ATA_LINK, port->ata, name);
	if (value != 0)
		buf_addf(&observed, "%.1f Gbps", generation_gbps(value));
	else
		buf_adds(&observed, "<unknown>");
	result_evidence(board->ret, finding, buf_text(&source), buf_text(&observed), formula,
			derived);
}

void cite_link(struct board *board, struct finding *finding, const struct port *port,
	       const char *formula, const char *derived)
{
	if (port->link_line != 0)
		cite_line(board, finding, port->link_line, formula, derived);
	else
		cite_sysfs(board, finding, port, formula, derived);
}

void cite_events(struct board *board, struct finding *finding, const struct port *port,
		 enum klog_type type, size_t max)
{
	const struct klog *klog = board->map->klog;

	for (size_t i = 0; klog != NULL && max > 0 && i < klog->n; i++)
		if (klog->events[i].ata == port->ata && klog->events[i].type == type) {
			cite_line(board, finding, klog->events[i].line, NULL, NULL);
			max--;
		}
}

void cite_mask(struct board *board, struct finding *finding, const struct controller *controller,
	       const char *formula, const char *derived)
{
	cite_line(board, finding, controller->mask_line, formula, derived);
}

char *disk_name(struct board *board, const struct block *disk)
{
	char *name = NULL;

	if (block_describe(disk, &name) < 0)
		board->failed = -ENOMEM;
	return name;
}

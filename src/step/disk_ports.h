/* SPDX-License-Identifier: MIT */
/* Shared by src/step/disk_ports*.c alone. */
#ifndef COLDSWAP_STEP_DISK_PORTS_H
#define COLDSWAP_STEP_DISK_PORTS_H

#include "probe/facts.h"
#include "step.h"
#include "work/advice.h"
#include "work/work.h"

extern const struct output_row disk_ports_outputs[];
extern const struct finding_row disk_ports_findings[];

/* All that one run of the check looks at. */
struct board {
	const struct step *step;
	const struct portmap *map;
	const struct advice *advice;
	struct result *ret;
	int failed; /* sticky -ENOMEM */
};

/* disk_ports_cite.c: evidence out of the kernel log and sysfs. */
void cite_line(struct board *board, struct finding *finding, unsigned line, const char *formula,
	       const char *derived);
/* The port's last link line, or what sysfs says where the log has none. */
void cite_link(struct board *board, struct finding *finding, const struct port *port,
	       const char *formula, const char *derived);
/* The first `max` lines of this type about the port. */
void cite_events(struct board *board, struct finding *finding, const struct port *port,
		 enum klog_type type, size_t max);
void cite_mask(struct board *board, struct finding *finding, const struct controller *controller,
	       const char *formula, const char *derived);
/* How the disk is called, "the disk" when memory is short. */
char *disk_name(struct board *board, const struct block *disk);

/* disk_ports_held.c: the ports as they are. */
void judge_held(struct board *board);
void judge_log(struct board *board);
void judge_masks(struct board *board);
void judge_errors(struct board *board);

/* disk_ports_gaps.c: what one source of the map tells of and another lacks. */
void judge_gaps(struct board *board);

/* disk_ports_identity.c: disks that cannot be told apart. */
void judge_identity(struct board *board, const struct block *disk);
void judge_kept_back(struct board *board);

/* disk_ports_work.c, disk_ports_target.c: the planned work. */
void judge_work(struct board *board);
void judge_target(struct board *board, const struct work_op *op);
/* The fastest that a disk's link can be on a port; 0 = not known. */
unsigned predicted_most(const struct board *board, const struct block *disk,
			const struct controller *controller, const struct port *port);

#endif

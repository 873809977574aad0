/* SPDX-License-Identifier: MIT */
/* Shared by the parts of disk.smart. */
#ifndef COLDSWAP_STEP_DISK_SMART_H
#define COLDSWAP_STEP_DISK_SMART_H

#include "probe/facts.h"
#include "probe/smart.h"
#include "step.h"
#include "work/work.h"

/* One drive while it is judged; drives behind a RAID controller share `disk`. */
struct drive_check {
	const struct step *step;
	struct result *ret;
	const struct block *disk;
	const char *name; /* "Samsung SSD 870 EVO 2TB (S620...)" */
	const struct smart *smart;
	bool flagged; /* a finding that is no good news was made */
};

extern const struct finding_row disk_smart_findings[];

/* A finding about the drive, with its sentence still to come. */
struct finding *drive_find(struct drive_check *check, const char *id, enum verdict verdict);
/* Append "coldswap/smart/sda.json:66"; line 0 is the document as a whole. */
void drive_source(const struct drive_check *check, unsigned line, struct buf *ret);
/* The line of the document that is at fault, and what stands there. */
void drive_cite(struct drive_check *check, struct finding *finding, unsigned line,
		const char *observed_fmt, ...) PRINTF_LIKE(4, 5);
/* Says of the next step what every drive in doubt needs: copy what is on it, and replace it. */
void drive_advise(struct drive_check *check, struct finding *finding);

/* The sentence and the advice for a counter that is above zero. */
void drive_say_count(struct drive_check *check, struct finding *finding,
		     enum smart_attribute_kind kind, int64_t n);

/* disk_smart_ata.c, disk_smart_nvme.c: what the counters say. */
void judge_ata(struct drive_check *check);
void judge_nvme(struct drive_check *check);
void judge_scsi(struct drive_check *check);

/* disk_smart_gap.c: why nothing is told. */
void judge_gap(struct drive_check *check);
/* Has such a disk no SMART by its nature (virtual, an SD card)? */
bool disk_has_no_smart(const struct block *disk);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What smartctl says of one disk (HOST_FACT_SMART), typed and not judged.
 *
 * The exit status of smartctl is a mask: 1, 2 and 4 mean that something could
 * not be asked; the higher bits judge the drive and leave the facts sound.
 * A document may tell the link and no health (a USB bridge that passes
 * IDENTIFY alone), so `source` and `gap` are set apart.
 *
 * Speeds come from their strings: the sata_value numbers of `max` and
 * `current` are of different codes and never compared.  An attribute's number
 * means different things to different vendors, so a number counts only
 * together with its name.
 *
 * Lines are those of the document, from 1; 0 = not told.
 */
#ifndef COLDSWAP_PROBE_SMART_H
#define COLDSWAP_PROBE_SMART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attr.h"
#include "error.h"
#include "host.h"

enum smart_bits {
	SMART_EXIT_USAGE = 1,
	SMART_EXIT_OPEN = 2, /* not opened, or asleep and left so */
	SMART_EXIT_COMMAND = 4,
	SMART_EXIT_FAILING = 8,
	SMART_EXIT_BELOW_NOW = 16, /* a prefailure attribute is at its threshold */
};

/* Why a disk's health is not told. */
enum smart_gap {
	SMART_TOLD,
	SMART_NOT_INSTALLED,
	SMART_NEEDS_ROOT,
	SMART_NOT_CAPTURED,
	SMART_BROKEN, /* the document cannot be read */
	SMART_ASLEEP,
	SMART_SWITCHED_OFF, /* the drive could, and its SMART is disabled */
	SMART_NO_ANSWER,    /* a bridge or a RAID controller in between, or no such drive */
};

enum smart_attribute_kind {
	SMART_OTHER,
	SMART_REALLOCATED,   /* 5: sectors replaced */
	SMART_UNCORRECTABLE, /* 187, 198: reads that failed for good */
	SMART_PENDING,       /* 197: sectors that wait for a write to be replaced */
	SMART_CRC,           /* 199: transfers over the link that failed, ever */
	SMART_WEAR,          /* 173, 177, 202, 231, 233 ...: `value` is what is left of 100 */
};

/* ATA: a row of the attribute table. */
struct smart_attribute {
	enum smart_attribute_kind kind;
	unsigned id;
	char *name;
	int value, worst, threshold;     /* normalised; -1 not told */
	bool flagged;                    /* the document tells `prefailure` */
	bool prefailure;                 /* at its threshold the drive is about to fail */
	bool failing_now, failed_before; /* at or below the threshold */
	int64_t raw;                     /* 48 bits; -1 not told */
	int64_t count;                   /* what `raw` counts, taken apart; -1 not told */
	bool packed;                     /* `raw` packs several numbers */
	unsigned name_line, raw_line;    /* raw_line: of raw.value */
	unsigned failing_line;           /* of when_failed */
};

struct smart_count {
	int64_t n; /* -1 not told */
	unsigned line;
};

struct smart_nvme {
	bool told;
	struct smart_count critical_warning, spare, spare_threshold, used, media_errors;
};

enum { SMART_NVME_SPARE = 1, SMART_NVME_TEMPERATURE = 2 }; /* of critical_warning */

struct smart_scsi {
	bool told;
	struct smart_count grown_defects, pending_defects, used;
	struct smart_count uncorrected[3]; /* read, write, verify */
};

struct smart {
	char *source; /* of the document; NULL when there is none */
	enum smart_gap gap;
	char *why_not, *remedy; /* unless SMART_TOLD */
	bool lined;             /* the document has lines to cite */

	unsigned exit_status, exit_line;
	int passed; /* 1, 0, -1 not told */
	unsigned passed_line;
	int64_t hours, celsius; /* -1 not told; celsius: INT64_MIN */
	char *model, *serial;
	char *self_test; /* how the newest self-test failed; NULL = it did not */
	unsigned self_test_line;

	unsigned max, current; /* SATA generations; 0 = not told */
	unsigned max_line, current_line;
	int64_t crc_errors, reallocated; /* -1 = not told */
	unsigned crc_line;

	struct smart_attribute *attributes;
	size_t n_attributes;
	struct smart_nvme nvme;
	struct smart_scsi scsi;
};

/* `name` is a kernel name.  That smartctl tells nothing is no error. */
int smart_load(struct host *host, const char *name, struct smart **ret, struct error *err);
/* The document alone. */
int smart_parse(const char *text, size_t len, const char *source, struct smart **ret,
		struct error *err);
void smart_free(struct smart *smart);
DEFINE_CLEANUP(smart, smart_free)

/* Did smartctl get as far as the link? */
bool smart_tells_link(const struct smart *smart);

/*
 * Names of the drives behind RAID controllers that a capture holds:
 * "sda-megaraid0".  NULL-terminated or NULL.  One listing serves all disks.
 */
int smart_captured_members(struct host *host, char ***ret, struct error *err);
/* Those behind the disk "sda". */
int smart_members_of(char *const *captured, const char *name, char ***ret, struct error *err);

#endif

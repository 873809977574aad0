/* SPDX-License-Identifier: MIT */
/*
 * The contract between a kind and everything else.
 *
 * A kind is one const struct in one file of src/step, listed in
 * src/step/kinds.h.  Its rows (parameters, outputs, findings) feed the
 * runbook's parser, `coldswap kinds`, `explain`, the man page and the schema;
 * its callbacks do the work.  A kind gets a `struct step` and returns a
 * `struct result`: findings with their evidence, outputs, one summary.
 * It never sees a runbook, a plan or a report, and it never prints.
 *
 * A verdict is data.  A callback returns a negative errno only when the step
 * itself could not be carried out (out of memory, cancelled); a fact that
 * could not be read is a finding with VERDICT_UNKNOWN, never a pass.
 */
#ifndef COLDSWAP_STEP_H
#define COLDSWAP_STEP_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "error.h"
#include "host.h"

struct facts; /* src/probe/facts.h: what the probes read, each once */
struct work;  /* src/work/work.h: the planned work, resolved */

/* In the order of badness: the verdict of a step is its worst finding. */
enum verdict {
	VERDICT_SKIP,
	VERDICT_PASS,
	VERDICT_WARN,
	VERDICT_UNKNOWN,
	VERDICT_FAIL,
};

const char *verdict_name(enum verdict verdict); /* "skip", "pass", ... */
enum verdict verdict_worse(enum verdict a, enum verdict b);

/* ---- what a step reports ---------------------------------------------- */

struct evidence {
	char *source;   /* where it was read: "/etc/fstab:2" */
	char *observed; /* what stood there */
	char *formula;  /* the law, with its numbers; NULL where there is none */
	char *derived;  /* the value that the law gives; NULL likewise */
};

struct finding {
	char *id; /* "names.fstab/kernel-name"; a row of the kind */
	enum verdict verdict;
	char *subject; /* "/etc/fstab:7", "port 5 of 0000:00:1f.2" */
	char *summary; /* one sentence */
	char *remedy;  /* what to do; NULL only for pass and skip */
	struct evidence *evidence;
	size_t n_evidence;
};

enum output_type { OUTPUT_BOOL, OUTPUT_INT, OUTPUT_STRING };

struct output {
	const char *name; /* a row of the kind */
	enum output_type type;
	union {
		bool boolean;
		int64_t integer;
		char *string;
	} value;
};

struct result {
	enum verdict verdict; /* worst finding so far; SKIP until one came */
	char *summary;
	struct finding *findings;
	size_t n_findings;
	struct output *outputs;
	size_t n_outputs;
	const struct kind *kind;  /* set by result_init() */
	int failed;               /* sticky: -ENOMEM of the calls below, or -EINVAL for an id or
	                            an output that the kind does not declare */
	struct finding discarded; /* what result_find() gives out when it failed */
};

void result_init(struct result *result, const struct kind *kind);
void result_done(struct result *result);

/*
 * Add a finding.  `id` is the part after the slash ("kernel-name") and must
 * be one of the kind's finding rows.  Never NULL: on a failed allocation a
 * discarded finding is returned and result->failed is set, so the setters
 * below may follow unchecked.  The pointer is good until the next
 * result_find().
 */
struct finding *result_find(struct result *result, const char *id, enum verdict verdict,
			    const char *subject_fmt, ...) PRINTF_LIKE(4, 5);
void result_summary(struct result *result, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The step does not apply here: verdict skip, with the reason as summary. */
void result_skip(struct result *result, const char *fmt, ...) PRINTF_LIKE(2, 3);

void result_say(struct result *result, struct finding *finding, const char *fmt, ...)
	PRINTF_LIKE(3, 4); /* the finding's summary */
void result_remedy(struct result *result, struct finding *finding, const char *fmt, ...)
	PRINTF_LIKE(3, 4);
/* Any of the four may be NULL but `source`. */
void result_evidence(struct result *result, struct finding *finding, const char *source,
		     const char *observed, const char *formula, const char *derived);

/*
 * A probe failed: one finding with VERDICT_UNKNOWN that says why and what to
 * do, from the error.  Identical remedies are shown as one line by reports.
 */
void result_unknown(struct result *result, const char *id, const char *subject, const char *source,
		    const struct error *why);

void result_output_bool(struct result *result, const char *name, bool value);
void result_output_int(struct result *result, const char *name, int64_t value);
void result_output_string(struct result *result, const char *name, const char *value);

/* ---- what a kind declares --------------------------------------------- */

enum param_type {
	PARAM_STRING,   /* char * */
	PARAM_BOOL,     /* bool: true or false, nothing else */
	PARAM_INT,      /* int64_t, decimal */
	PARAM_SIZE,     /* uint64_t bytes: "10 GB" (10^9), "10 GiB" (2^30) */
	PARAM_DURATION, /* uint64_t microseconds: "60s", "5min", "500ms" */
	PARAM_PATH,     /* char *, absolute, normalised */
	PARAM_DISK,     /* char *: the pinned key of a disk (block.h) */
	PARAM_STRINGS,  /* char **, NULL-terminated */
	PARAM_PATHS,    /* char **, NULL-terminated */
	PARAM_DISKS,    /* char **, NULL-terminated, pinned keys */
};

/* What a drafted runbook gives a parameter, of what it finds on the host. */
enum param_draft {
	DRAFT_NOTHING,    /* it is left out, with its help as a comment */
	DRAFT_WORK_DISKS, /* the disks of the work */
	DRAFT_MOUNTS,     /* the mount points of fstab */
	DRAFT_DATABASES,  /* the database directories */
	DRAFT_COPY_TO,    /* a directory on a disk that stays as it is */
	DRAFT_INTERFACES, /* the network interfaces that have a link */
	DRAFT_UNITS,      /* the usual services that are active */
};

struct param_row {
	const char *name;
	enum param_type type;
	bool required;
	const char *fallback; /* the default as the runbook would write it, or NULL */
	size_t offset;        /* into the kind's parameter struct */
	const char *help;     /* one sentence */
	enum param_draft draft;
};
#define PARAM_OFFSET(type, member) offsetof(struct type, member)

struct output_row {
	const char *name;
	enum output_type type;
	const char *help;
};

/* One row for each finding that a kind can report; feeds `explain`. */
struct finding_row {
	const char *id;    /* "kernel-name" */
	const char *title; /* a few words */
	const char *means; /* what was found, in whole sentences */
	const char *harm;  /* how it hurts; NULL for good news */
	const char *mend;  /* how to mend it; NULL for good news */
	bool acceptable;   /* an operator may decide to live with it; nothing reads it yet */
};

enum kind_class { KIND_CHECK, KIND_MEASURE, KIND_ACTION, KIND_GATE };

enum kind_flags {
	KIND_VOLATILE = 1 << 0,   /* the proof holds at its time stamp only */
	KIND_AFTER = 1 << 1,      /* stands after the boundary */
	KIND_NEEDS_ROOT = 1 << 2, /* asks devices, which takes root on the running system */
};

/* What a kind gets.  Everything is borrowed and outlives the call. */
struct step {
	const char *id;
	struct host *host;
	struct facts *facts;
	struct facts *before;    /* what an earlier capture recorded; NULL = nothing recorded */
	const struct work *work; /* never NULL; may be a plain power cycle.  With `before` its
	                            disks are those of `before` */
	bool after;              /* the work is past, whether anything was recorded before or not */
	const volatile sig_atomic_t *cancelled;
	uint64_t deadline_us; /* CLOCK_MONOTONIC */
};

struct kind {
	const char *name; /* "names.fstab" */
	enum kind_class class;
	const char *title; /* a line of the plan: "names in /etc/fstab" */
	const char *help;  /* a paragraph */
	unsigned flags;
	unsigned deadline_s;
	size_t params_size;
	const struct param_row *params;     /* ends with {0} */
	const struct output_row *outputs;   /* ends with {0} */
	const struct finding_row *findings; /* ends with {0} */

	/* One sentence for the plan, from the parameters alone; no I/O. */
	int (*describe)(const void *params, struct buf *ret);
	int (*run)(const struct step *step, const void *params, struct result *ret,
		   struct error *err);
};

/* The registry, in the order of src/step/kinds.h; NULL past the end. */
const struct kind *kind_at(size_t index);
const struct kind *kind_find(const char *name);
/* `id` with or without the kind's name before it. */
const struct finding_row *kind_finding(const struct kind *kind, const char *id);
const char *kind_class_name(enum kind_class class);
const char *param_type_name(enum param_type type);

#endif

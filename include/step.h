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
 * The life of an action in a session:
 *
 *	intent journaled -> run -> verify(EFFECT_WANTED) -> outcome journaled
 *	                      \-- killed: verify(EFFECT_WANTED) tells whether
 *	                          there is anything left to run
 *	undo journaled   -> undo -> verify(EFFECT_UNDONE) -> outcome journaled
 *
 * run and undo must therefore be right on a world where they have been half
 * done already, and `verify` looks at the world alone, never at a record.
 * What undo needs is saved by step_save_original() before the first change.
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
#include <sys/types.h>

#include "buf.h"
#include "error.h"
#include "host.h"

struct json_t; /* jansson's */
struct facts;  /* src/probe/facts.h: what the probes read, each once */
struct work;   /* src/work/work.h: the planned work, resolved */

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
	const char *name; /* a row of the kind, or one of result->names */
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
	char **names;             /* of loaded outputs that the kind does not declare */
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

/*
 * A result as one line of JSON, and back: what the journal keeps of a step.
 * Keys as in the report: {"verdict","summary","outputs":{},"findings":[]}.
 * result_load() takes ids and outputs as they stand, whether the kind still
 * declares them or not; -EBADMSG for a text that is no such document.
 */
int result_save(const struct result *result, struct buf *ret, struct error *err);
int result_load(const char *text, size_t len, const struct kind *kind, struct result *ret,
		struct error *err);
/* The same as keys of an object, and from one that has them, beside others. */
int result_set_json(const struct result *result, struct json_t *object);
int result_from_json(const struct json_t *object, const struct kind *kind, struct result *ret,
		     struct error *err);

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
	PARAM_ENTRIES,  /* struct param_entries: a list of mappings, by the rows of `entry` */
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
	/* Is a text that is right for the type right here too?  -EINVAL says why not; or NULL. */
	int (*check)(const char *text, struct error *err);
	/* PARAM_STRING: the only texts that are right, NULL-terminated; or NULL = any. */
	const char *const *words;
	const char *required_with; /* of an entry: "keep=recreatable", a key and its word */
	/* PARAM_ENTRIES alone: the rows of one entry, scalars each, and the size of its struct. */
	const struct param_row *entry;
	size_t entry_size;
};
/* What a PARAM_ENTRIES gives: `n` structs of the row's entry_size, one after the other. */
struct param_entries {
	void *items;
	size_t n;
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
	bool acceptable;   /* an operator may decide to live with it: --accept */
};

enum kind_class { KIND_CHECK, KIND_MEASURE, KIND_ACTION, KIND_GATE };

enum kind_flags {
	KIND_VOLATILE = 1 << 0,   /* the proof holds at its time stamp only */
	KIND_AFTER = 1 << 1,      /* stands after the boundary */
	KIND_NEEDS_ROOT = 1 << 2, /* asks devices, which takes root on the running system */
	KIND_BOUNDARY = 1 << 3,   /* the crossing: the executor asks, then run() powers off */
	KIND_RESTORE = 1 << 4,    /* undoes the step that it names; the executor does it */
	KIND_AT_BOOT = 1 << 5,    /* what the unit of the next boot verifies by itself */
	KIND_SETS_BOOT = 1 << 6,  /* sets that unit up: a boundary has one before it */
	KIND_CABLES = 1 << 7, /* its failure after the work is the cables': off again, or keep */
};

/* ---- what a step may ask of the session that it is a part of ------------ */

/* A question to the operator.  All texts are whole sentences. */
struct question {
	const char *text;    /* what is asked, and why; may have several lines */
	const char *word;    /* what goes on: "yes", "saved", a host name; never NULL */
	const char *goes_on; /* what that does */
	const char *leaves;  /* what stopping here leaves */
	/* More words that are taken, NULL-terminated, each with what it does; or NULL. */
	const char *const *others;
	const char *const *others_mean;
	bool by_yes; /* `--yes` may answer it with `word` */
};

struct progress {
	const char *what;     /* "stopping k3s.service" */
	uint64_t done, total; /* total 0 = not known */
	bool bytes;           /* of bytes, else of whatever is counted */
};

/* Filled in by the executor; kinds use the step_*() calls below. */
struct step_services {
	void *data;
	int (*ask)(void *data, const struct question *question, char **ret, struct error *err);
	int (*ask_secret)(void *data, const struct question *question, char **ret,
			  struct error *err);
	void (*progress)(void *data, const struct progress *progress);
	int (*scratch_dir)(void *data, const char **ret, struct error *err);
	int (*save_original)(void *data, const char *key, const char *value, struct error *err);
	int (*original)(void *data, const char *key, const char **ret, struct error *err);
};

/* A process that stands in a step's way, by what its control group tells. */
struct stoppable {
	pid_t pid;
	const char *cgroup;    /* "/system.slice/k3s.service"; NULL = not told */
	const char *unit;      /* "k3s.service"; or NULL */
	const char *pod;       /* the pod's UID; or NULL */
	const char *container; /* the container's ID; or NULL */
};

/* The steps that stand before this one and are not done: while one is foreseen, not run. */
struct step_ahead {
	void *data;
	/* 1 and the id of the step that ends the process, 0 when none does, or a negative errno. */
	int (*stopper)(void *data, const struct stoppable *who, const char **ret_id,
		       struct error *err);
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
	/* NULL where nothing may be changed or asked: audit, check, verify. */
	const struct step_services *services;
	int64_t session;     /* its number; 0 = none */
	const char *program; /* absolute, as the next boot finds it; NULL where none is run */
	const char *state;   /* the state directory, absolute; NULL likewise */
	/*
	 * Which end of the data cables was exchanged, as the operator said after
	 * the work: "drives", "board", "both"; NULL = not asked.
	 */
	const char *exchanged_end;
	const struct step_ahead *ahead; /* set in foresee() alone */
	/* Since this step was done, and not by the crossing: what it did may not stand any more. */
	bool restarted;
};

/*
 * The right to change the host: asked for before every change, refused here
 * and nowhere else.  0, or -EPERM in words.
 */
int step_may_change(const struct step *step, struct error *err);
/*
 * One of the question's words; the caller frees it.  -ENOTTY: there is no
 * terminal to ask at; -ECANCELED: the operator stopped; -EIO: the terminal
 * went away; -EPERM: nothing may be asked here.
 */
int step_ask(const struct step *step, const struct question *question, char **ret,
	     struct error *err);
/* Not echoed, not kept; to be wiped by the caller.  Errors as above. */
int step_ask_secret(const struct step *step, const struct question *question, char **ret,
		    struct error *err);
void step_progress(const struct step *step, const struct progress *progress);
/* A directory of this step's own, 0700, removed when the session closes. */
int step_scratch_dir(const struct step *step, const char **ret, struct error *err);
/*
 * Keep what was there before the first change; durable on return.  Write-once:
 * a key that is kept already stays as it is, and that is no error.
 */
int step_save_original(const struct step *step, const char *key, const char *value,
		       struct error *err);
/* 1 and a borrowed text, 0 when none was kept, or a negative errno. */
int step_original(const struct step *step, const char *key, const char **ret, struct error *err);
/* An original that the executor reads too: mount points that the action takes down, a JSON list. */
#define ORIGINAL_TAKEN_DOWN "taken-down"

/* Which step before this one ends the process?  As step_ahead.stopper; 0 where nothing is ahead. */
int step_stopper(const struct step *step, const struct stoppable *who, const char **ret_id,
		 struct error *err);

/* What an action's verify() is asked. */
enum effect {
	EFFECT_WANTED, /* is the world as the action should leave it? */
	EFFECT_UNDONE, /* is it as the originals say that it was before? */
};
enum standing { STANDING_UNKNOWN, STANDING_NO, STANDING_YES };

struct kind {
	const char *name; /* "names.fstab" */
	enum kind_class class;
	const char *title; /* a line of the plan: "names in /etc/fstab" */
	const char *help;  /* a paragraph */
	unsigned flags;
	unsigned deadline_s; /* of one run; 0 = none: a human is waited for */
	size_t params_size;
	const struct param_row *params;     /* ends with {0} */
	const struct output_row *outputs;   /* ends with {0} */
	const struct finding_row *findings; /* ends with {0} */

	/* One sentence for the plan, from the parameters alone; no I/O. */
	int (*describe)(const void *params, struct buf *ret);
	int (*run)(const struct step *step, const void *params, struct result *ret,
		   struct error *err);

	/*
	 * KIND_ACTION alone.  `verify` is never NULL there; its findings say why
	 * the standing is not yes.  `undo` NULL: nothing to take back; else
	 * `describe_undo` says in one sentence what taking back does.
	 */
	int (*verify)(const struct step *step, const void *params, enum effect effect,
		      enum standing *ret_standing, struct result *ret, struct error *err);
	int (*undo)(const struct step *step, const void *params, struct result *ret,
		    struct error *err);
	int (*describe_undo)(const void *params, struct buf *ret);

	/*
	 * What the step would find or do on the host as it is now, by reading
	 * alone: asked by audit and plan in the place of `run` where that is left
	 * to the session (an action; a volatile check behind an action).  What
	 * stands in the way and is ended by no step before is a finding that
	 * blocks (step_stopper()); without such a finding the verdict is at most a
	 * warning.  May be NULL.
	 */
	int (*foresee)(const struct step *step, const void *params, struct result *ret,
		       struct error *err);
	/* KIND_ACTION: would it end this process?  1, 0, or a negative errno; NULL: it ends none. */
	int (*ends)(const struct step *step, const void *params, const struct stoppable *who,
		    struct error *err);

	unsigned typical_s; /* how long it is assumed to take, for the plan; 0 = under a second */
};

/* The registry, in the order of src/step/kinds.h; NULL past the end. */
const struct kind *kind_at(size_t index);
const struct kind *kind_find(const char *name);
/* Does every kind keep the rules above?  -EINVAL names the first that does not; at start-up. */
int kinds_sound(struct error *err);
/* `id` with or without the kind's name before it. */
const struct finding_row *kind_finding(const struct kind *kind, const char *id);
const char *kind_class_name(enum kind_class class);
const char *param_type_name(enum param_type type);

#endif

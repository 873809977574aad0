/* SPDX-License-Identifier: MIT */
/*
 * What a command found, and how it is shown.  A report is plain data; the
 * writers turn it into one JSON document or into text for a console.
 */
#ifndef COLDSWAP_REPORT_H
#define COLDSWAP_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "attr.h"
#include "buf.h"
#include "error.h"
#include "plan.h"
#include "step.h"

struct facts;      /* src/probe/facts.h */
struct acceptance; /* card.h */

struct report_step {
	const struct plan_step *plan; /* borrowed */
	struct result result;         /* of a step that did not run: verdict and summary */
	struct error failure;         /* code 0, or why the step could not be carried out */
	uint64_t duration_us;
	/* In a session, borrowed: "not begun", "intended", "done", "failed", "undone", "void"; and
	   when that was, RFC 3339.  NULL = no session. */
	const char *state, *at;
};

/* What a session is beside its steps; everything is borrowed. */
/* A cold copy that a session left, as it lies there now. */
struct report_copy {
	const char *dir;
	const char *state; /* "whole", "partial", "superseded", "failed"; NULL: not to be seen */
	const char *why;   /* that it cannot be seen; or NULL */
	uint64_t bytes;
	int64_t session;
	const char *created; /* RFC 3339; or NULL */
};

struct report_session {
	int64_t number;
	const char *runbook;               /* its name */
	const char *phase;                 /* "before", "crossing", "after", "closed" */
	const char *closed_as;             /* "pass", "differs", "aborted"; NULL while open */
	const char *closed_how;            /* in a sentence, or NULL */
	const char *opened_at, *closed_at; /* RFC 3339 */
	const char *work;                  /* in words, as at the opening; may have several lines */
	bool powers_off;                   /* the runbook has a step that does */
	size_t position;                   /* the step that comes next, from 0 */
	unsigned crossings;
	const char *exchanged_end; /* "drives", "board", "both"; NULL = not told */
	const struct acceptance *accepted;
	size_t n_accepted;
	const char *stopped;  /* why the last call stopped, or NULL */
	char *const *changes; /* a sentence for each thing that is changed now, or NULL */
	const char *running;  /* who has it in hand now, or NULL */
	const char *next;     /* the command that goes on; NULL: nothing is left */
	const char *head;     /* of the journal's chain */
	size_t events;        /* of the whole chain; 0 = it was not computed anew */
	const char *broken;   /* what of the chain does not fit; NULL: it is whole */
	const struct report_copy *copies; /* of all sessions, where they put them */
	size_t n_copies;
};

struct report {
	const char *command;                    /* "audit", "check", "verify" */
	char *host_name, *machine_id, *boot_id; /* NULL = not known */
	char *root;
	/* The earlier capture that it was compared with; `root` NULL = none. */
	struct {
		char *name, *machine_id, *boot_id, *root;
	} before;
	char *again;             /* this command as a shell would take it; NULL = not known */
	const struct plan *plan; /* borrowed */
	struct timespec started, finished;
	struct report_step *steps;
	size_t n_steps;
	enum verdict verdict;
	int exit_code;
	const struct report_session *session; /* borrowed; NULL = of no session */
};

/* Exit codes of design: worst wins in the order 4, 2, 12, 11, 1, 3, 10, 0. */
enum exit_code {
	EXIT_SAFE = 0,
	EXIT_CHECK_FAILED = 1,
	EXIT_USAGE = 2,
	EXIT_NOT_KNOWN = 3,
	EXIT_SYSTEM = 4,
	EXIT_WAITING = 10, /* for the operator: a gate without a terminal, or paused */
	EXIT_BUSY = 11,    /* another session is open */
	EXIT_CHANGED = 12, /* the world or the runbook changed since the plan */
};
/* As a shell would say it: 130 for SIGINT, 143 for SIGTERM. */
#define EXIT_BY_SIGNAL(number) (128 + (number))

int exit_code_of(enum verdict verdict);
/* The worse of two, in the order above; that a signal ended it is the worst. */
int exit_code_worse(int a, int b);

/* How text is to be drawn. */
struct screen {
	unsigned width; /* columns; 80 when not a terminal */
	bool color;
	bool utf8;  /* drawings in Unicode, else ASCII */
	bool plain; /* one fact a line, no drawing, for screen readers */
	bool quiet; /* the closing sentence alone */
	bool root;  /* runs as root: remedies do not say sudo */
};

/* How many findings of each sort, and how many steps. */
struct tally {
	unsigned findings[VERDICT_FAIL + 1]; /* by verdict */
	unsigned steps[VERDICT_FAIL + 1];    /* by verdict */
	unsigned not_run;                    /* steps not known for want of any finding */
};
struct tally report_tally(const struct report *report);

int report_json(const struct report *report, struct buf *ret, struct error *err);
int report_text(const struct report *report, const struct screen *screen, struct buf *ret,
		struct error *err);
/* The closing sentence alone: safe, not safe, or not known, to do what. */
int report_sentence(const struct report *report, struct buf *ret);
void report_done(struct report *report);

/* `foreseen`, by index: what the actions would do on the host as it is now; or NULL. */
int plan_text(struct facts *facts, const struct plan *plan, const struct report_step *foreseen,
	      const struct screen *screen, struct buf *ret, struct error *err);
int plan_json(struct facts *facts, const struct plan *plan, const struct report_step *foreseen,
	      struct buf *ret, struct error *err);

struct portmap;
struct advice;
int ports_text(struct facts *facts, const struct portmap *map, const struct advice *advice,
	       const struct screen *screen, struct buf *ret, struct error *err);
int ports_json(struct facts *facts, const struct portmap *map, const struct advice *advice,
	       struct buf *ret, struct error *err);

#endif

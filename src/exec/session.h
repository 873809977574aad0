/* SPDX-License-Identifier: MIT */
/*
 * A session: one execution of one pinned runbook on one host.
 *
 *	           run                     power.off                resume
 *	(nothing) -----> BEFORE ---------------------> CROSSING ------------> AFTER
 *	                 | ^ |                            |                    |
 *	                 | | | unplanned reboot           | same boot_id:      | closed:
 *	           abort | +-+ (outcomes are void)        | back to BEFORE     | pass,
 *	                 v                                v                    | differs,
 *	               CLOSED <---------------------------------- abort -------+ aborted
 *
 * Invariants:
 *   1. Nothing is changed before its intent and originals are on the disk.
 *   2. The world is asked, never the record: after a crash, and before every
 *      undo, verify() decides what there is left to do.
 *   3. One session a host: the lock is held while one runs, the journal says
 *      that one is open.
 *   4. The boundary is crossed only with every proof renewed after the last
 *      answer of the operator.
 *   5. What a resume continues is the runbook as it was pinned; a file that
 *      differs, another machine-id or another world is exit code 12.
 */
#ifndef COLDSWAP_EXEC_SESSION_H
#define COLDSWAP_EXEC_SESSION_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "card.h"
#include "error.h"
#include "exec/operator.h"
#include "host.h"
#include "journal.h"
#include "plan.h"
#include "report.h"
#include "runbook.h"

struct session_args {
	struct host *host; /* the running system */
	struct facts *facts;
	const char *state; /* the state directory */
	const struct operator* operator;
	const volatile sig_atomic_t *cancelled;
	const char *program; /* argv[0] as it is to be typed again: in next commands */
	bool by_step;        /* ask before each step */
	bool yes;            /* --yes: answers what `by_yes` allows */
	const struct acceptance *accepted;
	size_t n_accepted;
};

/*
 * How a call ended.  The exit code is of report.h; `next` is the command that
 * goes on ("coldswap resume"), NULL when nothing is left to do.
 */
struct session_end {
	int64_t number; /* 0 = none was opened */
	int exit_code;
	char *next;
	char *summary; /* one sentence: where the session stands */
};
void session_end_done(struct session_end *end);

/*
 * 0 with *ret, whatever the verdicts are.  A negative errno with words: no
 * session was opened (-EBUSY: another is open or running), or it could not go
 * on and is left as the journal says.
 */
int session_run(const struct session_args *args, const struct runbook *runbook,
		const struct plan_args *plan_args, struct session_end *ret, struct error *err);
int session_resume(const struct session_args *args, struct session_end *ret, struct error *err);
int session_abort(const struct session_args *args, struct session_end *ret, struct error *err);

/* ---- looking, which changes nothing ------------------------------------------- */

enum session_phase { SESSION_BEFORE, SESSION_CROSSING, SESSION_AFTER, SESSION_CLOSED };

enum step_state {
	STEP_NOT_BEGUN,
	STEP_INTENDED, /* the intent is journaled and no outcome: a crash, or it runs now */
	STEP_DONE,     /* with a result */
	STEP_FAILED,   /* fail, unknown, or it could not be carried out */
	STEP_UNDONE,
	STEP_VOID, /* it was done, and an unplanned reboot voided it */
};

/* The reason of a "void" event that a reboot caused: it stands in journals, and is not translated. */
#define VOID_BY_REBOOT "the machine was started again unplanned"

/* What was kept before the first change, by step_save_original(). */
struct session_original {
	char *key, *value;
};

struct session_step {
	enum step_state state;
	bool skipped;   /* it did not run: its condition was false, or a value was missing */
	bool restarted; /* voided by an unplanned reboot, and not done again since */
	uint64_t duration_us;
	struct result result; /* of DONE, FAILED, and what it was before UNDONE and VOID */
	struct error failure;
	char *at; /* of the last event, RFC 3339 */

	/* It was begun to be taken back; with `undo_ended`, what came of the last attempt. */
	bool undo_begun, undo_ended;
	struct result undo_result;
	struct error undo_failure;
	struct session_original *originals;
	size_t n_originals;
	char *reason;    /* of VOID */
	char *undo_text; /* what taking it back does; NULL = nothing to take back, or not told */
};
void session_step_done(struct session_step *step);

/* All that the journal says of one session; owned. */
struct session_view {
	int64_t number;
	enum session_phase phase;
	char *closed_as;    /* "pass", "differs", "aborted"; NULL while open */
	struct plan *plan;  /* from the journal alone: ids, kinds, texts; no params, work NULL */
	char *runbook_text; /* as it was pinned */
	char *work_text;    /* work_describe(), as at the opening */
	char **vars;        /* "NAME=VALUE", disks as their keys */
	char *host_name, *machine_id, *boot_id; /* at the opening */
	char *opened_at, *closed_at;
	struct session_step *steps; /* one for each of the plan */
	size_t position;            /* the step that comes next; n_steps = none does */
	struct acceptance *accepted;
	size_t n_accepted;
	unsigned crossings;  /* with the one that is under way */
	char *exchanged_end; /* of the cables: "drives", "board", "both"; NULL = not told yet */
	char *card;          /* the last swap card, or NULL */
	char *stopped;       /* why the last call stopped, or NULL */
	char *closed_how;    /* in a sentence, or NULL */
	char head[65];       /* of the chain, when it was read */
	char *before;        /* the capture of the machine before the work, or NULL */
	char *before_sha256; /* what treesum() gave for it when it was sealed, or NULL */
};
/*
 * `number` 0 = the open session, else the last one.  `state`: where the journal
 * lies now, if not where the session left it.  -ENOENT: there is none.
 * -EBADMSG names an event that does not fit.  The chain is not looked at:
 * journal_check() tells whether all this is what was written.
 */
int session_view(struct journal *journal, const char *state, int64_t number,
		 struct session_view *ret, struct error *err);
void session_view_done(struct session_view *view);
/*
 * As a report for its writers, "report"; borrows from `view`.  A step shows what
 * came of it last: done, taken back, or why it counts no longer.  The verdict is
 * the worst of all; the exit code is that of the session: open 10, closed as
 * differs 1, else 0.
 */
int session_report(const struct session_view *view, struct report *ret, struct error *err);
/*
 * "PROGRAM VERB --state DIR" as a shell takes it, without the option where the
 * state lies in the usual place.  `program` is quoted already, NULL = coldswap.
 */
int session_command(const char *program, const char *verb, const char *state, char **ret,
		    struct error *err);
/* The one that goes on, "coldswap resume"; NULL: nothing is left. */
int session_next(const struct session_view *view, const char *program, const char *state,
		 char **ret, struct error *err);
/* One sentence for each thing that is changed now and what abort would do about it. */
int session_changes(const struct session_view *view, char ***ret, struct error *err);

#endif

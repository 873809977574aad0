/* SPDX-License-Identifier: MIT */
/*
 * One call of run, resume or abort: what its parts share.
 *
 * Every arrow of the session's state machine (session.h) is one function that
 * returns
 *	0   go on
 *	1   the session stops here: said and recorded by stop.h
 *	<0  it could not go on; the journal says how far it came
 *
 * 1. What stands in `steps` is what the journal says, or less: it changes
 *    after the event is on the disk.
 * 2. A plan is made of the facts of one time; `stale` says that an action
 *    has changed the machine since.
 */
#ifndef COLDSWAP_EXEC_EXECUTOR_H
#define COLDSWAP_EXEC_EXECUTOR_H

#include "base/json.h"
#include "exec/pinned.h"
#include "exec/session.h"
#include "probe/facts.h"
#include "probe/identity.h"
#include "sys/lock.h"
#include "sys/statedir.h"

struct executor {
	const struct session_args *args;
	struct session_end *end; /* of this call, filled in on the way */

	struct lock *lock;
	struct statedir *dir;
	struct journal *journal;
	int64_t number;
	char *place; /* the session's own directory */
	struct identity identity;
	char *program;       /* absolute, as the next boot finds it */
	char *end_of_cables; /* "drives", "board", "both"; NULL = not asked */
	int inhibitor;       /* a descriptor; -1 = none */
	bool inhibitor_told;

	struct pinned pinned;
	struct facts *facts;     /* of which `plan` was made */
	struct facts *own_facts; /* the same when they are not the caller's */
	struct plan *plan;
	bool stale;

	enum session_phase phase; /* as the call found it */
	bool after;               /* the boundary is crossed */
	struct host *host_before;
	struct facts *before;   /* the machine before the work: the seal */
	struct plan *undo_plan; /* of the seal: what an undo takes its parameters from */

	struct session_step *steps; /* one for each of the plan */
	bool *renewed;              /* done or proved again in this call */
	size_t n_steps;
	struct acceptance *accepted;
	size_t n_accepted;
	unsigned crossings;
	bool differs; /* the operator keeps what is not as planned */
	char *how;    /* in which way */

	const char *verb; /* the next command's, where the call stops */
	int signal;       /* what the operator stopped this call with; 0 = nothing */
	bool gone_away;   /* the terminal is no longer there */
};

#define EXECUTOR_INIT                                                                              \
	{                                                                                          \
		.inhibitor = -1, .verb = "resume"                                                  \
	}

/* Lock, state directory, journal, identity.  `what`: "run", for the next one who asks. */
int executor_open(struct executor *executor, const struct session_args *args,
		  struct session_end *end, const char *what, struct error *err);
void executor_done(struct executor *executor);
#define AUTO_EXECUTOR CLEANUP(executor_done) struct executor

/* As many records as the plan has steps, none begun. */
int executor_make_steps(struct executor *executor, size_t n, struct error *err);

/* Facts and plan anew, after the machine was changed or time went by. */
int executor_renew(struct executor *executor, struct error *err);
/* The plan of `executor->facts`, for the side of the boundary that the session is on. */
int executor_plan(struct executor *executor, struct error *err);
/* The seal as facts, and the plan of it; once. */
int executor_open_seal(struct executor *executor, struct error *err);

/* The plan, or before it is made that of the seal: ids and kinds are the same. */
const struct plan *executor_outline(const struct executor *executor);

/* What a step of the plan has given; for plan_step_due(), whose `data` is the executor. */
const struct result *executor_result_of(void *data, size_t index);

/* Did the operator ask to stop?  Takes the signal back, so that an undo can run. */
bool executor_interrupted(struct executor *executor);

/* "coldswap resume --state DIR"; the caller frees it. */
int executor_command(const struct executor *executor, const char *verb, char **ret,
		     struct error *err);

/* ---- the operator ------------------------------------------------------------ */

void executor_tell(struct executor *executor, enum notice_type type, const char *fmt, ...)
	PRINTF_LIKE(3, 4);
void executor_tell_step(struct executor *executor, enum notice_type type, size_t index,
			const struct report_step *outcome);
/*
 * `index` SIZE_MAX: the session itself asks.  0 and a word, which the caller
 * frees; or the codes of operator.h.
 */
int executor_ask(struct executor *executor, size_t index, const struct question *question,
		 char **ret, struct error *err);

#endif

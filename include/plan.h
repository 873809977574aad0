/* SPDX-License-Identifier: MIT */
/*
 * A plan: a runbook resolved on one host, complete and printable before
 * anything runs.  Order: variables -> port map -> work -> disks bound to
 * keys -> parameters typed -> `when` decided.
 */
#ifndef COLDSWAP_PLAN_H
#define COLDSWAP_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attr.h"
#include "error.h"
#include "runbook.h"
#include "step.h"

struct work_request; /* src/work/work.h */
struct facts;
struct plan_later; /* src/plan/planner.h */

struct var_value {
	char *name;
	char *value; /* NULL: required and not given (audit alone goes on then) */
	bool given;  /* by --var; else the default */
};

enum plan_state {
	PLAN_READY,
	PLAN_SKIPPED, /* `when` is false here; `reason` says so */
	PLAN_UNKNOWN, /* `when` could not be decided, or a value is missing */
};

struct plan_step {
	char *id;
	const struct kind *kind;
	char *title;
	char *text; /* the kind's describe() sentence; the title where that must wait */
	enum plan_state state;
	char *reason;        /* of a step that is not READY */
	uint64_t timeout_us; /* 0 = the kind's own deadline */
	enum on_warn on_warn;
	/*
	 * The kind's parameter struct; NULL unless READY and bound.  A step that
	 * PLAN_AFTER skips because it stands before the work has its own too: a
	 * restore needs them.
	 */
	void *params;
	bool keep;       /* an action that is not to be restored */
	size_t restores; /* KIND_RESTORE: the step that it undoes; else SIZE_MAX */
	bool after;      /* stands behind the boundary */
	/* How long it takes: measured in an earlier session of this host, else assumed. */
	uint64_t estimate_us;
	bool measured;

	/* What has to wait for the outputs of earlier steps; NULL: all is decided. */
	struct plan_later *later;
};

struct plan {
	char *name; /* of the runbook; NULL = one step by hand, which has no runbook */
	char *file;
	char sha256[65];
	struct var_value *vars;
	size_t n_vars;
	bool after; /* made for PLAN_AFTER: the work is past */
	struct work *work;
	char **notes; /* "no work was named: the swap that the port map advises" */
	struct plan_step *steps;
	size_t n_steps;
	size_t boundary; /* the step that powers off; n_steps = there is none */
	/* From power-off to the end of the boot, without the work itself; 0 = no boundary. */
	uint64_t boot_us;
	bool boot_measured; /* else assumed */
};

/* Which steps of a runbook are due: those that stand after the work, those before it, or all. */
enum plan_side { PLAN_WHOLE, PLAN_BEFORE, PLAN_AFTER };

/* What the command line adds to a runbook. */
struct plan_args {
	char *const *vars; /* "NAME=VALUE" strv, or NULL */
	const struct work_request *work;
	size_t n_work;   /* > 0 replaces the runbook's own work */
	bool work_known; /* PLAN_AFTER: no work here is a power cycle, not one that nobody named */
	/* Durations of earlier sessions of this host, or NULL: 1 known, 0 not. */
	int (*duration_of)(void *data, const struct kind *kind, const char *id, uint64_t *ret_us);
	void *duration_data;
	uint64_t boot_us; /* how long this host's last power cycle took; 0 = not known */
	bool audit;       /* a required variable without a value is no error: the
	                  steps that need it are skipped and say so */
	enum plan_side side;
	/*
	 * PLAN_AFTER: what an earlier capture recorded, or NULL.  The work is
	 * past: its disks are those of then, and none is taken from advice.
	 */
	struct facts *before;
};

/*
 * -EINVAL with `diags`: what is wrong in the runbook or its variables (usage,
 * exit code 2).  Other errors: the host could not be read.
 */
int plan_make(const struct runbook *runbook, struct facts *facts, const struct plan_args *args,
	      struct plan **ret, struct diagnostics *diags, struct error *err);
/* One step by hand: `coldswap check KIND KEY=VALUE...`; a list value is comma-separated. */
int plan_one(const struct kind *kind, char *const *assignments, struct facts *facts,
	     const struct plan_args *args, struct plan **ret, struct error *err);

/*
 * Decide what had to wait for the outputs of earlier steps: the condition and
 * the parameters of step `index`.  The executor calls this for every READY
 * step right before it runs; `result_of` gives the result of an earlier step,
 * or NULL when that one did not run.  Afterwards `later` is NULL and the state
 * is final: READY with `params`, SKIPPED or UNKNOWN with `reason`.
 */
typedef const struct result *(*plan_result_of)(void *data, size_t index);
int plan_step_due(struct plan *plan, size_t index, struct facts *facts, plan_result_of result_of,
		  void *data, struct error *err);

void plan_free(struct plan *plan);
DEFINE_CLEANUP(plan, plan_free)

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the planner share.
 *
 * Texts of a runbook stay as they are written until everything that they name
 * is known: variables at once, outputs when the steps before have run.  So
 * one function binds a step's parameters, and it is called at one of two
 * times.
 */
#ifndef COLDSWAP_PLAN_PLANNER_H
#define COLDSWAP_PLAN_PLANNER_H

#include "plan.h"
#include "probe/facts.h"
#include "runbook/when.h"
#include "work/work.h"

/* The parameters as written: one for each row of the kind; no items = not given. */
struct raw_params {
	struct runbook_value *values;
	size_t n;
};

struct plan_later {
	bool conditional;
	struct when when;
	struct raw_params raw;
};

struct planner {
	const struct runbook *runbook; /* NULL for one step by hand */
	struct facts *facts;
	const struct plan_args *args;
	struct plan *plan;
	struct diagnostics *diags;
	bool past;            /* of a step that was due earlier: what `when` says is decided */
	struct facts *before; /* of work that is past, where its disks are known by name; or NULL */
	/* Outputs of earlier steps; NULL while nothing has run. */
	plan_result_of result_of;
	void *data;
};

int plan_note(struct plan *plan, struct error *err, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Is the error a mistake of the operator's, and not a host that cannot be read? */
bool is_usage(int code);
/* "MESSAGE; HINT" into the diagnostics. */
void diagnose(struct diagnostics *diags, struct position at, const char *what,
	      const struct error *why);

/* `from` has been checked by the runbook's parser. */
int plan_step_make(const struct planner *planner, const struct runbook_step *from,
		   struct plan_step *step, struct error *err);
void plan_step_done(struct plan_step *step);
/* The step `index` of the runbook, on its side of the boundary, with its estimate. */
int plan_step_place(struct planner *planner, size_t index, struct error *err);
/* Where the steps after the work begin; n_steps = nowhere. */
size_t plan_first_after(const struct runbook *runbook);
/* What becomes of a restore, by the step that it takes back. */
int plan_restore(const struct plan *plan, struct plan_step *step, struct error *err);
void plan_estimate(const struct planner *planner, struct plan_step *step);
void plan_estimate_boot(const struct planner *planner);

int plan_vars(struct planner *planner, struct error *err);
int plan_work(struct planner *planner, struct error *err);

/* The first variable in a text that has no value, or NULL. */
const char *unset_var(const struct plan *plan, const char *text);
/* Does a text name an output; of a step that was skipped? */
bool needs_outputs(const char *text);
bool needs_skipped(const struct planner *planner, const char *text);
/*
 * Put values in the place of references.  -ENODATA: an earlier step did not
 * give its output; the error says which.
 */
int resolve_text(const struct planner *planner, const char *text, char **ret, struct error *err);
/* The output of an earlier step; NULL when it gave none. */
const struct output *find_output(const struct planner *planner, const char *step, const char *name);
/* What hangs on a step that does not apply here does not apply either. */
bool was_skipped(const struct planner *planner, const char *step);

/* What each item is, of a PARAM_ENTRIES.  -ENOMEM. */
int raw_copy_cells(const struct runbook_value *value, struct runbook_value *ret);
const char *raw_unset(const struct plan *plan, const struct raw_params *raw);
bool raw_needs_outputs(const struct raw_params *raw);
/* Does a parameter take the output of a step that was skipped? */
bool raw_needs_skipped(const struct planner *planner, const struct raw_params *raw);
void raw_done(struct raw_params *raw);
/*
 * Type the parameters, pin disks, write the plan's text.  -EINVAL with
 * diagnostics for what is wrong in them.
 */
int bind_params(const struct planner *planner, struct plan_step *step, const struct raw_params *raw,
		struct error *err);

/* Decide the condition: the step's state and reason, or `later`. */
int plan_when(const struct planner *planner, struct plan_step *step, const struct when *when,
	      bool *ret_later, struct error *err);
int plan_step_state(struct plan_step *step, enum plan_state state, struct error *err,
		    const char *fmt, ...) PRINTF_LIKE(4, 5);

#endif

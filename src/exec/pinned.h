/* SPDX-License-Identifier: MIT */
/*
 * What a session was opened with, as its journal says it: the runbook's text,
 * the variables (disks by their keys), the work.
 *
 * 1. The text is what counts; the file that it came from may change or vanish.
 * 2. The work is that of the opening, whoever named it: an advice that would
 *    be given otherwise today changes nothing.
 */
#ifndef COLDSWAP_EXEC_PINNED_H
#define COLDSWAP_EXEC_PINNED_H

#include <stddef.h>
#include <stdint.h>

#include "attr.h"
#include "base/json.h"
#include "error.h"
#include "journal.h"
#include "plan.h"
#include "runbook.h"
#include "work/work.h"

struct pinned {
	struct runbook *runbook;
	char *text; /* of the runbook */
	char **vars;
	struct work_request *work;
	size_t n_work;
	json_t *opened; /* the whole event */
};

#define PINNED_INIT                                                                                \
	{                                                                                          \
		0                                                                                  \
	}

/* The body of the event "opened" of a session; -EUCLEAN: it has none. */
int pinned_load(struct journal *journal, int64_t session, struct pinned *ret, struct error *err);
/* Take over the body itself, which the journal is about to get. */
int pinned_take(json_t *opened, struct pinned *ret, struct error *err);
void pinned_done(struct pinned *pinned);
#define AUTO_PINNED CLEANUP(pinned_done) struct pinned

/*
 * The plan of a session on the machine as it is in `facts`.  `before`: what
 * was recorded before the work, for PLAN_AFTER; else NULL.  -EINVAL says in
 * words what of it cannot be planned here.
 */
int pinned_plan(const struct pinned *pinned, struct facts *facts, struct facts *before,
		enum plan_side side, struct plan **ret, struct error *err);
/* What `diags` says first, and how much more there is, as one error. */
int pinned_misplanned(const struct diagnostics *diags, const char *file, struct error *err);

/* The parts of "opened" that only a plan knows: disks by their keys.  New references. */
json_t *pinned_vars(const struct runbook *runbook, const struct plan *plan, struct facts *facts);
json_t *pinned_work(const struct work *work);

/*
 * Has the file changed since?  0 the same; 1 and *ret says how (the lines that
 * differ); -ENOENT: it is gone, or cannot be read, which is no obstacle.
 */
int pinned_file_differs(const struct pinned *pinned, char **ret, struct error *err);

#endif

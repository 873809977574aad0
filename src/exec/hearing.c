/* SPDX-License-Identifier: MIT */
#include "exec/hearing.h"

#include <errno.h>
#include <string.h>

#include "exec/audit.h"
#include "exec/pinned.h"
#include "probe/facts.h"

static const struct {
	enum builtin builtin;
	enum plan_side side;
} asked[HEARING_PARTS] = {
	{ BUILTIN_AUDIT, PLAN_BEFORE },
	{ BUILTIN_POST_REBOOT, PLAN_AFTER },
};

void hearing_done(struct hearing *hearing)
{
	for (size_t i = 0; i < HEARING_PARTS; i++) {
		report_done(&hearing->reports[i]);
		plan_free(hearing->plans[i]);
		runbook_free(hearing->runbooks[i]);
	}
	*hearing = (struct hearing){ 0 };
}

static int plan_part(struct hearing *hearing, size_t part, struct facts *facts,
		     const struct plan_args *from, struct error *err)
{
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	struct plan_args args = from ? *from : (struct plan_args){ 0 };
	int r = runbook_builtin(asked[part].builtin, &hearing->runbooks[part], &diags, err);

	if (r)
		return r;
	args.side = asked[part].side;
	args.audit = true;
	r = plan_make(hearing->runbooks[part], facts, &args, &hearing->plans[part], &diags, err);
	hearing->unread = r && !diags.n;
	if (r && diags.n)
		return pinned_misplanned(&diags, hearing->runbooks[part]->file, err);
	return r;
}

int hearing_run(struct facts *facts, const struct plan_args *args,
		const volatile sig_atomic_t *cancelled, struct hearing *ret, struct error *err)
{
	int r = 0;

	*ret = (struct hearing){ 0 };
	for (size_t i = 0; !r && i < HEARING_PARTS; i++) {
		struct audit audit = { .command = "audit", .facts = facts, .cancelled = cancelled };

		r = plan_part(ret, i, facts, args, err);
		if (r)
			break;
		audit.plan = ret->plans[i];
		r = audit_run(&audit, &ret->reports[i], err);
	}
	return r;
}

/* ---- two of them ------------------------------------------------------------------ */

static size_t count_of(const struct result *result, const struct finding *like)
{
	size_t n = 0;

	for (size_t i = 0; i < result->n_findings; i++)
		n += result->findings[i].verdict == like->verdict &&
		     strcmp(result->findings[i].id, like->id) == 0;
	return n;
}

/* Subjects may have other names. */
static bool same_result(const struct result *a, const struct result *b)
{
	if (a->verdict != b->verdict || a->n_findings != b->n_findings)
		return false;
	for (size_t i = 0; i < a->n_findings; i++)
		if (count_of(a, &a->findings[i]) != count_of(b, &a->findings[i]))
			return false;
	return true;
}

const char *hearing_disagreement(const struct hearing *a, const struct hearing *b)
{
	for (size_t i = 0; i < HEARING_PARTS; i++) {
		const struct report *one = &a->reports[i], *other = &b->reports[i];

		for (size_t k = 0; k < one->n_steps; k++)
			if (k >= other->n_steps ||
			    !same_result(&one->steps[k].result, &other->steps[k].result))
				return one->steps[k].plan->id;
	}
	return NULL;
}

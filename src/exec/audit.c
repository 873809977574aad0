/* SPDX-License-Identifier: MIT */
#include "exec/audit.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "exec/foresee.h"
#include "probe/facts.h"
#include "probe/identity.h"
#include "sys/clock.h"

static const struct result *result_of(void *data, size_t index)
{
	const struct report *report = data;
	const struct report_step *step = &report->steps[index];

	if (index >= report->n_steps || step->plan->state != PLAN_READY || step->failure.code < 0)
		return NULL;
	return &step->result;
}

/* A step may forget to say why it failed; the operator is told all the same. */
static int failed(struct report_step *step, int code)
{
	struct error *failure = &step->failure;

	if (failure->code == 0)
		error_set(failure, code, _("the step could not be carried out: %s"),
			  strerror(-code));
	step->result.verdict = verdict_worse(step->result.verdict, VERDICT_UNKNOWN);
	return code == -ECANCELED || code == -ENOMEM ? code : 0;
}

/* What came too late is told all the same, and proves nothing; a failure stays one. */
static void overran(struct report_step *step, uint64_t allowed_us)
{
	struct result *result = &step->result;

	if (result->verdict == VERDICT_FAIL)
		return;
	result->verdict = VERDICT_UNKNOWN;
	result_summary(result,
		       _("it took %.3g s, longer than its timeout of %.3g s: what it found is no "
			 "proof; give the step a longer timeout"),
		       (double)step->duration_us / 1e6, (double)allowed_us / 1e6);
}

/* The kind's run(), or its foresee() where that is left to the session. */
static int run(const struct audit *audit, struct report_step *step, size_t index, bool foresee)
{
	const struct kind *kind = step->plan->kind;
	struct ahead ahead = { .plan = audit->plan, .index = index };
	const struct step_ahead calls = { &ahead, ahead_stopper };
	uint64_t start = clock_monotonic_us();
	uint64_t allowed = step->plan->timeout_us ? step->plan->timeout_us
						  : kind->deadline_s * UINT64_C(1000000);
	const struct step call = {
		.id = step->plan->id,
		.host = facts_host(audit->facts),
		.facts = audit->facts,
		.before = audit->before,
		.work = audit->plan->work,
		.after = audit->plan->after,
		.cancelled = audit->cancelled,
		.deadline_us = start + allowed,
		.ahead = foresee ? &calls : NULL,
	};
	int r;

	ahead.call = &call;
	host_set_deadline(call.host, call.deadline_us);
	r = (foresee ? kind->foresee : kind->run)(&call, step->plan->params, &step->result,
						  &step->failure);
	host_set_deadline(call.host, 0);
	step->duration_us = clock_monotonic_us() - start;
	if (*audit->cancelled)
		return -ECANCELED;
	if (r >= 0 && step->duration_us > allowed)
		overran(step, allowed);
	if (r >= 0)
		r = step->result.failed;
	return r < 0 ? failed(step, r) : 0;
}

/* The verdict and the reason of a step that does not run. */
static void leave_out(const struct plan_step *plan, struct result *result)
{
	result_skip(result, "%s", plan->reason ? plan->reason : "");
	if (plan->state == PLAN_UNKNOWN)
		result->verdict = VERDICT_UNKNOWN;
}

/* ---- what a dry run leaves to the session ------------------------------------------- */

static bool is_check(const struct plan_step *step)
{
	return step->kind->class == KIND_CHECK && !(step->kind->flags & KIND_RESTORE);
}

/* In its kind's words, as far as its parameters are known. */
static void tell(const struct audit *audit, const struct plan_step *step, struct result *result)
{
	const char *text = step->text ? step->text : "";
	size_t len = strlen(text);
	/* A question brings its own. */
	const char *end = len && strchr(".?!", text[len - 1]) ? "" : ".";

	if (audit->plan->after)
		result_skip(result, _("Only checks run here; a session would %s%s"), text, end);
	else if (step->kind->class == KIND_GATE)
		result_skip(result, _("It is asked in the session, which would %s%s"), text, end);
	else
		result_skip(result, _("The session would %s%s"), text, end);
}

/* The nearest step before this one that changes the host; NULL: there is none. */
static const struct plan_step *action_before(const struct audit *audit, size_t index)
{
	while (index-- > 0) {
		const struct plan_step *step = &audit->plan->steps[index];

		if (step->state == PLAN_READY && step->kind->class == KIND_ACTION)
			return step;
	}
	return NULL;
}

/* The first step after the work that this one stands behind and that is not done. */
static const struct plan_step *not_done(const struct audit *audit, size_t index)
{
	for (size_t i = 0; audit->done && i < index; i++) {
		const struct plan_step *step = &audit->plan->steps[i];

		if (step->after && step->state == PLAN_READY && !is_check(step) && !audit->done[i])
			return step;
	}
	return NULL;
}

/* Is the step's turn in the session, and not here?  Then it is told so. */
static bool leave_to_session(const struct audit *audit, size_t index, struct result *result)
{
	const struct plan_step *step = &audit->plan->steps[index], *other;
	unsigned flags = step->kind->flags;

	if (!is_check(step)) {
		tell(audit, step, result);
		return true;
	}
	other = not_done(audit, index);
	if (other) {
		result_skip(result, _("Not yet: the step '%s' stands before it and is not done."),
			    other->id);
		return true;
	}
	if ((flags & audit->only) != audit->only) {
		result_skip(result, "%s", _("It is left to `coldswap resume`."));
		return true;
	}
	other = audit->plan->after ? NULL : action_before(audit, index);
	if (!other || !(flags & KIND_VOLATILE))
		return false;
	result_skip(result, _("It is proved in the session, after the step '%s'."), other->id);
	return true;
}

/* What a kind foresees stands in the place of the words that are said of it otherwise. */
static bool is_foreseen(const struct audit *audit, const struct plan_step *step)
{
	return step->kind->foresee && step->params && !audit->plan->after;
}

/* "It is proved in the session, after the step 'X'; held now by ..." */
static int join(const char *words, char **summary)
{
	size_t len = strlen(words);
	AUTO_BUF text = BUF_INIT;

	buf_add(&text, words, len && words[len - 1] == '.' ? len - 1 : len);
	buf_addf(&text, "; %s", *summary);
	if (buf_error(&text))
		return -ENOMEM;
	free(*summary);
	*summary = buf_take(&text);
	return *summary ? 0 : -ENOMEM;
}

/* An action's own words say all; a check's say what is in the way of the proof. */
static int foresee(const struct audit *audit, struct report_step *step, size_t index)
{
	AUTO_FREE char *words = TAKE(step->result.summary);
	int r = run(audit, step, index, true);

	if (!step->result.summary)
		step->result.summary = TAKE(words);
	else if (words && is_check(step->plan) && join(words, &step->result.summary) < 0)
		return -ENOMEM;
	return r;
}

static int take_turn(const struct audit *audit, struct report *report, size_t index)
{
	struct report_step *step = &report->steps[index];
	int r = 0;

	step->plan = &audit->plan->steps[index];
	result_init(&step->result, step->plan->kind);
	if (step->plan->state == PLAN_READY)
		r = plan_step_due(audit->plan, index, audit->facts, result_of, report,
				  &step->failure);
	if (r < 0)
		r = failed(step, r);
	else if (step->plan->state != PLAN_READY)
		leave_out(step->plan, &step->result);
	else if (!leave_to_session(audit, index, &step->result))
		r = run(audit, step, index, false);
	else if (is_foreseen(audit, step->plan))
		r = foresee(audit, step, index);
	report->n_steps++;
	return r;
}

static int run_steps(const struct audit *audit, struct report *report)
{
	size_t n = audit->plan->n_steps;
	int r = 0;

	report->steps = calloc(n + 1, sizeof(*report->steps));
	if (!report->steps)
		return -ENOMEM;
	for (size_t i = 0; r >= 0 && i < n; i++)
		r = *audit->cancelled ? -ECANCELED : take_turn(audit, report, i);
	return r;
}

static void judge(struct report *report)
{
	report->verdict = VERDICT_SKIP;
	report->exit_code = EXIT_SAFE;
	for (size_t i = 0; i < report->n_steps; i++) {
		const struct report_step *step = &report->steps[i];

		report->verdict = verdict_worse(report->verdict, step->result.verdict);
		if (step->failure.code < 0)
			report->exit_code = EXIT_SYSTEM;
	}
	report->exit_code = exit_code_worse(report->exit_code, exit_code_of(report->verdict));
}

static int identify(const struct audit *audit, struct report *report, struct error *err)
{
	struct host *host = facts_host(audit->facts);
	struct identity identity = IDENTITY_INIT;
	int r = identity_load(host, &identity, err);

	if (r < 0)
		return r;
	report->host_name = identity.name;
	report->machine_id = identity.machine_id;
	report->boot_id = identity.boot_id;
	free(identity.source);
	report->root = strdup(host_root(host));
	return report->root ? 0 : error_oom(err);
}

/* That the earlier capture does not tell who it is of is for boot.happened to say. */
static int identify_before(const struct audit *audit, struct report *report, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	struct identity identity = IDENTITY_INIT;
	struct host *host;
	int r;

	if (!audit->before)
		return 0;
	host = facts_host(audit->before);
	r = identity_load(host, &identity, &why);
	if (r == -ENOMEM)
		return error_oom(err);
	report->before.name = identity.name;
	report->before.machine_id = identity.machine_id;
	report->before.boot_id = identity.boot_id;
	free(identity.source);
	report->before.root = strdup(host_root(host));
	return report->before.root ? 0 : error_oom(err);
}

int audit_run(const struct audit *audit, struct report *ret, struct error *err)
{
	struct report report = { .command = audit->command, .plan = audit->plan };
	int r;

	report.started = clock_realtime();
	r = identify(audit, &report, err);
	if (r >= 0)
		r = identify_before(audit, &report, err);
	if (r >= 0) {
		r = run_steps(audit, &report);
		if (r == -ECANCELED)
			error_set(err, r, "%s",
				  _("stopped by the operator; nothing of the host was changed"));
		else if (r < 0)
			error_oom(err);
	}
	if (r < 0) {
		report_done(&report);
		return r;
	}
	report.finished = clock_realtime();
	judge(&report);
	*ret = report;
	return 0;
}

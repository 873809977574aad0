/* SPDX-License-Identifier: MIT */
#include "exec/turn.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/same_text.h"
#include "exec/services.h"
#include "sys/clock.h"

void report_step_done(struct report_step *step)
{
	result_done(&step->result);
	error_done(&step->failure);
}

/* One call of run, undo or verify. */
struct call {
	struct executor *executor;
	size_t index;
	const void *params;
	struct services services;
	struct facts *facts; /* read for this call; NULL = the executor's */
	struct step step;
	uint64_t start, allowed; /* microseconds; allowed 0 = no limit */
};

static uint64_t allowed_us(const struct plan_step *step)
{
	if (step->kind->class == KIND_GATE)
		return 0;
	return step->timeout_us ? step->timeout_us : step->kind->deadline_s * UINT64_C(1000000);
}

static int begin(struct call *call, struct executor *executor, size_t index, struct error *err)
{
	const struct plan_step *step = &executor->plan->steps[index];
	int r = 0;

	*call = (struct call){ .executor = executor, .index = index, .params = step->params };
	services_init(&call->services, executor, index);
	if (step->kind->class == KIND_ACTION)
		r = facts_new(executor->args->host, &call->facts, err);
	call->start = clock_monotonic_us();
	call->allowed = allowed_us(step);
	call->step = (struct step){
		.id = step->id,
		.host = executor->args->host,
		.facts = call->facts ? call->facts : executor->facts,
		.before = executor->after ? executor->before : NULL,
		.work = executor->plan->work,
		.after = executor->after,
		.cancelled = executor->args->cancelled,
		.deadline_us = call->allowed ? call->start + call->allowed : 0,
		.services = &call->services.calls,
		.session = executor->number,
		.program = executor->program,
		.state = statedir_path(executor->dir),
		.exchanged_end = executor->end_of_cables,
		.restarted = executor->steps[index].restarted,
	};
	host_set_deadline(call->step.host, call->step.deadline_us);
	return r;
}

/* A callback may forget to say why it failed; the operator is told all the same. */
static int fail(struct report_step *ret, int code)
{
	if (ret->failure.code == 0)
		error_set(&ret->failure, code, _("the step could not be carried out: %s"),
			  strerror(-code));
	ret->result.verdict = verdict_worse(ret->result.verdict, VERDICT_UNKNOWN);
	return code == -ENOMEM ? code : 0;
}

static int finish(struct call *call, int r, struct report_step *ret)
{
	host_set_deadline(call->step.host, 0);
	ret->duration_us = clock_monotonic_us() - call->start;
	services_done(&call->services);
	facts_free(call->facts);
	if (r >= 0)
		r = ret->result.failed;
	return r < 0 ? fail(ret, r) : 0;
}

static void init(struct executor *executor, size_t index, struct report_step *ret)
{
	*ret = (struct report_step){ .plan = &executor->plan->steps[index] };
	result_init(&ret->result, ret->plan->kind);
}

/* What came too late is told all the same; a failure stays one. */
static void overran(const struct call *call, struct report_step *ret)
{
	if (ret->result.verdict == VERDICT_FAIL)
		return;
	ret->result.verdict = VERDICT_UNKNOWN;
	result_summary(&ret->result,
		       _("it took %.3g s, longer than its timeout of %.3g s: what it found is no "
			 "proof; give the step a longer timeout"),
		       (double)ret->duration_us / 1e6, (double)call->allowed / 1e6);
}

int turn_run(struct executor *executor, size_t index, struct report_step *ret)
{
	struct call call;
	int r;

	init(executor, index, ret);
	r = begin(&call, executor, index, &ret->failure);
	if (!r)
		r = ret->plan->kind->run(&call.step, call.params, &ret->result, &ret->failure);
	r = finish(&call, r, ret);
	if (!r && call.allowed && ret->duration_us > call.allowed &&
	    ret->plan->kind->class != KIND_ACTION)
		overran(&call, ret);
	return r;
}

/* The work and the parameters are those of the machine before it: they cannot have changed. */
static int undo_params(struct call *call, struct error *err)
{
	struct executor *executor = call->executor;
	struct plan *plan = executor->undo_plan ? executor->undo_plan : executor->plan;
	struct plan_step *step = &plan->steps[call->index];
	int r = 0;

	if (!step->params && step->later) {
		step->state = PLAN_READY;
		r = plan_step_due(plan, call->index, executor->facts, executor_result_of, executor,
				  err);
	}
	call->params = step->params ? step->params : call->params;
	if (!r && !call->params) {
		r = error_set(err, -ENODATA,
			      _("the parameters of step '%s' are not known here: %s"), step->id,
			      step->reason ? step->reason : "");
		error_hint(err, "%s", _("see what the step would need: coldswap status"));
	}
	return r;
}

int turn_undo(struct executor *executor, size_t index, struct report_step *ret)
{
	struct call call;
	int r;

	init(executor, index, ret);
	r = begin(&call, executor, index, &ret->failure);
	if (!r)
		r = undo_params(&call, &ret->failure);
	if (!r)
		r = ret->plan->kind->undo(&call.step, call.params, &ret->result, &ret->failure);
	return finish(&call, r, ret);
}

int turn_verify(struct executor *executor, size_t index, enum effect effect,
		enum standing *ret_standing, struct report_step *ret)
{
	struct call call;
	int r;

	*ret_standing = STANDING_UNKNOWN;
	init(executor, index, ret);
	r = begin(&call, executor, index, &ret->failure);
	if (!r)
		r = undo_params(&call, &ret->failure);
	if (!r)
		r = ret->plan->kind->verify(&call.step, call.params, effect, ret_standing,
					    &ret->result, &ret->failure);
	if (r)
		*ret_standing = STANDING_UNKNOWN;
	return finish(&call, r, ret);
}

void turn_leave_out(struct executor *executor, size_t index, struct report_step *ret)
{
	init(executor, index, ret);
	result_skip(&ret->result, "%s", ret->plan->reason ? ret->plan->reason : "");
	if (ret->plan->state == PLAN_UNKNOWN)
		ret->result.verdict = VERDICT_UNKNOWN;
}

static bool is_told(const struct result *result, const struct finding *finding)
{
	for (size_t i = 0; i < result->n_findings; i++) {
		const struct finding *told = &result->findings[i];

		if (told->verdict == finding->verdict && same_text(told->id, finding->id) &&
		    same_text(told->subject, finding->subject) &&
		    same_text(told->summary, finding->summary))
			return true;
	}
	return false;
}

int turn_absorb(struct report_step *into, struct report_step *from)
{
	struct result *a = &into->result, *b = &from->result;
	struct finding *grown =
		reallocarray(a->findings, a->n_findings + b->n_findings + 1, sizeof(*grown));
	size_t stay = 0;

	if (!grown)
		return -ENOMEM;
	a->findings = grown;
	/* What was told already stays behind, to be freed with `from`. */
	for (size_t i = 0; i < b->n_findings; i++) {
		if (is_told(a, &b->findings[i]))
			b->findings[stay++] = b->findings[i];
		else
			grown[a->n_findings++] = b->findings[i];
	}
	b->n_findings = stay;
	a->verdict = verdict_worse(a->verdict, b->verdict);
	into->duration_us += from->duration_us;
	if (into->failure.code == 0 && from->failure.code < 0) {
		into->failure = from->failure;
		from->failure = (struct error)ERROR_INIT;
	}
	return 0;
}

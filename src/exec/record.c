/* SPDX-License-Identifier: MIT */
#include "exec/record.h"

#include <errno.h>
#include <string.h>

static const char *const standing_names[] = {
	[STANDING_UNKNOWN] = "unknown",
	[STANDING_NO] = "no",
	[STANDING_YES] = "yes",
};

int record_event(struct executor *executor, const char *type, size_t index, json_t *body,
		 struct error *err)
{
	AUTO_JSON owned = body;
	AUTO_BUF text = BUF_INIT;
	const char *step = index == SIZE_MAX ? NULL : executor_outline(executor)->steps[index].id;
	int r = owned ? json_print(owned, &text, err) : error_oom(err);

	if (r)
		return r;
	return journal_append(executor->journal, executor->number, type, step, buf_text(&text),
			      err);
}

json_t *record_body(const struct executor *executor)
{
	json_t *body = json_object();

	if (body)
		json_set_text(body, "boot_id", executor->identity.boot_id);
	return body;
}

static int add_result(json_t *body, const struct result *result, struct error *err)
{
	json_t *value = json_object();

	if (!value || json_object_set_new(body, "result", value) < 0)
		return error_oom(err);
	return result_set_json(result, value) ? error_oom(err) : 0;
}

static int add_failure(json_t *body, const struct error *failure, struct error *err)
{
	json_t *value;

	if (failure->code == 0)
		return json_object_set_new(body, "error", json_null()) < 0 ? error_oom(err) : 0;
	value = json_pack("{s:i}", "code", failure->code);
	if (!value || json_object_set_new(body, "error", value) < 0)
		return error_oom(err);
	json_set_text(value, "text", error_text(failure));
	json_set_text(value, "hint", failure->hint);
	return 0;
}

/* What outcomes of doing and of undoing have in common. */
static int outcome_body(const struct executor *executor, const struct report_step *outcome,
			json_t **ret, struct error *err)
{
	json_t *body = record_body(executor);
	int r = body ? 0 : error_oom(err);

	if (!r)
		r = add_result(body, &outcome->result, err);
	if (!r)
		r = add_failure(body, &outcome->failure, err);
	if (!r && json_object_set_new(body, "duration_us",
				      json_integer((json_int_t)outcome->duration_us)) < 0)
		r = error_oom(err);
	if (r)
		json_decref(body);
	else
		*ret = body;
	return r;
}

int record_intent(struct executor *executor, size_t index, struct error *err)
{
	int r = record_event(executor, "intent", index, record_body(executor), err);

	if (!r)
		executor->steps[index].state = STEP_INTENDED;
	return r;
}

static bool is_failed(const struct report_step *outcome)
{
	return outcome->failure.code < 0 || outcome->result.verdict >= VERDICT_UNKNOWN;
}

/* What was done is restored even where the plan would leave its restore out today. */
static bool is_left_out(const struct report_step *outcome)
{
	return outcome->plan && outcome->plan->state == PLAN_SKIPPED &&
	       outcome->result.verdict == VERDICT_SKIP;
}

int record_outcome(struct executor *executor, size_t index, struct report_step *outcome,
		   struct error *err)
{
	struct session_step *step = &executor->steps[index];
	json_t *body = NULL;
	int r = outcome_body(executor, outcome, &body, err);

	if (!r)
		json_object_set_new(body, "skipped", json_boolean(is_left_out(outcome)));
	if (!r)
		r = record_event(executor, "outcome", index, body, err);
	if (r)
		return r;
	result_done(&step->result);
	error_done(&step->failure);
	step->result = outcome->result;
	step->failure = outcome->failure;
	step->duration_us = outcome->duration_us;
	step->skipped = is_left_out(outcome);
	step->state = is_failed(outcome) ? STEP_FAILED : STEP_DONE;
	step->restarted &= step->state != STEP_DONE;
	executor->renewed[index] = step->state == STEP_DONE;
	result_init(&outcome->result, step->result.kind);
	outcome->failure = (struct error)ERROR_INIT;
	return 0;
}

int record_undo_intent(struct executor *executor, size_t index, struct error *err)
{
	return record_event(executor, "undo-intent", index, record_body(executor), err);
}

int record_undo_outcome(struct executor *executor, size_t index, enum standing standing,
			const struct report_step *outcome, struct error *err)
{
	json_t *body = NULL;
	int r = outcome_body(executor, outcome, &body, err);

	if (!r)
		json_object_set_new(body, "standing", json_string(standing_names[standing]));
	if (!r)
		r = record_event(executor, "undo-outcome", index, body, err);
	if (!r && standing == STANDING_YES)
		executor->steps[index].state = STEP_UNDONE;
	return r;
}

int record_void(struct executor *executor, size_t index, const char *reason, struct error *err)
{
	json_t *body = record_body(executor);
	int r;

	if (body)
		json_set_text(body, "reason", reason);
	r = record_event(executor, "void", index, body, err);
	if (!r) {
		executor->steps[index].state = STEP_VOID;
		executor->steps[index].restarted |= strcmp(reason, VOID_BY_REBOOT) == 0;
		executor->renewed[index] = false;
	}
	return r;
}

int record_accepted(struct executor *executor, const struct acceptance *accepted, struct error *err)
{
	json_t *body = record_body(executor);

	if (body) {
		json_set_text(body, "finding", accepted->finding);
		json_set_text(body, "subject", accepted->subject);
		json_set_text(body, "because", accepted->because);
	}
	return record_event(executor, "accepted", SIZE_MAX, body, err);
}

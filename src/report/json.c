/* SPDX-License-Identifier: MIT */
/*
 * A report as one JSON document.  What the keys mean stands in
 * docs/schema.json; they are never translated and only ever added.
 */
#include "report.h"

#include <errno.h>
#include <string.h>

#include "base/json.h"
#include "report/frontmatter.h"
#include "report/json_step.h"
#include "report/json_work.h"

static int set_time(json_t *document, const char *key, const struct timespec *time)
{
	struct tm tm;
	char text[40];

	if (!gmtime_r(&time->tv_sec, &tm) ||
	    !strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm))
		return json_set_text(document, key, NULL);
	return json_set_text(document, key, text);
}

/* Why a step could not be carried out, and what to do about it. */
static int set_failure(json_t *object, const struct error *failure)
{
	json_t *error;

	if (failure->code == 0)
		return 0;
	error = json_object();
	if (json_object_set_new(object, "error", error) < 0 ||
	    json_set_text(error, "message", error_text(failure)) < 0)
		return -1;
	return json_set_text(error, "remedy", failure->hint);
}

static int fill_step(json_t *object, const struct report_step *step)
{
	const struct plan_step *plan = step->plan;

	if (json_set_text(object, "id", plan->id) < 0 ||
	    json_set_text(object, "kind", plan->kind->name) < 0 ||
	    json_set_text(object, "class", kind_class_name(plan->kind->class)) < 0 ||
	    json_object_set_new(object, "duration_ms",
				json_integer((json_int_t)(step->duration_us / 1000))) < 0 ||
	    result_set_json(&step->result, object) < 0)
		return -1;
	return set_failure(object, &step->failure);
}

json_t *json_report_step(const struct report_step *step)
{
	AUTO_JSON object = json_object();

	return fill_step(object, step) < 0 ? NULL : TAKE(object);
}

static int set_steps(json_t *document, const struct report *report)
{
	json_t *list = json_array();

	if (json_object_set_new(document, "steps", list) < 0)
		return -1;
	for (size_t i = 0; i < report->n_steps; i++)
		if (json_array_append_new(list, json_report_step(&report->steps[i])) < 0)
			return -1;
	return 0;
}

static int set_answer(json_t *document, const struct report *report)
{
	AUTO_BUF sentence = BUF_INIT;

	if (report_sentence(report, &sentence) < 0 ||
	    json_set_text(document, "verdict", verdict_name(report->verdict)) < 0 ||
	    json_object_set_new(document, "exit_code", json_integer(report->exit_code)) < 0)
		return -1;
	return json_set_text(document, "sentence", buf_text(&sentence));
}

static int front(const struct report *report, json_t **ret, struct error *err)
{
	struct identity identity = { .name = report->host_name,
				     .machine_id = report->machine_id,
				     .boot_id = report->boot_id };

	return frontmatter_of(report->command, &identity, report->root, ret, err);
}

/* The earlier capture; the key stands in documents of verify alone. */
static int set_before(json_t *document, const struct report *report)
{
	struct identity identity = { .name = report->before.name,
				     .machine_id = report->before.machine_id,
				     .boot_id = report->before.boot_id };

	if (strcmp(report->command, "verify") != 0)
		return 0;
	if (!report->before.root)
		return json_object_set_new(document, "before", json_null());
	return json_set_host(document, "before", &identity, report->before.root);
}

int report_json(const struct report *report, struct buf *ret, struct error *err)
{
	AUTO_JSON document = NULL;
	int r = front(report, &document, err);

	if (r < 0)
		return r;
	if (set_before(document, report) < 0 || json_set_runbook(document, report->plan) < 0 ||
	    json_object_set_new(document, "session",
				report->session ? json_integer(report->session->number)
						: json_null()) < 0 ||
	    json_set_work(document, report->plan) < 0 ||
	    set_time(document, "started_at", &report->started) < 0 ||
	    set_time(document, "finished_at", &report->finished) < 0 ||
	    set_answer(document, report) < 0 || set_steps(document, report) < 0)
		return error_oom(err);
	return json_print(document, ret, err);
}

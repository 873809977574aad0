/* SPDX-License-Identifier: MIT */
/* A session as a document; what its keys mean stands in docs/schema.json. */
#include <string.h>

#include "base/intl.h"
#include "base/json.h"
#include "base/text.h"
#include "card.h"
#include "report/frontmatter.h"
#include "report/json_step.h"
#include "report/json_work.h"
#include "report/session.h"

static int add_accepted(json_t *record, const struct report_session *session)
{
	json_t *list = json_array();

	if (json_object_set_new(record, "accepted", list) < 0)
		return -1;
	for (size_t i = 0; i < session->n_accepted; i++) {
		const struct acceptance *each = &session->accepted[i];
		json_t *object = json_object();

		if (json_array_append_new(list, object) < 0 ||
		    json_set_text(object, "finding", each->finding) < 0 ||
		    json_set_text(object, "subject", each->subject) < 0 ||
		    json_set_text(object, "because", each->because) < 0)
			return -1;
	}
	return 0;
}

static int add_changes(json_t *record, const struct report_session *session)
{
	json_t *list = json_array();

	if (json_object_set_new(record, "changes", list) < 0)
		return -1;
	for (char *const *change = session->changes; change && *change; change++) {
		AUTO_BUF valid = BUF_INIT;

		if (text_to_utf8(*change, strlen(*change), &valid) < 0 ||
		    json_array_append_new(list, json_string(buf_text(&valid))) < 0)
			return -1;
	}
	return 0;
}

/* Whether the chain is whole is told only where it was computed anew. */
static int set_chain(json_t *record, const struct report_session *session)
{
	json_t *chain = json_object();

	if (json_object_set_new(record, "chain", chain) < 0 ||
	    json_set_text(chain, "head", session->head) < 0 ||
	    json_object_set_new(chain, "whole",
				session->broken   ? json_false()
				: session->events ? json_true()
						  : json_null()) < 0 ||
	    json_object_set_new(chain, "events",
				session->events ? json_integer((json_int_t)session->events)
						: json_null()) < 0)
		return -1;
	return json_set_text(chain, "broken", session->broken);
}

static int set_short(json_t *record, const struct report_session *session)
{
	if (json_set_text(record, "phase", session->phase) < 0 ||
	    json_set_text(record, "closed_as", session->closed_as) < 0 ||
	    json_set_text(record, "opened_at", session->opened_at) < 0 ||
	    json_set_text(record, "closed_at", session->closed_at) < 0 ||
	    json_set_text(record, "work", session->work) < 0)
		return -1;
	return json_object_set_new(record, "crossings", json_integer(session->crossings));
}

static int set_position(json_t *record, const struct report *report)
{
	const struct report_session *session = report->session;

	if (session->closed_at || session->position >= report->plan->n_steps)
		return json_object_set_new(record, "step", json_null());
	return json_set_text(record, "step", report->plan->steps[session->position].id);
}

static int set_record(json_t *document, const struct report *report)
{
	const struct report_session *session = report->session;
	json_t *record;

	if (!session)
		return json_object_set_new(document, "record", json_null());
	record = json_object();
	if (json_object_set_new(document, "record", record) < 0 || set_short(record, session) < 0 ||
	    set_position(record, report) < 0 ||
	    json_set_text(record, "closed_how", session->closed_how) < 0 ||
	    json_set_text(record, "exchanged_end", session->exchanged_end) < 0 ||
	    json_set_text(record, "stopped", session->stopped) < 0 ||
	    json_set_text(record, "running", session->running) < 0 ||
	    json_set_text(record, "next", session->next) < 0 || add_changes(record, session) < 0 ||
	    add_accepted(record, session) < 0 || session_copies_json(record, session) < 0)
		return -1;
	return set_chain(record, session);
}

static int add_step(json_t *list, const struct report_step *step)
{
	json_t *object = json_report_step(step);

	if (json_array_append_new(list, object) < 0 ||
	    json_set_text(object, "state", step->state) < 0 ||
	    json_set_text(object, "at", step->at) < 0 ||
	    json_object_set_new(object, "planned_ms",
				json_integer((json_int_t)(step->plan->estimate_us / 1000))) < 0)
		return -1;
	return json_object_set_new(object, "planned_by",
				   json_string(step->plan->measured ? "measured" : "assumed"));
}

static int set_steps(json_t *document, const struct report *report)
{
	json_t *list = json_array();

	if (json_object_set_new(document, "steps", list) < 0)
		return -1;
	for (size_t i = 0; i < report->n_steps; i++)
		if (add_step(list, &report->steps[i]) < 0)
			return -1;
	return 0;
}

static int set_answer(json_t *document, const struct report *report)
{
	AUTO_BUF sentence = BUF_INIT;

	if (!report->session)
		buf_adds(&sentence, _("No session is open, and there was none before."));
	else if (session_sentence(report->session, &sentence) < 0)
		return -1;
	if (json_set_text(document, "verdict",
			  report->session ? verdict_name(report->verdict) : NULL) < 0 ||
	    json_object_set_new(document, "exit_code", json_integer(report->exit_code)) < 0)
		return -1;
	return json_set_text(document, "sentence", buf_text(&sentence));
}

int session_json(const struct report *report, struct buf *ret, struct error *err)
{
	struct identity identity = { .name = report->host_name,
				     .machine_id = report->machine_id,
				     .boot_id = report->boot_id };
	const struct report_session *session = report->session;
	AUTO_JSON document = NULL;
	int r = frontmatter_of(report->command, session ? &identity : NULL, session ? "/" : NULL,
			       &document, err);

	if (r < 0)
		return r;
	if (session)
		r = json_set_runbook(document, report->plan);
	else
		r = json_object_set_new(document, "runbook", json_null());
	if (r < 0 ||
	    json_object_set_new(document, "session",
				session ? json_integer(session->number) : json_null()) < 0 ||
	    set_record(document, report) < 0 || set_answer(document, report) < 0 ||
	    set_steps(document, report) < 0)
		return error_oom(err);
	return json_print(document, ret, err);
}

static int add_session(json_t *list, const struct report_session *session)
{
	json_t *object = json_object();

	if (json_array_append_new(list, object) < 0 ||
	    json_object_set_new(object, "session", json_integer(session->number)) < 0 ||
	    json_set_text(object, "runbook", session->runbook) < 0)
		return -1;
	return set_short(object, session);
}

int session_list_json(const struct report_session *sessions, size_t n, struct buf *ret,
		      struct error *err)
{
	AUTO_JSON document = NULL;
	json_t *list;
	int r = frontmatter_of("report", NULL, NULL, &document, err);

	if (r < 0)
		return r;
	list = json_array();
	if (json_object_set_new(document, "sessions", list) < 0)
		return error_oom(err);
	for (size_t i = 0; i < n; i++)
		if (add_session(list, &sessions[i]) < 0)
			return error_oom(err);
	return json_print(document, ret, err);
}

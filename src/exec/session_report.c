/* SPDX-License-Identifier: MIT */
/* A session as a report. */
#include <stdio.h>
#include <string.h>

#include "base/intl.h"
#include "exec/session.h"

static const char *const state_names[] = {
	[STEP_NOT_BEGUN] = "not begun", [STEP_INTENDED] = "intended", [STEP_DONE] = "done",
	[STEP_FAILED] = "failed",       [STEP_UNDONE] = "undone",     [STEP_VOID] = "void",
};

static int copy_text(const char *text, char **ret, struct error *err)
{
	*ret = text ? strdup(text) : NULL;
	return text && !*ret ? error_oom(err) : 0;
}

/* By the text that it comes from, so that nothing is forgotten. */
static int copy_result(const struct result *from, const struct kind *kind, struct result *ret,
		       struct error *err)
{
	AUTO_BUF text = BUF_INIT;
	int r = result_save(from, &text, err);

	return r < 0 ? r : result_load(buf_text(&text), text.len, kind, ret, err);
}

/* A verdict that stands for want of an outcome. */
static int say(struct report_step *step, enum verdict verdict, const char *summary,
	       struct error *err)
{
	step->result.verdict = verdict;
	result_summary(&step->result, "%s", summary);
	return step->result.failed ? error_oom(err) : 0;
}

static int fill_step(const struct session_step *from, struct report_step *step, struct error *err)
{
	const struct kind *kind = step->plan->kind;

	switch (from->state) {
	case STEP_NOT_BEGUN:
		return say(step, VERDICT_SKIP, _("not begun"), err);
	case STEP_INTENDED:
		return say(step, VERDICT_UNKNOWN, _("begun; how it ended is not recorded"), err);
	case STEP_VOID:
		return say(step, VERDICT_SKIP, from->reason ? from->reason : "", err);
	default:
		break;
	}
	if (from->undo_ended) {
		(void)error_copy(&step->failure, &from->undo_failure);
		return copy_result(&from->undo_result, kind, &step->result, err);
	}
	(void)error_copy(&step->failure, &from->failure);
	return copy_result(&from->result, kind, &step->result, err);
}

static int fill_steps(const struct session_view *view, struct report *report, struct error *err)
{
	const struct plan *plan = view->plan;
	int r;

	report->steps = calloc(plan->n_steps + 1, sizeof(*report->steps));
	if (!report->steps)
		return error_oom(err);
	for (size_t i = 0; i < plan->n_steps; i++) {
		struct report_step *step = &report->steps[report->n_steps++];

		step->plan = &plan->steps[i];
		step->duration_us = view->steps[i].duration_us;
		step->state = state_names[view->steps[i].state];
		step->at = view->steps[i].at;
		result_init(&step->result, plan->steps[i].kind);
		if ((r = fill_step(&view->steps[i], step, err)) < 0)
			return r;
		report->verdict = verdict_worse(report->verdict, step->result.verdict);
	}
	return 0;
}

/* "2026-11-30T12:00:00.000000Z" as the journal writes it; the fraction is not shown. */
static struct timespec date_of(const char *text)
{
	struct timespec ret = { 0 };
	struct tm tm = { 0 };

	if (text && strptime(text, "%Y-%m-%dT%H:%M:%S", &tm))
		ret.tv_sec = timegm(&tm);
	return ret;
}

/* When an open session was last heard of. */
static const char *last_of(const struct session_view *view)
{
	const char *last = view->opened_at;

	if (view->closed_at)
		return view->closed_at;
	for (size_t i = 0; i < view->plan->n_steps; i++)
		if (view->steps[i].at && strcmp(view->steps[i].at, last) > 0)
			last = view->steps[i].at;
	return last;
}

static int exit_code_of_session(const struct session_view *view)
{
	if (view->phase != SESSION_CLOSED)
		return EXIT_WAITING;
	return strcmp(view->closed_as, "differs") == 0 ? EXIT_CHECK_FAILED : EXIT_SAFE;
}

int session_report(const struct session_view *view, struct report *ret, struct error *err)
{
	CLEANUP(report_done)
	struct report report = {
		.command = "report",
		.plan = view->plan,
		.started = date_of(view->opened_at),
		.finished = date_of(last_of(view)),
		.exit_code = exit_code_of_session(view),
	};
	int r;

	if ((r = copy_text(view->host_name, &report.host_name, err)) < 0 ||
	    (r = copy_text(view->machine_id, &report.machine_id, err)) < 0 ||
	    (r = copy_text(view->boot_id, &report.boot_id, err)) < 0 ||
	    (r = copy_text("/", &report.root, err)) < 0 || (r = fill_steps(view, &report, err)) < 0)
		return r;
	*ret = report;
	report = (struct report){ 0 };
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include "cli/scene.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "cli/talk.h"
#include "exec/audit.h"
#include "plan.h"
#include "runbook.h"
#include "sys/process.h"

/* What the operator wrote wrongly is usage; what the system refuses is not. */
static int exit_code_of_error(const struct error *err)
{
	static const int mistakes[] = { -EINVAL, -ENOENT, -ENOTDIR, -EISDIR, -ENOTUNIQ };

	if (*process_cancelled())
		return EXIT_BY_SIGNAL(*process_cancelled());
	for (size_t i = 0; i < ELEMENTS(mistakes); i++)
		if (err->code == mistakes[i])
			return EXIT_USAGE;
	return EXIT_SYSTEM;
}

int scene_give_up(struct error *err)
{
	int exit_code = talk_error(err, exit_code_of_error(err));

	error_done(err);
	return exit_code;
}

int scene_unread(struct error *err)
{
	bool not_known = err->code != -ENOMEM && err->code != -ECANCELED;
	int exit_code = talk_error(err, not_known ? EXIT_NOT_KNOWN : exit_code_of_error(err));

	error_done(err);
	return exit_code;
}

int scene_not_sound(struct diagnostics *diags, struct error *err)
{
	AUTO_BUF lines = BUF_INIT;

	if (!diags->n)
		return scene_give_up(err);
	diagnostics_print(diags, &lines);
	talk_lines(&lines);
	error_done(err);
	return EXIT_USAGE;
}

int scene_open(struct scene *scene, const struct call *call)
{
	struct error err = ERROR_INIT;
	int r = host_open(call->options.root, &scene->host, &err);

	if (r >= 0)
		r = facts_new(scene->host, &scene->facts, &err);
	if (r >= 0 && call->options.before) {
		r = host_open(call->options.before, &scene->host_before, &err);
		if (r >= 0)
			r = facts_new(scene->host_before, &scene->before, &err);
	}
	return r < 0 ? scene_give_up(&err) : EXIT_SAFE;
}

int scene_runbook(struct scene *scene, const char *path, enum builtin builtin)
{
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	struct error err = ERROR_INIT;
	int r;

	if (path)
		r = runbook_load(path, &scene->runbook, &diags, &err);
	else
		r = runbook_builtin(builtin, &scene->runbook, &diags, &err);
	return r < 0 ? scene_not_sound(&diags, &err) : EXIT_SAFE;
}

int scene_plan(struct scene *scene, const struct call *call, enum plan_side side)
{
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	struct error err = ERROR_INIT;
	struct plan_args args = {
		.vars = call->options.vars,
		.work = call->options.work,
		.n_work = call->options.n_work,
		.audit = side != PLAN_WHOLE,
		.side = side,
		.before = scene->before,
	};
	int r;

	durations_use(&scene->durations, &args);
	r = plan_make(scene->runbook, scene->facts, &args, &scene->plan, &diags, &err);

	if (r < 0 && !diags.n) /* nobody's mistake: the host could not be read */
		return scene_unread(&err);
	return r < 0 ? scene_not_sound(&diags, &err) : EXIT_SAFE;
}

static int print(const struct report *report, const struct call *call)
{
	AUTO_BUF text = BUF_INIT;
	struct error err = ERROR_INIT;
	int r;

	if (call->options.format == FORMAT_JSON)
		r = report_json(report, &text, &err);
	else
		r = report_text(report, &call->screen, &text, &err);
	return r < 0 ? scene_give_up(&err) : talk_result(&text, report->exit_code);
}

/* Of a session the steps before the work are told by `report`. */
static void leave_out_before(struct report *report)
{
	size_t n = 0;

	for (size_t i = 0; i < report->n_steps; i++) {
		struct report_step *step = &report->steps[i];

		if (step->plan->after) {
			report->steps[n++] = *step;
			continue;
		}
		result_done(&step->result);
		error_done(&step->failure);
	}
	report->n_steps = n;
}

int scene_judge(struct scene *scene, const struct call *call)
{
	CLEANUP(report_done) struct report report = { 0 };
	struct error err = ERROR_INIT;
	const struct audit audit = { .command = call->verb->name,
				     .plan = scene->plan,
				     .facts = scene->facts,
				     .before = scene->before,
				     .done = scene->done,
				     .only = scene->only,
				     .cancelled = process_cancelled() };

	if (audit_run(&audit, &report, &err) < 0)
		return scene_give_up(&err);
	report.again = strdup(call->again);
	report.session = scene->session;
	if (report.session)
		leave_out_before(&report);
	return print(&report, call);
}

void scene_done(struct scene *scene)
{
	free(scene->done);
	durations_done(&scene->durations);
	plan_free(scene->plan);
	runbook_free(scene->runbook);
	facts_free(scene->facts);
	facts_free(scene->before);
	host_free(scene->host);
	host_free(scene->host_before);
}

/* SPDX-License-Identifier: MIT */
#include "base/intl.h"
#include "cli/sitting.h"
#include "cli/talk.h"

/* Whatever is run here changes the host: nobody else may have had a hand in it. */
static int load(struct scene *scene, const char *path)
{
	CLEANUP(diagnostics_done) struct diagnostics diags = { 0 };
	struct error err = ERROR_INIT;

	if (runbook_load_trusted(path, &scene->runbook, &diags, &err) < 0)
		return scene_not_sound(&diags, &err);
	return EXIT_SAFE;
}

int verb_run(struct call *call)
{
	AUTO_SITTING sitting = { .scene = SCENE_INIT };
	CLEANUP(session_end_done) struct session_end end = { 0 };
	struct error err = ERROR_INIT;
	struct plan_args plan_args = { .vars = call->options.vars,
				       .work = call->options.work,
				       .n_work = call->options.n_work };
	int exit_code = sitting_allowed(call), r;

	if (exit_code == EXIT_SAFE)
		exit_code = load(&sitting.scene, call->args[0]);
	if (exit_code == EXIT_SAFE)
		exit_code = sitting_open(&sitting, call);
	if (exit_code != EXIT_SAFE)
		return exit_code;
	durations_load(&sitting.scene.durations, sitting.scene.host, call);
	durations_use(&sitting.scene.durations, &plan_args);
	r = session_run(&sitting.args, sitting.scene.runbook, &plan_args, &end, &err);
	return sitting_end(&sitting, call, r, &end, &err);
}

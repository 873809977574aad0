/* SPDX-License-Identifier: MIT */
#include "plan.h"

#include "cli/scene.h"
#include "cli/talk.h"
#include "exec/foresee.h"
#include "sys/process.h"

static int print(struct scene *scene, const struct call *call)
{
	AUTO_BUF text = BUF_INIT;
	struct error err = ERROR_INIT;
	struct report_step *foreseen = NULL;
	int r = foresee_plan(scene->plan, scene->facts, process_cancelled(), &foreseen, &err);

	if (r >= 0 && call->options.format == FORMAT_JSON)
		r = plan_json(scene->facts, scene->plan, foreseen, &text, &err);
	else if (r >= 0)
		r = plan_text(scene->facts, scene->plan, foreseen, &call->screen, &text, &err);
	foreseen_free(foreseen, scene->plan->n_steps);
	return r < 0 ? scene_give_up(&err) : talk_result(&text, EXIT_SAFE);
}

int verb_plan(struct call *call)
{
	AUTO_SCENE scene = SCENE_INIT;
	int exit_code = scene_runbook(&scene, call->args[0], BUILTIN_AUDIT);

	if (exit_code == EXIT_SAFE)
		exit_code = scene_open(&scene, call);
	if (exit_code == EXIT_SAFE) {
		durations_load(&scene.durations, scene.host, call);
		exit_code = scene_plan(&scene, call, PLAN_WHOLE);
	}
	return exit_code == EXIT_SAFE ? print(&scene, call) : exit_code;
}

/* SPDX-License-Identifier: MIT */
#include "plan.h"

#include "cli/scene.h"
#include "cli/talk.h"

static int print(struct scene *scene, const struct call *call)
{
	AUTO_BUF text = BUF_INIT;
	struct error err = ERROR_INIT;
	int r;

	if (call->options.format == FORMAT_JSON)
		r = plan_json(scene->facts, scene->plan, &text, &err);
	else
		r = plan_text(scene->facts, scene->plan, &call->screen, &text, &err);
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

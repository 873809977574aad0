/* SPDX-License-Identifier: MIT */
#include "cli/scene.h"

int verb_audit(struct call *call)
{
	AUTO_SCENE scene = SCENE_INIT;
	int exit_code = scene_runbook(&scene, call->n_args ? call->args[0] : NULL, BUILTIN_AUDIT);

	if (exit_code == EXIT_SAFE)
		exit_code = scene_open(&scene, call);
	if (exit_code == EXIT_SAFE)
		exit_code = scene_plan(&scene, call, PLAN_BEFORE);
	return exit_code == EXIT_SAFE ? scene_judge(&scene, call) : exit_code;
}

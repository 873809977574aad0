/* SPDX-License-Identifier: MIT */
#include <errno.h>

#include "base/intl.h"
#include "cli/scene.h"

/* What was to move can be judged only beside what was before. */
static int check_work(const struct call *call)
{
	struct error err = ERROR_INIT;

	if (!call->options.n_work || call->options.before)
		return EXIT_SAFE;
	error_set(&err, -EINVAL,
		  _("%s says what was to be done, and there is nothing to compare it with"),
		  call->options.work[0].position);
	error_hint(&err, "%s", _("name the capture that was made before the work: --before DIR"));
	return scene_give_up(&err);
}

int verb_verify(struct call *call)
{
	AUTO_SCENE scene = SCENE_INIT;
	int exit_code = check_work(call);

	if (exit_code == EXIT_SAFE)
		exit_code = scene_runbook(&scene, call->n_args ? call->args[0] : NULL,
					  BUILTIN_POST_REBOOT);
	if (exit_code == EXIT_SAFE)
		exit_code = scene_open(&scene, call);
	if (exit_code == EXIT_SAFE)
		exit_code = scene_plan(&scene, call, PLAN_AFTER);
	return exit_code == EXIT_SAFE ? scene_judge(&scene, call) : exit_code;
}

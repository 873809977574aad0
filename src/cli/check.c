/* SPDX-License-Identifier: MIT */
#include <errno.h>

#include "base/intl.h"
#include "base/strv.h"
#include "cli/names.h"
#include "cli/scene.h"
#include "cli/talk.h"
#include "plan.h"

static int plan_check(struct scene *scene, const struct call *call, const struct kind *kind)
{
	AUTO_STRV char **assignments = NULL;
	struct error err = ERROR_INIT;
	const struct plan_args args = { .work = call->options.work,
					.n_work = call->options.n_work };
	int r = 0;

	for (size_t i = 1; r >= 0 && i < call->n_args; i++)
		r = strv_add(&assignments, call->args[i]);
	if (r >= 0)
		r = plan_one(kind, assignments, scene->facts, &args, &scene->plan, &err);
	return r < 0 ? scene_give_up(&err) : EXIT_SAFE;
}

int verb_check(struct call *call)
{
	AUTO_SCENE scene = SCENE_INIT;
	const struct kind *kind = kind_find(call->args[0]);
	int exit_code;

	if (!kind)
		return names_no_kind(call->args[0]);
	exit_code = scene_open(&scene, call);
	if (exit_code == EXIT_SAFE)
		exit_code = plan_check(&scene, call, kind);
	return exit_code == EXIT_SAFE ? scene_judge(&scene, call) : exit_code;
}

/* SPDX-License-Identifier: MIT */
#include "card.h"

#include "cli/scene.h"
#include "cli/talk.h"

/* Of what would be done: nothing of it was proved, and the card says so. */
static int print_dry_run(struct scene *scene)
{
	static const struct card_session none = { 0 };
	AUTO_BUF text = BUF_INIT;
	struct error err = ERROR_INIT;

	if (card_text(scene->facts, scene->plan, &none, &text, &err) < 0)
		return scene_give_up(&err);
	return talk_result(&text, EXIT_SAFE);
}

static int dry_run(struct call *call)
{
	AUTO_SCENE scene = SCENE_INIT;
	int exit_code = scene_runbook(&scene, call->n_args ? call->args[0] : NULL, BUILTIN_AUDIT);

	if (exit_code == EXIT_SAFE)
		exit_code = scene_open(&scene, call);
	if (exit_code == EXIT_SAFE)
		exit_code = scene_plan(&scene, call, PLAN_BEFORE);
	return exit_code == EXIT_SAFE ? print_dry_run(&scene) : exit_code;
}

int verb_card(struct call *call)
{
	return dry_run(call);
}

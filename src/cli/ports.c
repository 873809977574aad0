/* SPDX-License-Identifier: MIT */
#include "cli/scene.h"
#include "cli/talk.h"
#include "work/advice.h"

static int print(struct scene *scene, const struct call *call, const struct portmap *map,
		 const struct advice *advice)
{
	AUTO_BUF text = BUF_INIT;
	struct error err = ERROR_INIT;
	int r;

	if (call->options.format == FORMAT_JSON)
		r = ports_json(scene->facts, map, advice, &text, &err);
	else
		r = ports_text(scene->facts, map, advice, &call->screen, &text, &err);
	return r < 0 ? scene_give_up(&err) : talk_result(&text, EXIT_SAFE);
}

int verb_ports(struct call *call)
{
	AUTO_SCENE scene = SCENE_INIT;
	CLEANUP(cleanup_advice) struct advice *advice = NULL;
	struct error err = ERROR_INIT;
	const struct portmap *map;
	int exit_code = scene_open(&scene, call);

	if (exit_code != EXIT_SAFE)
		return exit_code;
	if (facts_portmap(scene.facts, &map, &err) < 0 ||
	    advice_make(scene.facts, &advice, &err) < 0)
		return scene_unread(&err);
	return print(&scene, call, map, advice);
}

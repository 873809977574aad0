/* SPDX-License-Identifier: MIT */
#include "cli/sitting.h"

int verb_abort(struct call *call)
{
	AUTO_SITTING sitting = { .scene = SCENE_INIT };
	CLEANUP(session_end_done) struct session_end end = { 0 };
	struct error err = ERROR_INIT;
	int exit_code = sitting_allowed(call), r;

	if (exit_code == EXIT_SAFE)
		exit_code = sitting_open(&sitting, call);
	if (exit_code != EXIT_SAFE)
		return exit_code;
	r = session_abort(&sitting.args, &end, &err);
	return sitting_end(&sitting, call, r, &end, &err);
}

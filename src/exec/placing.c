/* SPDX-License-Identifier: MIT */
#include "exec/placing.h"

#include <errno.h>

#include "base/intl.h"
#include "work/placement.h"

static int tell(struct executor *executor, const struct placement *item, struct error *err)
{
	int r;

	if (item->fate == PLACEMENT_STAYS)
		return 0;
	if (item->fate != PLACEMENT_REFUSED && item->fate != PLACEMENT_UNKNOWN) {
		executor_tell(executor, NOTICE_WARNING, "%s %s", item->text, item->way_out);
		return 0;
	}
	r = error_set(err, -EXDEV, "%s", item->text);
	error_hint(err, "%s", item->way_out);
	return r;
}

int placing_check(struct executor *executor, const char *runbook, struct error *err)
{
	CLEANUP(placements_done) struct placements placements = { 0 };
	const struct placed_path paths[] = {
		{ PLACED_STATE, statedir_path(executor->dir) },
		{ PLACED_PROGRAM, executor->program },
		{ PLACED_RUNBOOK, runbook },
	};
	int r = placement_judge(executor->facts, executor->plan->work, paths, ELEMENTS(paths),
				&placements, err);
	for (size_t i = 0; !r && i < placements.n; i++)
		r = tell(executor, &placements.items[i], err);
	return r;
}

/* SPDX-License-Identifier: MIT */
#include "exec/worldcheck.h"

#include <string.h>

#include "base/json.h"
#include "base/strv.h"
#include "exec/action.h"
#include "exec/world.h"

/* What the step at `index` keeps as taken down, if anything. */
static int add_taken_down(struct executor *executor, size_t index, char ***list, struct error *err)
{
	AUTO_FREE char *text = NULL;
	AUTO_JSON targets = NULL;
	const json_t *target;
	size_t i;
	int r = journal_original(executor->journal, executor->number,
				 executor_outline(executor)->steps[index].id, ORIGINAL_TAKEN_DOWN,
				 &text, err);

	if (r > 0)
		r = json_parse(text, strlen(text), ORIGINAL_TAKEN_DOWN, &targets, err);
	if (r < 0)
		return r;
	json_array_foreach (targets, i, target)
		if (json_is_string(target) && strv_add(list, json_string_value(target)) < 0)
			return error_oom(err);
	return 0;
}

int worldcheck(struct executor *executor, const struct plan *plan, char ***ret, struct error *err)
{
	AUTO_STRV char **taken_down = NULL;
	int r = 0;

	for (size_t i = 0; !r && i < executor->n_steps; i++)
		if (action_stands(executor, i))
			r = add_taken_down(executor, i, &taken_down, err);
	return r ? r
		 : world_compare(json_object_get(executor->pinned.opened, "world"), executor->facts,
				 plan, taken_down, ret, err);
}

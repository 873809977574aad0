/* SPDX-License-Identifier: MIT */
#include "exec/placing.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/strv.h"
#include "probe/paths.h"
#include "work/placement.h"

#define MAPS_MAX ((size_t)1 << 20)

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

/* What is mapped into this very process: "7f...-7f... r-xp 00001000 fe:00 12  /usr/lib/x.so.6" */
static int list_libraries(struct host *host, char ***ret, struct error *err)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_STRV char **paths = NULL;
	char *rest = NULL;
	int r = host_read(host, PATH_SELF_MAPS, MAPS_MAX, &text, err);

	if (r)
		return r;
	for (char *line = text.data ? strtok_r(text.data, "\n", &rest) : NULL; line;
	     line = strtok_r(NULL, "\n", &rest)) {
		const char *path = strchr(line, '/');

		if (path && strstr(path, ".so") && !strv_has(paths, path) && strv_add(&paths, path))
			return error_oom(err);
	}
	*ret = TAKE(paths);
	return 0;
}

static int judge(struct executor *executor, const struct placed_path *paths, size_t n,
		 struct error *err)
{
	CLEANUP(placements_done) struct placements placements = { 0 };
	int r = placement_judge(executor->facts, executor->plan->work, paths, n, &placements, err);

	for (size_t i = 0; !r && i < placements.n; i++)
		r = tell(executor, &placements.items[i], err);
	return r;
}

int placing_check(struct executor *executor, const char *runbook, struct error *err)
{
	const struct placed_path own[] = {
		{ PLACED_STATE, statedir_path(executor->dir) },
		{ PLACED_PROGRAM, executor->program },
		{ PLACED_RUNBOOK, runbook },
	};
	AUTO_STRV char **libraries = NULL;
	AUTO_FREE struct placed_path *paths = NULL;
	size_t n = ELEMENTS(own);
	int r = list_libraries(executor->args->host, &libraries, err);

	if (r)
		return r;
	paths = calloc(n + strv_length(libraries), sizeof(*paths));
	if (!paths)
		return error_oom(err);
	memcpy(paths, own, sizeof(own));
	for (char **path = libraries; path && *path; path++)
		paths[n++] = (struct placed_path){ PLACED_LIBRARY, *path };
	return judge(executor, paths, n, err);
}

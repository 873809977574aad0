/* SPDX-License-Identifier: MIT */
/* What most verbs begin with: the host, its facts, a runbook, a plan. */
#ifndef COLDSWAP_CLI_SCENE_H
#define COLDSWAP_CLI_SCENE_H

#include "cli/cli.h"
#include "cli/durations.h"
#include "plan.h"
#include "probe/facts.h"
#include "runbook.h"

struct scene {
	struct host *host, *host_before;
	struct facts *facts, *before; /* `before`: of an earlier capture, or NULL */
	struct runbook *runbook;
	struct plan *plan;
	/* verify: against a session, which of its steps are done; and with these flags alone. */
	const struct report_session *session;
	bool *done;
	unsigned only;
	struct durations durations;
};

#define SCENE_INIT                                                                                 \
	{                                                                                          \
		0                                                                                  \
	}

/*
 * Each returns EXIT_SAFE, or says why not on stderr and returns the exit code
 * to end with.
 */
int scene_open(struct scene *scene, const struct call *call);
/* `path` NULL: the one that is compiled in. */
int scene_runbook(struct scene *scene, const char *path, enum builtin builtin);
/* With PLAN_WHOLE every variable must have its value. */
int scene_plan(struct scene *scene, const struct call *call, enum plan_side side);
/* Run the plan's checks and print the report. */
int scene_judge(struct scene *scene, const struct call *call);

/* Say an error; returns the exit code that is due to it, and ends the error. */
int scene_give_up(struct error *err);
/* Likewise with every mistake of a runbook and its place, where there are such. */
int scene_not_sound(struct diagnostics *diags, struct error *err);
/* Likewise, where the host's facts could not be read: not known. */
int scene_unread(struct error *err);

void scene_done(struct scene *scene);
#define AUTO_SCENE CLEANUP(scene_done) struct scene

#endif

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "cli/past.h"
#include "cli/queue.h"
#include "cli/scene.h"
#include "cli/talk.h"
#include "exec/pinned.h"
#include "exec/seal.h"

/* ---- against a capture, or the present alone -------------------------------------- */

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

static int against_capture(struct scene *scene, const struct call *call)
{
	int exit_code = check_work(call);

	if (exit_code == EXIT_SAFE)
		exit_code = scene_runbook(scene, call->n_args ? call->args[0] : NULL,
					  BUILTIN_POST_REBOOT);
	if (exit_code == EXIT_SAFE)
		exit_code = scene_open(scene, call);
	if (exit_code == EXIT_SAFE)
		exit_code = scene_plan(scene, call, PLAN_AFTER);
	return exit_code;
}

/* ---- against a session ------------------------------------------------------------ */

/* The operator named something else to compare with, or another machine. */
static bool is_elsewhere(const struct call *call)
{
	const struct options *options = &call->options;

	return options->root || options->before || options->n_work || call->n_args;
}

/* Its power went off, and it was not taken back. */
static bool has_crossed(const struct session_view *view)
{
	if (view->phase == SESSION_CLOSED)
		return view->crossings && view->closed_as &&
		       strcmp(view->closed_as, "aborted") != 0;
	return view->crossings || view->phase == SESSION_CROSSING;
}

/* 1: this one; 0: there is none to compare with. */
static int find_session(struct past *past, const struct call *call, struct error *err)
{
	int r;

	if (is_elsewhere(call) && call->options.state)
		return error_set(err, -EINVAL, "%s",
				 _("--state names a session to compare with, and something else is "
				   "named as well"));
	if (is_elsewhere(call))
		return 0;
	r = past_open(past, call, 0, err);
	if (r == -ENOENT && !call->options.state) {
		error_done(err);
		return 0;
	}
	if (r == -EPERM && !call->options.state && !call->screen.root) {
		/* The state directory is root's: that there is no session is not known. */
		error_wrap(err, "%s", _("whether a session is open is not known"));
		talk_error(err, 0);
		error_done(err);
		return 0;
	}
	if (r < 0)
		return r;
	r = has_crossed(&past->view);
	return r && past_whole(past, err) < 0 ? err->code : r;
}

static int open_before(struct scene *scene, const struct past *past, struct error *err)
{
	int r;

	if (!past->view.before)
		return 0;
	r = seal_check(past->view.before, past->view.before_sha256, err);
	if (r >= 0)
		r = host_open(past->view.before, &scene->host_before, err);
	return r < 0 ? r : facts_new(scene->host_before, &scene->before, err);
}

static int set_done(struct scene *scene, const struct session_view *view, struct error *err)
{
	size_t n = scene->plan->n_steps, known = view->plan->n_steps;

	scene->done = calloc(n + 1, sizeof(*scene->done));
	if (!scene->done)
		return error_oom(err);
	for (size_t i = 0; i < n && i < known; i++)
		scene->done[i] = view->phase == SESSION_CLOSED || view->steps[i].state == STEP_DONE;
	return 0;
}

static int against_session(struct scene *scene, const struct call *call, struct past *past)
{
	AUTO_PINNED pinned = PINNED_INIT;
	struct error err = ERROR_INIT;
	int exit_code = scene_open(scene, call), r;

	if (exit_code != EXIT_SAFE)
		return exit_code;
	r = open_before(scene, past, &err);
	if (r >= 0)
		r = pinned_load(past->journal, past->view.number, &pinned, &err);
	if (r >= 0)
		r = pinned_plan(&pinned, scene->facts, scene->before, PLAN_AFTER, &scene->plan,
				&err);
	if (r >= 0)
		r = set_done(scene, &past->view, &err);
	scene->session = &past->session;
	scene->runbook = TAKE(pinned.runbook);
	return r < 0 ? scene_unread(&err) : EXIT_SAFE;
}

/* ---- at boot ---------------------------------------------------------------------- */

/* What is still waited for is not known; the rest is judged all the same. */
static int wait_for_boot(struct scene *scene, const struct call *call)
{
	struct error err = ERROR_INIT;

	if (!call->options.boot)
		return EXIT_SAFE;
	scene->only = KIND_AT_BOOT;
	if (queue_wait(scene->host, &err) >= 0)
		return EXIT_SAFE;
	if (err.code == -ECANCELED)
		return scene_give_up(&err);
	talk_error(&err, 0);
	error_done(&err);
	return EXIT_NOT_KNOWN;
}

int verb_verify(struct call *call)
{
	AUTO_SCENE scene = SCENE_INIT;
	AUTO_PAST past = PAST_INIT;
	struct error err = ERROR_INIT;
	int exit_code, waited, found = find_session(&past, call, &err);

	if (found < 0)
		return scene_give_up(&err);
	exit_code = found ? against_session(&scene, call, &past) : against_capture(&scene, call);
	if (exit_code != EXIT_SAFE)
		return exit_code;
	waited = wait_for_boot(&scene, call);
	if (waited > EXIT_BY_SIGNAL(0))
		return waited;
	return exit_code_worse(scene_judge(&scene, call), waited);
}

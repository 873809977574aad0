/* SPDX-License-Identifier: MIT */
/*
 * The swap card: of the open session as it was handed over, or as it would be
 * now; without a session of a dry run.
 */
#include "card.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/json.h"
#include "base/strv.h"
#include "base/text.h"
#include "cli/past.h"
#include "cli/scene.h"
#include "cli/talk.h"
#include "exec/pinned.h"
#include "probe/identity.h"

static int print(struct scene *scene, const struct card_session *session)
{
	AUTO_BUF text = BUF_INIT;
	struct error err = ERROR_INIT;

	if (card_text(scene->facts, scene->plan, session, &text, &err) < 0)
		return scene_give_up(&err);
	return talk_result(&text, EXIT_SAFE);
}

/* Of what would be done: nothing of it was proved, and the card says so. */
static int dry_run(struct call *call)
{
	static const struct card_session none = { 0 };
	AUTO_SCENE scene = SCENE_INIT;
	int exit_code = scene_runbook(&scene, call->n_args ? call->args[0] : NULL, BUILTIN_AUDIT);

	if (exit_code == EXIT_SAFE)
		exit_code = scene_open(&scene, call);
	if (exit_code == EXIT_SAFE)
		exit_code = scene_plan(&scene, call, PLAN_BEFORE);
	return exit_code == EXIT_SAFE ? print(&scene, &none) : exit_code;
}

/* ---- of the open session ------------------------------------------------------------ */

/* The lines of the journal, each made inert: the disk that it lies on may be anybody's. */
static int add_lines(const char *text, struct buf *ret)
{
	while (*text) {
		size_t len = strcspn(text, "\n");
		AUTO_FREE char *line = strndup(text, len);

		if (!line)
			return -ENOMEM;
		text_inert(line, ret);
		buf_addc(ret, '\n');
		text += len + (text[len] == '\n');
	}
	return buf_error(ret);
}

/* 1: the card that was handed over last; 0: none was yet. */
static int kept_card(const struct past *past, struct buf *ret, struct error *err)
{
	CLEANUP(journal_events_done) struct journal_events events = { 0 };
	int r = journal_read(past->journal, past->view.number, &events, err);

	for (size_t i = r < 0 ? 0 : events.n; i-- > 0;) {
		const struct journal_event *event = &events.items[i];
		AUTO_JSON body = NULL;

		if (strcmp(event->type, "card") != 0)
			continue;
		r = json_parse(event->body, strlen(event->body), _("the journal's card"), &body,
			       err);
		if (r < 0)
			return r;
		if (!json_text(body, "text"))
			return error_set(err, -EUCLEAN, "%s",
					 _("the journal's event of the card has no text"));
		return add_lines(json_text(body, "text"), ret) < 0 ? error_oom(err) : 1;
	}
	return r < 0 ? r : 0;
}

/* A card is made of the machine: on another one there is nothing to make it of. */
static int check_machine(struct scene *scene, const struct session_view *view, struct error *err)
{
	struct identity identity = IDENTITY_INIT;
	int r = identity_load(scene->host, &identity, err);
	bool same = r >= 0 && view->machine_id && identity.machine_id &&
		    strcmp(view->machine_id, identity.machine_id) == 0;

	identity_done(&identity);
	if (r < 0 || same)
		return r;
	error_set(
		err, -EXDEV,
		_("session %lld, of %s, has handed over no card yet, and this is another machine"),
		(long long)view->number, view->host_name ? view->host_name : _("another host"));
	error_hint(err, "%s", _("run it on that machine"));
	return -EXDEV;
}

/* How to lift each hold that stands: its step says so as an output. */
static int find_lifts(const struct session_view *view, char ***ret, struct error *err)
{
	for (size_t i = 0; i < view->plan->n_steps; i++) {
		const struct session_step *step = &view->steps[i];

		for (size_t k = 0; step->state == STEP_DONE && k < step->result.n_outputs; k++) {
			const struct output *output = &step->result.outputs[k];

			if (output->type == OUTPUT_STRING && strcmp(output->name, "lift") == 0 &&
			    output->value.string && strv_add(ret, output->value.string) < 0)
				return error_oom(err);
		}
	}
	return 0;
}

/* As it would be handed over now. */
static int make_anew(struct call *call, struct past *past)
{
	AUTO_SCENE scene = SCENE_INIT;
	AUTO_PINNED pinned = PINNED_INIT;
	AUTO_STRV char **lifts = NULL;
	struct error err = ERROR_INIT;
	struct card_session session = { .number = past->view.number,
					.resume = past->next,
					.head = past->view.head,
					.accepted = past->view.accepted,
					.n_accepted = past->view.n_accepted };
	int exit_code = scene_open(&scene, call), r;

	if (exit_code != EXIT_SAFE)
		return exit_code;
	r = check_machine(&scene, &past->view, &err);
	if (r >= 0)
		r = pinned_load(past->journal, past->view.number, &pinned, &err);
	if (r >= 0)
		r = pinned_plan(&pinned, scene.facts, NULL, PLAN_WHOLE, &scene.plan, &err);
	if (r >= 0)
		r = find_lifts(&past->view, &lifts, &err);
	scene.runbook = TAKE(pinned.runbook);
	if (r < 0)
		return scene_unread(&err);
	session.lifts = lifts;
	return print(&scene, &session);
}

static int of_session(struct call *call, struct past *past)
{
	AUTO_BUF text = BUF_INIT;
	struct error err = ERROR_INIT;
	int r = kept_card(past, &text, &err);

	if (r < 0)
		return scene_give_up(&err);
	return r ? talk_result(&text, EXIT_SAFE) : make_anew(call, past);
}

/* What the operator names is what the card is asked of: no session then. */
static bool is_elsewhere(const struct call *call)
{
	const struct options *options = &call->options;

	return options->root || options->n_work || options->vars || call->n_args;
}

/* 1: a session is open; 0: none is, and a dry run is meant. */
static int find_session(struct past *past, const struct call *call, struct error *err)
{
	const struct options *options = &call->options;
	int r;

	if (is_elsewhere(call) && options->state)
		return error_set(err, -EINVAL, "%s",
				 _("--state names a session, and something else is named as "
				   "well"));
	if (is_elsewhere(call))
		return 0;
	r = past_open(past, call, 0, err);
	if ((r == -ENOENT || (r == -EPERM && !call->screen.root)) && !options->state) {
		/* The state directory is root's: that there is no session is not known. */
		if (r == -EPERM) {
			error_wrap(err, "%s", _("whether a session is open is not known"));
			talk_error(err, 0);
		}
		error_done(err);
		return 0;
	}
	if (r >= 0 && past->view.phase != SESSION_CLOSED)
		r = past_whole(past, err);
	if (r < 0 || past->view.phase != SESSION_CLOSED)
		return r < 0 ? r : 1;
	if (!options->state)
		return 0;
	error_set(err, -ENOENT, _("no session is open in %s"), options->state);
	error_hint(err, "coldswap report --state %s", options->state);
	return -ENOENT;
}

int verb_card(struct call *call)
{
	AUTO_PAST past = PAST_INIT;
	struct error err = ERROR_INIT;
	int r = find_session(&past, call, &err);

	if (r < 0)
		return scene_give_up(&err);
	return r ? of_session(call, &past) : dry_run(call);
}

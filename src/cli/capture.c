/* SPDX-License-Identifier: MIT */
/*
 * Run every check while what it asks is noted, write that down, and run the
 * checks again on what was written: a capture that says something else than
 * its host is worth nothing, and this is the moment to tell.
 */
#include "capture/capture.h"

#include "base/intl.h"
#include "base/shell.h"
#include "cli/scene.h"
#include "cli/talk.h"
#include "exec/hearing.h"
#include "report/page.h"
#include "sys/process.h"

/* A host and what it answered. */
struct answers {
	struct scene scene;
	struct hearing hearing;
};

#define ANSWERS_INIT                                                                               \
	{                                                                                          \
		.scene = SCENE_INIT                                                                \
	}

static void answers_done(struct answers *answers)
{
	hearing_done(&answers->hearing);
	scene_done(&answers->scene);
}

static int hear(struct answers *answers, const struct call *call)
{
	const struct plan_args args = {
		.vars = call->options.vars,
		.work = call->options.work,
		.n_work = call->options.n_work,
	};
	struct error err = ERROR_INIT;
	int r = hearing_run(answers->scene.facts, &args, process_cancelled(), &answers->hearing,
			    &err);

	if (!r)
		return EXIT_SAFE;
	return answers->hearing.unread ? scene_unread(&err) : scene_give_up(&err);
}

static int say(const struct call *call, const struct capture_written *written, const char *differs)
{
	AUTO_BUF text = BUF_INIT;
	struct page page = { &call->screen, &text };
	const struct page_line line = { 0 };
	const char *dir = call->args[0];

	if (!call->screen.quiet) {
		page_linef(&page, &line,
			   PLURAL("%s holds %zu file of %zu bytes altogether.",
				  "%s holds %zu files of %zu bytes altogether.", written->files),
			   dir, written->files, written->bytes);
		if (written->unreadable)
			page_linef(&page, &line,
				   PLURAL("%zu path could not be read; it is listed in "
					  "%s/coldswap/unreadable.tsv.",
					  "%zu paths could not be read; they are listed in "
					  "%s/coldswap/unreadable.tsv.",
					  written->unreadable),
				   written->unreadable, dir);
	}
	if (!differs)
		page_linef(&page, &line, "%s",
			   _("Its audit gives the same verdicts as the host's."));
	else
		page_linef(&page, &line,
			   _("Its audit does not give the verdicts of the host: they differ in "
			     "step '%s'. Something may have changed meanwhile; make it again."),
			   differs);
	return talk_result(&text, differs ? EXIT_NOT_KNOWN : EXIT_SAFE);
}

/* The capture is whole, and stays: that nothing was changed is only half of it. */
static int not_checked(const struct call *call, int exit_code)
{
	AUTO_BUF text = BUF_INIT, next = BUF_INIT;

	if (exit_code < EXIT_BY_SIGNAL(0))
		return exit_code;
	shell_word(call->args[0], &next);
	buf_addf(&text, _("%s is written, and was not compared with the host."), call->args[0]);
	buf_addf(&text, "\n  coldswap audit --root %s\n", buf_text(&next));
	talk_lines(&text);
	return exit_code;
}

/* The same questions to what was written. */
static int check(const struct call *call, const struct answers *host,
		 const struct capture_written *written)
{
	CLEANUP(answers_done) struct answers capture = ANSWERS_INIT;
	struct call other = *call;
	int exit_code;

	other.options.root = call->args[0];
	exit_code = scene_open(&capture.scene, &other);
	if (exit_code == EXIT_SAFE)
		exit_code = hear(&capture, &other);
	if (exit_code == EXIT_SAFE)
		exit_code =
			say(call, written, hearing_disagreement(&host->hearing, &capture.hearing));
	return not_checked(call, exit_code);
}

static int write_down(struct capture *capture, const struct call *call, struct capture_written *ret)
{
	AUTO_FREE char *partial = NULL;
	struct error err = ERROR_INIT;

	if (capture_write(capture, call->args[0], ret, &partial, &err) == 0)
		return EXIT_SAFE;
	if (partial)
		error_hint(&err, _("What was written so far lies in %s; remove it."), partial);
	return scene_give_up(&err);
}

int verb_capture(struct call *call)
{
	CLEANUP(answers_done) struct answers host = ANSWERS_INIT;
	CLEANUP(cleanup_capture) struct capture *capture = NULL;
	struct capture_written written = { 0 };
	struct error err = ERROR_INIT;
	int exit_code = scene_open(&host.scene, call);

	if (exit_code != EXIT_SAFE)
		return exit_code;
	if (capture_begin(host.scene.host, &err) < 0)
		return scene_give_up(&err);
	exit_code = hear(&host, call);
	if (exit_code != EXIT_SAFE)
		return exit_code;
	if (capture_collect(host.scene.facts, &capture, &err) < 0 ||
	    (call->options.redact && capture_redact(capture, &err) < 0))
		return scene_give_up(&err);
	exit_code = write_down(capture, call, &written);
	return exit_code == EXIT_SAFE ? check(call, &host, &written) : exit_code;
}

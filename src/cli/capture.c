/* SPDX-License-Identifier: MIT */
/*
 * Run every check while what it asks is noted, write that down, and run the
 * checks again on what was written: a capture that says something else than
 * its host is worth nothing, and this is the moment to tell.
 */
#include "capture/capture.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "cli/scene.h"
#include "cli/talk.h"
#include "exec/audit.h"
#include "report/page.h"
#include "report/shell.h"
#include "sys/process.h"

/* The runbooks that are compiled in, which together ask all that there is to ask. */
static const struct {
	enum builtin builtin;
	enum plan_side side;
} asked[] = {
	{ BUILTIN_AUDIT, PLAN_BEFORE },
	{ BUILTIN_POST_REBOOT, PLAN_AFTER },
};

/* One host, asked by all of them. */
struct hearing {
	struct scene scene[ELEMENTS(asked)]; /* the first one owns host and facts */
	struct report report[ELEMENTS(asked)];
};

static void hearing_done(struct hearing *hearing)
{
	for (size_t i = 0; i < ELEMENTS(asked); i++) {
		report_done(&hearing->report[i]);
		if (i > 0)
			hearing->scene[i].host = NULL, hearing->scene[i].facts = NULL;
	}
	for (size_t i = ELEMENTS(asked); i-- > 0;)
		scene_done(&hearing->scene[i]);
}

static int hear(struct hearing *hearing, const struct call *call)
{
	struct error err = ERROR_INIT;
	int exit_code = EXIT_SAFE;

	for (size_t i = 0; exit_code == EXIT_SAFE && i < ELEMENTS(asked); i++) {
		struct scene *scene = &hearing->scene[i];
		struct audit audit = { .command = "audit", .cancelled = process_cancelled() };

		scene->host = hearing->scene[0].host;
		scene->facts = hearing->scene[0].facts;
		exit_code = scene_runbook(scene, NULL, asked[i].builtin);
		if (exit_code == EXIT_SAFE)
			exit_code = scene_plan(scene, call, asked[i].side);
		if (exit_code != EXIT_SAFE)
			break;
		audit.plan = scene->plan;
		audit.facts = scene->facts;
		if (audit_run(&audit, &hearing->report[i], &err) < 0)
			exit_code = scene_give_up(&err);
	}
	return exit_code;
}

static size_t count_of(const struct result *result, const struct finding *like)
{
	size_t n = 0;

	for (size_t i = 0; i < result->n_findings; i++)
		n += result->findings[i].verdict == like->verdict &&
		     strcmp(result->findings[i].id, like->id) == 0;
	return n;
}

/* Subjects may have other names. */
static bool same_result(const struct result *a, const struct result *b)
{
	if (a->verdict != b->verdict || a->n_findings != b->n_findings)
		return false;
	for (size_t i = 0; i < a->n_findings; i++)
		if (count_of(a, &a->findings[i]) != count_of(b, &a->findings[i]))
			return false;
	return true;
}

/* The step on which host and capture do not agree, or NULL. */
static const char *disagreement(const struct hearing *host, const struct hearing *capture)
{
	for (size_t i = 0; i < ELEMENTS(asked); i++) {
		const struct report *a = &host->report[i], *b = &capture->report[i];

		for (size_t k = 0; k < a->n_steps; k++)
			if (k >= b->n_steps ||
			    !same_result(&a->steps[k].result, &b->steps[k].result))
				return a->steps[k].plan->id;
	}
	return NULL;
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
static int check(const struct call *call, const struct hearing *host,
		 const struct capture_written *written)
{
	CLEANUP(hearing_done) struct hearing capture = { 0 };
	struct call other = *call;
	int exit_code;

	other.options.root = call->args[0];
	exit_code = scene_open(&capture.scene[0], &other);
	if (exit_code == EXIT_SAFE)
		exit_code = hear(&capture, &other);
	if (exit_code == EXIT_SAFE)
		exit_code = say(call, written, disagreement(host, &capture));
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
	CLEANUP(hearing_done) struct hearing host = { 0 };
	CLEANUP(cleanup_capture) struct capture *capture = NULL;
	struct capture_written written = { 0 };
	struct error err = ERROR_INIT;
	int exit_code = scene_open(&host.scene[0], call);

	if (exit_code != EXIT_SAFE)
		return exit_code;
	if (capture_begin(host.scene[0].host, &err) < 0)
		return scene_give_up(&err);
	exit_code = hear(&host, call);
	if (exit_code != EXIT_SAFE)
		return exit_code;
	if (capture_collect(host.scene[0].facts, &capture, &err) < 0 ||
	    (call->options.redact && capture_redact(capture, &err) < 0))
		return scene_give_up(&err);
	exit_code = write_down(capture, call, &written);
	return exit_code == EXIT_SAFE ? check(call, &host, &written) : exit_code;
}

/* SPDX-License-Identifier: MIT */
#include "capture/capture.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "cli/scene.h"
#include "cli/talk.h"
#include "exec/audit.h"
#include "plan.h"
#include "report/page.h"
#include "runbook.h"
#include "sys/process.h"

/* One runbook's checks are run; what they ask of the host is noted. */
static int ask(const struct call *call, struct host *host, struct facts *facts,
	       enum builtin builtin, enum plan_side side)
{
	struct scene scene = { .host = host, .facts = facts };
	struct report report = { 0 };
	struct error err = ERROR_INIT;
	int exit_code = scene_runbook(&scene, NULL, builtin);

	if (exit_code == EXIT_SAFE)
		exit_code = scene_plan(&scene, call, side);
	if (exit_code == EXIT_SAFE) {
		const struct audit audit = { .command = "audit",
					     .plan = scene.plan,
					     .facts = facts,
					     .cancelled = process_cancelled() };

		if (audit_run(&audit, &report, &err) < 0)
			exit_code = scene_give_up(&err);
	}
	report_done(&report);
	plan_free(scene.plan);
	runbook_free(scene.runbook);
	return exit_code;
}

static int say(const struct capture_written *written, const struct call *call)
{
	AUTO_BUF text = BUF_INIT;
	struct page page = { &call->screen, &text };
	AUTO_BUF line = BUF_INIT;

	buf_addf(&line, _("%s holds %zu files, %zu bytes; %zu paths could not be read."),
		 call->args[0], written->files, written->bytes, written->unreadable);
	page_line(&page, &(struct page_line){ 0 }, buf_text(&line));
	return talk_result(&text, EXIT_SAFE);
}

static int write_down(struct capture *capture, const struct call *call)
{
	struct capture_written written = { 0 };
	AUTO_FREE char *partial = NULL;
	struct error err = ERROR_INIT;

	if (capture_write(capture, call->args[0], &written, &partial, &err) < 0) {
		if (partial)
			error_hint(&err, _("What was written so far lies in %s; remove it."),
				   partial);
		return scene_give_up(&err);
	}
	return say(&written, call);
}

int verb_capture(struct call *call)
{
	AUTO_SCENE scene = SCENE_INIT;
	CLEANUP(cleanup_capture) struct capture *capture = NULL;
	struct error err = ERROR_INIT;
	int exit_code = scene_open(&scene, call);

	if (exit_code != EXIT_SAFE)
		return exit_code;
	if (capture_begin(scene.host, &err) < 0)
		return scene_give_up(&err);
	exit_code = ask(call, scene.host, scene.facts, BUILTIN_AUDIT, PLAN_BEFORE);
	if (exit_code == EXIT_SAFE)
		exit_code = ask(call, scene.host, scene.facts, BUILTIN_POST_REBOOT, PLAN_AFTER);
	if (exit_code != EXIT_SAFE)
		return exit_code;
	if (capture_collect(scene.facts, &capture, &err) < 0 ||
	    (call->options.redact && capture_redact(capture, &err) < 0))
		return scene_give_up(&err);
	return write_down(capture, call);
}

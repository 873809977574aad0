/* SPDX-License-Identifier: MIT */
#include "cli/sitting.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>

#include "base/intl.h"
#include "base/shell.h"
#include "cli/accept.h"
#include "cli/past.h"
#include "cli/talk.h"
#include "report/page.h"
#include "sys/process.h"

static int need_root(const struct call *call)
{
	struct error err = ERROR_INIT;

	if (process_is_root())
		return EXIT_SAFE;
	error_set(&err, -EPERM, _("a session changes the system, which takes root"));
	error_hint(&err, "sudo %s", call->again);
	return scene_give_up(&err);
}

static int name_commands(struct sitting *sitting, const struct call *call, struct error *err)
{
	AUTO_BUF program = BUF_INIT;

	shell_word(call->program, &program);
	sitting->program = buf_take(&program);
	if (!sitting->program)
		return error_oom(err);
	return session_command(sitting->program, "resume", past_state(call), &sitting->again, err);
}

static int open_desk(struct sitting *sitting, const struct call *call, struct error *err)
{
	int r = name_commands(sitting, call, err);

	if (r < 0)
		return r;
	sitting->args = (struct session_args){
		.host = sitting->scene.host,
		.facts = sitting->scene.facts,
		.state = past_state(call),
		.operator= & sitting->desk.operator,
		.cancelled = process_cancelled(),
		.program = sitting->program,
		.by_step = call->options.step,
		.yes = call->options.yes,
		.accepted = call->options.accepted,
		.n_accepted = call->options.n_accepted,
	};
	return desk_open(&sitting->desk, call, sitting->args.state, sitting->again, err);
}

int sitting_allowed(const struct call *call)
{
	int exit_code = accept_check(&call->options);

	return exit_code == EXIT_SAFE ? need_root(call) : exit_code;
}

int sitting_open(struct sitting *sitting, const struct call *call)
{
	struct error err = ERROR_INIT;
	int exit_code = scene_open(&sitting->scene, call);

	if (exit_code == EXIT_SAFE && open_desk(sitting, call, &err) < 0)
		exit_code = scene_give_up(&err);
	return exit_code;
}

void sitting_done(struct sitting *sitting)
{
	desk_done(&sitting->desk);
	scene_done(&sitting->scene);
	free(sitting->program);
	free(sitting->again);
}

static int give_up(struct error *err)
{
	static const struct {
		int code, exit_code;
	} codes[] = {
		{ -EBUSY, EXIT_BUSY },
		{ -ENOTTY, EXIT_WAITING },
		{ -ESTALE, EXIT_CHANGED },
	};

	for (size_t i = 0; i < ELEMENTS(codes); i++)
		if (err->code == codes[i].code) {
			int exit_code = talk_error(err, codes[i].exit_code);

			error_done(err);
			return exit_code;
		}
	return scene_give_up(err);
}

/* A session that is over has nothing next, but all of it can be read. */
static int name_report(const struct sitting *sitting, const struct session_end *end, char **ret,
		       struct error *err)
{
	char verb[40];

	snprintf(verb, sizeof(verb), "report %jd", (intmax_t)end->number);
	return session_command(sitting->program, verb, sitting->args.state, ret, err);
}

static void words(struct page *page, const struct session_end *end, const char *report)
{
	const char *summary = end->summary ? end->summary : "";
	const char *command = end->next ? end->next : report;

	if (page->screen->plain) {
		page_fact(page, "result", summary);
		if (command)
			page_fact(page, end->next ? "next" : "report", command);
		return;
	}
	page_line(page, &(struct page_line){ .tone = TONE_STRONG }, summary);
	if (command)
		page_line(page,
			  &(struct page_line){ .lead = end->next ? _("Next: ") : _("Report: "),
					       .whole = true },
			  command);
}

/* As `status` has it, with the exit code of this call. */
static int document(const struct call *call, const struct session_end *end, struct buf *ret)
{
	AUTO_PAST past = PAST_INIT;
	struct error err = ERROR_INIT;

	if (past_open(&past, call, end->number, &err) < 0)
		return scene_give_up(&err);
	past.report.exit_code = end->exit_code;
	return past_json(&past, ret, &err) < 0 ? scene_give_up(&err) : EXIT_SAFE;
}

int sitting_end(struct sitting *sitting, const struct call *call, int r, struct session_end *end,
		struct error *err)
{
	AUTO_FREE char *report = NULL;
	AUTO_BUF text = BUF_INIT;
	struct page page = { &call->screen, &text };
	int exit_code = end->exit_code;

	desk_done(&sitting->desk);
	if (r >= 0 && end->number && !end->next)
		r = name_report(sitting, end, &report, err);
	if (r < 0)
		return give_up(err);
	if (call->options.format == FORMAT_JSON && end->number)
		exit_code = exit_code_worse(exit_code, document(call, end, &text));
	else
		words(&page, end, report);
	return talk_last(&text, exit_code);
}

int sitting_with_open(struct call *call, int (*act)(const struct session_args *args,
						    struct session_end *ret, struct error *err))
{
	AUTO_SITTING sitting = { .scene = SCENE_INIT };
	CLEANUP(session_end_done) struct session_end end = { 0 };
	struct error err = ERROR_INIT;
	int exit_code = sitting_allowed(call), r;

	if (exit_code == EXIT_SAFE)
		exit_code = sitting_open(&sitting, call);
	if (exit_code != EXIT_SAFE)
		return exit_code;
	r = act(&sitting.args, &end, &err);
	return sitting_end(&sitting, call, r, &end, &err);
}

/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

#include "base/intl.h"
#include "cli/talk.h"
#include "step.h"
#include "sys/process.h"
#include "sys/terminal.h"

#define ANY_NUMBER SIZE_MAX

static const struct verb verbs[] = {
	{ "audit", VERB_AUDIT, "[RUNBOOK]", 0, 1,
	  N_("Run every check before the work and say whether it is safe; changes nothing."),
	  verb_audit },
	{ "ports", VERB_PORTS, "", 0, 0,
	  N_("Show the port map, and which two cables to swap and why."), verb_ports },
	{ "draft", VERB_DRAFT, "", 0, 0,
	  N_("Write a runbook for this host from what is found on it."), verb_draft },
	{ "check", VERB_CHECK, "KIND [KEY=VALUE...]", 1, ANY_NUMBER, N_("Run one check by hand."),
	  verb_check },
	{ "plan", VERB_PLAN, "RUNBOOK", 1, 1,
	  N_("Show the whole resolved plan; nothing of it is run."), verb_plan },
	{ "card", VERB_CARD, "[RUNBOOK]", 0, 1,
	  N_("Print the swap card: of the open session, else of a dry run."), verb_card },
	{ "verify", VERB_VERIFY, "[RUNBOOK]", 0, 1,
	  N_("Run the checks after the work and say whether it succeeded; changes nothing."),
	  verb_verify },
	{ "run", VERB_RUN, "RUNBOOK", 1, 1,
	  N_("Walk through a runbook in a session: say what comes, do it, ask where it must be "
	     "asked."),
	  verb_run },
	{ "resume", VERB_RESUME, "", 0, 0,
	  N_("Go on with the session after a stop, a failure or the power-off."), verb_resume },
	{ "abort", VERB_ABORT, "", 0, 0,
	  N_("Take back, the last thing first, what the session has changed."), verb_abort },
	{ "status", VERB_STATUS, "", 0, 0,
	  N_("Say where the session stands, what it has changed and what comes next."),
	  verb_status },
	{ "report", VERB_REPORT, "[N]", 0, 1,
	  N_("List the sessions, or show all of one: what was planned, done, found and accepted."),
	  verb_report },
	{ "copies", VERB_COPIES, "verify DIR", 2, 2,
	  N_("Read a cold copy again, from its disk, and say whether it is as it was written."),
	  verb_copies },
	{ "lint", VERB_LINT, "RUNBOOK", 1, 1,
	  N_("Say every error of a runbook with its line and column."), verb_lint },
	{ "kinds", VERB_KINDS, "[KIND]", 0, 1, N_("List the kinds of steps, or describe one."),
	  verb_kinds },
	{ "explain", VERB_EXPLAIN, "ID", 1, 1,
	  N_("Say what a finding means, how it hurts and how to mend it."), verb_explain },
	{ "capture", VERB_CAPTURE, "DIR", 1, 1,
	  N_("Write what is known of the host as a tree for --root: small, without secrets."),
	  verb_capture },
	{ "help", VERB_HELP, "[VERB]", 0, 1, N_("Say how coldswap, or one verb, is used."),
	  verb_help },
};

const struct verb *verb_at(size_t index)
{
	return index < ELEMENTS(verbs) ? &verbs[index] : NULL;
}

const struct verb *verb_find(const char *name)
{
	for (size_t i = 0; i < ELEMENTS(verbs); i++)
		if (strcmp(verbs[i].name, name) == 0)
			return &verbs[i];
	return NULL;
}

/*
 * Documents for programs are never translated.  Nor are texts where the
 * locale's charset could not show the letters of the translation.
 */
static void choose_language(const struct call *call)
{
	if (call->options.format == FORMAT_JSON || !call->screen.utf8)
		setlocale(LC_MESSAGES, "C");
}

struct screen cli_screen(const struct options *options, int fd)
{
	return (struct screen){
		.width = terminal_width(fd),
		.color = !options->no_color && terminal_has_color(fd),
		.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
		.plain = options->plain,
		.quiet = options->quiet,
		.root = process_is_root(),
	};
}

static int usage(struct error *err, const struct call *call)
{
	if (call->verb)
		error_hint(err, _("See: coldswap help %s"), call->verb->name);
	else
		error_hint(err, "%s", _("See: coldswap help"));
	return talk_error(err, err->code == -ENOMEM ? EXIT_SYSTEM : EXIT_USAGE);
}

static int dispatch(struct call *call, struct error *err)
{
	if (call->options.help || call->options.version)
		return verb_help(call);
	if (call->verb)
		return call->verb->run(call);
	error_set(err, -EINVAL, "%s", _("no verb was given"));
	return usage(err, call);
}

int cli_main(int argc, char **argv)
{
	struct error err = ERROR_INIT;
	struct call call;
	int exit_code;

	if (kinds_sound(&err) < 0) {
		exit_code = talk_error(&err, EXIT_SYSTEM);
		error_done(&err);
		return exit_code;
	}
	if (call_parse(argc, argv, &call, &err) < 0) {
		exit_code = usage(&err, &call);
	} else {
		call.program = argc > 0 && *argv[0] ? argv[0] : "coldswap";
		call.screen = cli_screen(&call.options, STDOUT_FILENO);
		choose_language(&call);
		exit_code = dispatch(&call, &err);
	}
	call_done(&call);
	error_done(&err);
	return exit_code;
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>

#include "base/intl.h"
#include "cli/cli.h"
#include "cli/rows.h"
#include "cli/scene.h"
#include "cli/talk.h"
#include "runbook.h"
#include "version.h"

#define NAME_COLUMNS 25

static void list_verbs(struct page *page)
{
	AUTO_BUF name = BUF_INIT;

	rows_heading(page, _("Verbs"));
	for (size_t i = 0; verb_at(i); i++) {
		const struct verb *verb = verb_at(i);

		buf_clear(&name);
		buf_addf(&name, "%s%s%s", verb->name, *verb->args ? " " : "", verb->args);
		rows_item(page, buf_text(&name), NAME_COLUMNS, _(verb->help));
	}
}

static void list_options(struct page *page, unsigned verbs)
{
	AUTO_BUF name = BUF_INIT;

	rows_heading(page, _("Options"));
	for (size_t i = 0; option_at(i); i++) {
		const struct option_row *row = option_at(i);

		if (!(row->verbs & verbs))
			continue;
		buf_clear(&name);
		buf_addf(&name, "--%s%s%s", row->name, row->value ? " " : "",
			 row->value ? row->value : "");
		rows_item(page, buf_text(&name), NAME_COLUMNS, _(row->help));
	}
}

static void list_exit_codes(struct page *page)
{
	static const struct {
		const char *code, *text;
	} codes[] = {
		{ "0", N_("safe; warnings are allowed") },
		{ "1", N_("a check failed") },
		{ "2", N_("a usage error, or an invalid runbook") },
		{ "3", N_("something could not be determined") },
		{ "4", N_("an error of the system") },
		{ "10", N_("the session waits for the operator") },
		{ "11", N_("another session is open, or running") },
		{ "12", N_("the machine or the runbook changed since the plan") },
		{ "129, 130, 143", N_("stopped by SIGHUP, SIGINT, SIGTERM") },
	};

	rows_heading(page, _("Exit codes"));
	for (size_t i = 0; i < ELEMENTS(codes); i++)
		rows_item(page, codes[i].code, NAME_COLUMNS, _(codes[i].text));
}

static void general_help(struct page *page)
{
	rows_paragraph(page, "coldswap",
		       _("coldswap tells whether it is safe to power a server down and swap the "
			 "cables of two disks."));
	rows_paragraph(page, "usage", _("Usage: coldswap VERB [ARGUMENT...] [OPTION...]"));
	list_verbs(page);
	list_options(page, VERB_ALL);
	list_exit_codes(page);
}

static void verb_usage(struct page *page, const struct verb *verb)
{
	AUTO_BUF usage = BUF_INIT;

	buf_addf(&usage, "coldswap %s%s%s [%s]", verb->name, *verb->args ? " " : "", verb->args,
		 _("OPTION..."));
	rows_paragraph(page, "usage", buf_text(&usage));
	rows_paragraph(page, verb->name, _(verb->help));
	list_options(page, verb->bit);
}

static int no_verb(const char *word)
{
	AUTO_BUF words = BUF_INIT;
	struct error err = ERROR_INIT;
	const char *names[32];
	size_t n = 0;

	for (; verb_at(n) && n < ELEMENTS(names); n++)
		names[n] = verb_at(n)->name;
	suggest(word, names, n, &words);
	error_set(&err, -EINVAL, _("there is no verb '%s'%s"), word, buf_text(&words));
	return scene_give_up(&err);
}

int verb_help(struct call *call)
{
	AUTO_BUF text = BUF_INIT;
	struct page page = { &call->screen, &text };
	const struct verb *verb = call->verb;

	if (call->options.version) {
		buf_addf(&text, "coldswap %s\n", COLDSWAP_VERSION);
		return talk_result(&text, EXIT_SAFE);
	}
	if (verb && verb->bit == VERB_HELP)
		verb = call->n_args ? verb_find(call->args[0]) : NULL;
	if (!verb && call->n_args)
		return no_verb(call->args[0]);
	if (verb)
		verb_usage(&page, verb);
	else
		general_help(&page);
	return talk_result(&text, EXIT_SAFE);
}

/* SPDX-License-Identifier: MIT */
/*
 * `coldswap copies verify DIR`: a cold copy, read again from its disk, against
 * its manifest.  It needs the directory alone: no state, no host, no right to
 * write, so that it also answers in an emergency shell or on another machine.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/intl.h"
#include "cli/copies.h"
#include "cli/progress.h"
#include "cli/scene.h"
#include "cli/talk.h"
#include "runbook.h"
#include "sys/clock.h"
#include "sys/process.h"
#include "sys/terminal.h"

struct verifying {
	struct progress_line line;
	unsigned width;
};

static void tell_progress(void *data, const struct copy_progress *progress)
{
	struct verifying *verifying = data;
	const struct progress said = { progress->phase, progress->done, progress->total, true };
	AUTO_BUF text = BUF_INIT;

	if (progress_text(&verifying->line, &said, clock_monotonic_us(), verifying->width, &text) ==
	    0)
		talk_lines(&text);
}

static void clear_progress(struct verifying *verifying)
{
	AUTO_BUF text = BUF_INIT;

	progress_clear(&verifying->line, &text);
	talk_lines(&text);
	progress_done(&verifying->line);
}

/* A manifest that is damaged, or was never finished, is a finding too. */
static int fault_of_manifest(struct copies_answer *answer, const struct error *why,
			     struct error *err)
{
	struct copy_verdict *verdict = &answer->verdict;

	verdict->faults = calloc(1, sizeof(*verdict->faults));
	if (!verdict->faults)
		return error_oom(err);
	verdict->n_faults = 1;
	verdict->faults[0].path = strdup(COPY_MANIFEST);
	verdict->faults[0].what = strdup(error_text(why));
	return verdict->faults[0].path && verdict->faults[0].what ? 0 : error_oom(err);
}

static int verify(struct copies_answer *answer, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	struct verifying verifying = {
		.line.redraw = terminal_can_redraw(STDERR_FILENO),
		.width = terminal_width(STDERR_FILENO),
	};
	int r = copy_verify(answer->dir, process_cancelled(), &verifying, tell_progress,
			    &answer->verdict, &why);

	clear_progress(&verifying);
	answer->no_manifest = r == -EBADMSG;
	if (r == -EBADMSG)
		return fault_of_manifest(answer, &why, err);
	return r < 0 ? error_copy(err, &why) : 0;
}

/* What was not allowed, or could not be read, is not known: the copy may be whole. */
static int give_up(struct error *err)
{
	int code = err->code;

	if (code == -ENOENT || code == -ENOTDIR) {
		error_hint(err, _("name the directory of a copy: the one that holds %s"),
			   COPY_MANIFEST);
		return scene_give_up(err);
	}
	if (code != -EACCES && code != -EPERM)
		return scene_give_up(err);
	if (!process_is_root())
		error_hint(err, _("run it as root: a copy is its owner's alone"));
	return scene_unread(err);
}

static int not_a_word(const struct call *call)
{
	static const char *const words[] = { "verify" };
	CLEANUP(error_done) struct error err = ERROR_INIT;
	AUTO_BUF nearest = BUF_INIT;

	suggest(call->args[0], words, ELEMENTS(words), &nearest);
	error_set(&err, -EINVAL, _("'copies' has no '%s'%s"), call->args[0], buf_text(&nearest));
	error_hint(&err, _("coldswap copies verify DIR"));
	return talk_error(&err, EXIT_USAGE);
}

int verb_copies(struct call *call)
{
	CLEANUP(copies_answer_done) struct copies_answer answer = { .dir = call->args[1] };
	AUTO_BUF text = BUF_INIT;
	struct error err = ERROR_INIT;
	int r, code;

	if (strcmp(call->args[0], "verify") != 0)
		return not_a_word(call);
	r = verify(&answer, &err);
	if (r < 0)
		return give_up(&err);
	code = answer.verdict.n_faults ? EXIT_CHECK_FAILED : EXIT_SAFE;
	if (call->options.format == FORMAT_JSON)
		r = copies_json(&answer, code, &text, &err);
	else
		r = copies_text(&answer, &call->screen, &text, &err);
	return r < 0 ? scene_give_up(&err) : talk_result(&text, code);
}

void copies_answer_done(struct copies_answer *answer)
{
	copy_verdict_done(&answer->verdict);
}

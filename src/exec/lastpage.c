/* SPDX-License-Identifier: MIT */
#include "exec/lastpage.h"

#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "exec/stop.h"
#include "probe/listeners.h"

static int add_proved(const struct executor *executor, size_t index, struct buf *page)
{
	buf_addf(page, "%s\n", _("Proved and done so far:"));
	for (size_t i = 0; i < index; i++) {
		const struct session_step *step = &executor->steps[i];

		if (step->state != STEP_DONE || step->skipped)
			continue;
		buf_addf(page, "  %-7s %s: %s\n", verdict_name(step->result.verdict),
			 executor->plan->steps[i].id,
			 step->result.summary ? step->result.summary
					      : executor->plan->steps[i].text);
	}
	return buf_error(page);
}

static int add_gone(struct executor *executor, struct buf *page, struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	CLEANUP(listeners_done) struct listeners listeners = { 0 };
	int r = listeners_load(executor->args->host, &listeners, &why);

	if (r == -ENOMEM)
		return error_oom(err);
	buf_addf(page, "\n%s\n", _("Gone while it is off, as long as nothing else serves it:"));
	if (r)
		buf_addf(page, _("  what this machine serves could not be read: %s\n"),
			 error_text(&why));
	else if (!listeners.n)
		buf_addf(page, "  %s\n", _("nothing listens on the network"));
	for (size_t i = 0; i < listeners.n; i++)
		buf_addf(page, "  %u/%s%s%s%s\n", listeners.items[i].port,
			 listeners.items[i].protocol, listeners.items[i].name ? " (" : "",
			 listeners.items[i].name ? listeners.items[i].name : "",
			 listeners.items[i].name ? ")" : "");
	return 0;
}

static void add_accepted(const struct executor *executor, struct buf *page)
{
	if (!executor->n_accepted)
		return;
	buf_addf(page, "\n%s\n", _("Accepted by you, and not mended:"));
	for (size_t i = 0; i < executor->n_accepted; i++)
		buf_addf(page, "  %s, %s: %s\n", executor->accepted[i].finding,
			 executor->accepted[i].subject, executor->accepted[i].because);
}

static int confirm(struct executor *executor, size_t index, const struct acceptance *accepted,
		   struct error *err)
{
	CLEANUP(error_done) struct error why = ERROR_INIT;
	AUTO_FREE char *answer = NULL;
	AUTO_BUF text = BUF_INIT;
	struct question question = {
		.word = accepted->finding,
		.goes_on = _("goes on with it as it is"),
		.leaves = _("The machine stays on; mend it, then go on."),
	};

	buf_addf(&text,
		 _("You accepted %s for %s, because: %s. Type the finding's id to stand by "
		   "it."),
		 accepted->finding, accepted->subject, accepted->because);
	question.text = buf_text(&text);
	if (buf_error(&text))
		return error_oom(err);
	return executor_ask(executor, index, &question, &answer, &why)
		       ? stop_asked(executor, &why, err)
		       : 0;
}

int lastpage_show(struct executor *executor, size_t index, struct error *err)
{
	AUTO_BUF page = BUF_INIT;
	int r = add_proved(executor, index, &page);

	if (!r)
		r = add_gone(executor, &page, err);
	add_accepted(executor, &page);
	if (buf_error(&page))
		return error_oom(err);
	if (r)
		return r;
	executor_tell(executor, NOTICE_PAGE, "%s", buf_text(&page));
	for (size_t i = 0; !r && i < executor->n_accepted; i++)
		r = confirm(executor, index, &executor->accepted[i], err);
	return r;
}

void lastpage_close(struct executor *executor)
{
	if (executor->args->operator->remote)
		executor_tell(executor, NOTICE_WARNING, "%s",
			      _("This connection freezes when the machine goes down, and does not "
				"end by itself: leave ssh by typing Enter ~ . (a tilde and a dot "
				"on a new line)."));
	executor_tell(executor, NOTICE_TEXT, "%s",
		      _("Pull the mains plug only when the drives are still and the lights are "
			"off."));
}

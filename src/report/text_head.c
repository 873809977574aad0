/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "base/intl.h"
#include "base/text.h"
#include "report/fill.h"
#include "report/text.h"
#include "work/work.h"

static void title(struct page *page, const struct head *head)
{
	bool captured = strcmp(head->root, "/") != 0;
	AUTO_BUF text = BUF_INIT;

	fill_sentence(captured ? _("coldswap {command} of {host}, captured in {root}")
			       : _("coldswap {command} of {host}"),
		      (const struct fill[]){
			      { "command", head->command },
			      { "host", head->host_name ? head->host_name : _("this host") },
			      { "root", head->root },
			      { NULL, NULL } },
		      &text);
	page_line(page, &(struct page_line){ .tone = TONE_STRONG, .hang = 2 }, buf_text(&text));
}

/* One line of the page for each line of the text, below one another. */
static void lines(struct page *page, const char *lead, char *text)
{
	struct page_line line = { .lead = lead };
	char *each, *rest = NULL;

	for (each = strtok_r(text, "\n", &rest); each; each = strtok_r(NULL, "\n", &rest)) {
		page_line(page, &line, each);
		line = (struct page_line){ .indent = text_columns(lead) };
	}
}

static int describe_work(const struct head *head, char **ret)
{
	const struct plan *plan = head->plan;
	AUTO_BUF text = BUF_INIT;
	int r = 0;

	if (head->work)
		buf_adds(&text, head->work);
	else if (plan->work && plan->work->n > 0)
		r = work_describe(plan->work, &text);
	else if (strcmp(head->command, "verify") == 0 && (!plan->work || !plan->work->meant))
		buf_adds(&text, _("none was named"));
	else
		buf_adds(&text, _("power off and on again"));
	if (r < 0)
		return r;
	*ret = buf_take(&text);
	return *ret ? 0 : -ENOMEM;
}

int text_head(struct page *page, const struct head *head)
{
	AUTO_FREE char *work = NULL;
	const struct plan *plan = head->plan;
	int r;

	title(page, head);
	r = describe_work(head, &work);
	if (r < 0)
		return r;
	lines(page, _("Planned work: "), work);
	for (char **note = plan->notes; note && *note; note++)
		page_line(page, &(struct page_line){ .indent = 2 }, *note);
	for (char **note = plan->work ? plan->work->warnings : NULL; note && *note; note++)
		page_line(page,
			  &(struct page_line){ .indent = 2, .lead = "! ", .lead_tone = TONE_WARN },
			  *note);
	page_blank(page);
	return buf_error(page->out);
}

int text_plain_head(struct page *page, const struct head *head)
{
	AUTO_FREE char *work = NULL;
	const struct plan *plan = head->plan;
	char *line, *rest = NULL;
	int r;

	page_fact(page, "command", head->command);
	page_fact(page, "host", head->host_name ? head->host_name : _("this host"));
	page_fact(page, "root", head->root);
	r = describe_work(head, &work);
	if (r < 0)
		return r;
	for (line = strtok_r(work, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		page_fact(page, "work", line);
	for (char **note = plan->notes; note && *note; note++)
		page_fact(page, "note", *note);
	for (char **note = plan->work ? plan->work->warnings : NULL; note && *note; note++)
		page_fact(page, "note", *note);
	return buf_error(page->out);
}

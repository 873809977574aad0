/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "base/intl.h"
#include "cli/copies.h"
#include "report/page.h"
#include "report/ports_words.h"

/* What the end of its name says of a copy; NULL for a whole one. */
static const char *name_says(const char *dir)
{
	static const struct {
		const char *tail, *means;
	} rows[] = {
		{ COPY_PARTIAL, N_("It was not finished: nothing may be restored from it. Run the "
				   "session again, which takes over what it holds.") },
		{ COPY_SUPERSEDED,
		  N_("The machine was started after it was made, so the originals may be newer.") },
		{ COPY_FAILED, N_("It did not pass its own checks when it was made.") },
	};
	AUTO_FREE char *path = strdup(dir);
	char *slash;

	/* Also "x.failed.2": what is set aside again gets a number. */
	while (path && (slash = strrchr(path, '/')) && !slash[1] && slash > path)
		*slash = '\0';
	slash = path ? strrchr(path, '/') : NULL;
	for (size_t i = 0; path && i < ELEMENTS(rows); i++)
		if (strstr(slash ? slash : path, rows[i].tail))
			return _(rows[i].means);
	return NULL;
}

static void add_origin(struct page *page, const struct copies_answer *answer)
{
	const struct copy_head *head = &answer->verdict.head;

	if (answer->no_manifest)
		page_linef(page, &(struct page_line){ 0 }, _("Cold copy %s"), answer->dir);
	else
		page_linef(page, &(struct page_line){ 0 },
			   _("Cold copy %s, made on %s at %s by step %s of session %" PRId64),
			   answer->dir, head->host, head->created, head->step, head->session);
	if (name_says(answer->dir))
		page_judged(page, VERDICT_WARN, name_says(answer->dir));
}

static void add_faults(struct page *page, const struct copy_verdict *verdict)
{
	for (size_t i = 0; i < verdict->n_faults; i++) {
		AUTO_BUF text = BUF_INIT;

		buf_addf(&text, "%s: %s", verdict->faults[i].path, verdict->faults[i].what);
		page_judged(page, VERDICT_FAIL, buf_text(&text));
	}
	if (verdict->more)
		page_linef(page, &(struct page_line){ .indent = 2 },
			   PLURAL("%zu more fault is not shown.", "%zu more faults are not shown.",
				  verdict->more),
			   verdict->more);
}

static void add_checks(struct page *page, const struct copy_head *head)
{
	for (size_t i = 0; i < head->n_checks; i++) {
		const struct copy_check *check = &head->checks[i];
		AUTO_BUF text = BUF_INIT;

		buf_addf(&text, _("%s, when it was made: %s: %s"), check->path, check->what,
			 check->text);
		page_judged(page, check->passed ? VERDICT_PASS : VERDICT_FAIL, buf_text(&text));
	}
}

static void add_cache(struct page *page, const struct copy_verdict *verdict)
{
	char size[32];
	AUTO_BUF text = BUF_INIT;

	if (!verdict->from_cache)
		return;
	bytes_words((int64_t)verdict->from_cache, size, sizeof(size));
	buf_addf(&text,
		 _("%s could only be read from memory, not from the disk: verified from cache. Run "
		   "it again when nothing else reads the copy, or after a reboot."),
		 size);
	page_judged(page, VERDICT_WARN, buf_text(&text));
}

static void close_damaged(struct page *page, const struct copies_answer *answer)
{
	const char *what =
		answer->no_manifest
			? _("This is no whole copy: do not restore from it.")
			: _("Damaged: do not restore what is named above; everything else in "
			    "the copy is as it was written.");

	page_judged(page, VERDICT_FAIL, what);
	page_line(page, &(struct page_line){ .lead = page_arrow(page) },
		  _("While the originals are still there, make a new copy: run the session's "
		    "runbook again. Before the power-off, stop here. Look after the disk that "
		    "holds this copy: coldswap check disk.smart"));
}

static void close_whole(struct page *page, const struct copies_answer *answer)
{
	const struct copy_verdict *verdict = &answer->verdict;
	char size[32];
	AUTO_BUF text = BUF_INIT;

	bytes_words((int64_t)verdict->bytes, size, sizeof(size));
	buf_addf(&text,
		 PLURAL("Whole: %" PRIu64 " file, %s, read again, is as it was written.",
			"Whole: %" PRIu64 " files, %s, read again, are as they were written.",
			verdict->files),
		 verdict->files, size);
	page_judged(page, VERDICT_PASS, buf_text(&text));
	if (!page->screen->quiet)
		page_linef(page, &(struct page_line){ .lead = page_arrow(page) },
			   _("How to restore it: %s/%s"), answer->dir, COPY_RESTORE);
}

int copies_text(const struct copies_answer *answer, const struct screen *screen, struct buf *ret,
		struct error *err)
{
	struct page page = { screen, ret };

	if (!screen->quiet) {
		add_origin(&page, answer);
		add_checks(&page, &answer->verdict.head);
		add_cache(&page, &answer->verdict);
		add_faults(&page, &answer->verdict);
	}
	if (answer->verdict.n_faults)
		close_damaged(&page, answer);
	else
		close_whole(&page, answer);
	return buf_error(ret) < 0 ? error_oom(err) : 0;
}

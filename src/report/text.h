/* SPDX-License-Identifier: MIT */
/* The parts of a text report, top to bottom; one file each. */
#ifndef COLDSWAP_REPORT_TEXT_H
#define COLDSWAP_REPORT_TEXT_H

#include "report/page.h"

/* Command, host, root, planned work, notes: text_head.c */
struct head {
	const char *command, *host_name, *root;
	const struct plan *plan;
	const char *work; /* of a session, in words; NULL = the plan's */
};
int text_head(struct page *page, const struct head *head);

/* Findings of one step, the worst first: text_finding.c */
void text_findings(struct page *page, const struct report *report, const struct report_step *step);
/* How many findings that are not known ask for this remedy?  NULL: none. */
size_t text_remedy_count(const struct report *report, const char *remedy);

/* What an action would do, below its line in a plan: every finding, the good ones too. */
void text_foreseen(struct page *page, const struct report_step *foreseen);
void text_plain_foreseen(struct page *page, const struct report_step *foreseen);

/* Remedies that several findings share, the sentence, the next command: text_close.c */
int text_close(struct page *page, const struct report *report);
/* The next command, or an empty text; `then` is what follows it, likewise. */
int text_next(const struct report *report, const struct screen *screen, struct buf *next,
	      struct buf *then);

/* One fact a line: text_plain.c */
int text_plain_head(struct page *page, const struct head *head);
void text_plain_step(struct page *page, const struct report_step *step);
int text_plain_report(struct page *page, const struct report *report);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What the operator of a session is told on the way, step by step: what
 * comes, why and what it will change; what it found; what is taken back.
 */
#ifndef COLDSWAP_REPORT_NOTICE_H
#define COLDSWAP_REPORT_NOTICE_H

#include "report/page.h"

/* Step `number` of `of`, from 1; `of` 0 = not counted. */
struct notice_place {
	const struct plan_step *step;
	size_t number, of;
};

void notice_begins(struct page *page, const struct notice_place *place);
void notice_ends(struct page *page, const struct notice_place *place,
		 const struct report_step *outcome);
void notice_undoes(struct page *page, const struct notice_place *place);
void notice_undone(struct page *page, const struct notice_place *place,
		   const struct report_step *outcome);

/* A text of several lines, each wrapped; a warning has a mark before it. */
void notice_text(struct page *page, const char *text);
void notice_warning(struct page *page, const char *text);
/* The lines as they are, never wrapped: a card. */
void notice_page(struct page *page, const char *text);

#endif

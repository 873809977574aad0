/* SPDX-License-Identifier: MIT */
/*
 * A question at a terminal:
 *
 *	the text
 *	  yes: what that does
 *	  q: what stopping here leaves
 *	[gate 3/14] Type yes, or q to stop:
 */
#ifndef COLDSWAP_REPORT_QUESTION_H
#define COLDSWAP_REPORT_QUESTION_H

#include "report/page.h"
#include "step.h"

/* All that stands above the prompt. */
void question_lines(struct page *page, const struct question *question);
/* `step` NULL: the session itself asks; `of` 0: not counted. */
int question_prompt(const char *step, size_t number, size_t of, const struct question *question,
		    struct buf *ret);
/* "  read 'XYZ', which is none of: WORD, q" with its newline. */
int question_refused(const char *answer, const struct question *question, struct buf *ret);
/* The word of the question that was typed, or NULL. */
const char *question_word(const char *answer, const struct question *question);

#endif

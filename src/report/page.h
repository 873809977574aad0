/* SPDX-License-Identifier: MIT */
/*
 * A page of text for a console: lines with a mark, wrapped to the screen,
 * coloured where the screen has colours.  Whatever is given as text is made
 * inert here, once, so that no writer can forget it.
 */
#ifndef COLDSWAP_REPORT_PAGE_H
#define COLDSWAP_REPORT_PAGE_H

#include "buf.h"
#include "report.h"

enum tone { TONE_PLAIN, TONE_GOOD, TONE_WARN, TONE_UNKNOWN, TONE_BAD, TONE_FAINT, TONE_STRONG };

struct page {
	const struct screen *screen;
	struct buf *out;
};

/* Mark and word of a verdict, then the text: "x fail     names in /etc/fstab: ...". */
void page_judged(struct page *page, enum verdict verdict, const char *text);

/*
 * `indent` blanks, `lead` in its tone, then the text; later lines begin below
 * the text, or at `hang` when it is not 0.  `lead` is the program's own.
 */
struct page_line {
	unsigned indent, hang;
	const char *lead;
	enum tone lead_tone, tone;
	bool whole; /* never wrapped: a command to be copied */
};
void page_line(struct page *page, const struct page_line *line, const char *text);
void page_linef(struct page *page, const struct page_line *line, const char *fmt, ...)
	PRINTF_LIKE(3, 4);
void page_blank(struct page *page);

/* "label: text" on one line, never wrapped: a fact for a screen reader. */
void page_fact(struct page *page, const char *label, const char *text);

/* The mark alone: "✓" or "+"; and the arrow before a remedy. */
const char *page_mark(const struct page *page, enum verdict verdict);
const char *page_arrow(const struct page *page);
enum tone page_tone(enum verdict verdict);

#endif

/* SPDX-License-Identifier: MIT */
#include "report/page.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"

/* Narrower than this, a wrapped line would hold one word. */
#define NARROWEST 40

static const struct look {
	const char *utf8, *ascii;
	enum tone tone;
} looks[] = {
	[VERDICT_SKIP] = { "\u2013", "-", TONE_FAINT },
	[VERDICT_PASS] = { "\u2713", "+", TONE_GOOD },
	[VERDICT_WARN] = { "!", "!", TONE_WARN },
	[VERDICT_UNKNOWN] = { "?", "?", TONE_UNKNOWN },
	[VERDICT_FAIL] = { "\u2717", "x", TONE_BAD },
};

static const char *const colors[] = {
	[TONE_PLAIN] = "",           [TONE_GOOD] = "\033[32m", [TONE_WARN] = "\033[33m",
	[TONE_UNKNOWN] = "\033[35m", [TONE_BAD] = "\033[31m",  [TONE_FAINT] = "\033[2m",
	[TONE_STRONG] = "\033[1m",
};

static bool paints(const struct page *page, enum tone tone)
{
	return page->screen->color && tone != TONE_PLAIN;
}

static void paint(struct page *page, enum tone tone)
{
	if (paints(page, tone))
		buf_adds(page->out, colors[tone]);
}

static void unpaint(struct page *page, enum tone tone)
{
	if (paints(page, tone))
		buf_adds(page->out, "\033[0m");
}

static unsigned page_width(const struct page *page)
{
	return page->screen->width > NARROWEST ? page->screen->width : NARROWEST;
}

const char *page_mark(const struct page *page, enum verdict verdict)
{
	return page->screen->utf8 ? looks[verdict].utf8 : looks[verdict].ascii;
}

const char *page_arrow(const struct page *page)
{
	return page->screen->utf8 ? "\u2192 " : "-> ";
}

enum tone page_tone(enum verdict verdict)
{
	return looks[verdict].tone;
}

void page_line(struct page *page, const struct page_line *line, const char *text)
{
	AUTO_BUF inert = BUF_INIT;
	const char *lead = line->lead ? line->lead : "";
	unsigned first = line->indent + text_columns(lead);

	text_inert(text, &inert);
	buf_addf(page->out, "%*s", (int)line->indent, "");
	paint(page, line->lead_tone);
	buf_adds(page->out, lead);
	unpaint(page, line->lead_tone);
	paint(page, line->tone);
	text_wrap(buf_text(&inert), line->whole ? UINT_MAX : page_width(page), first,
		  line->hang ? line->hang : first, page->out);
	unpaint(page, line->tone);
	buf_addc(page->out, '\n');
}

void page_judged(struct page *page, enum verdict verdict, const char *text)
{
	char lead[32];

	snprintf(lead, sizeof(lead), "%s %-7s  ", page_mark(page, verdict), verdict_name(verdict));
	page_line(page, &(struct page_line){ .lead = lead, .lead_tone = looks[verdict].tone },
		  text);
}

void page_linef(struct page *page, const struct page_line *line, const char *fmt, ...)
{
	AUTO_BUF text = BUF_INIT;
	va_list args;

	va_start(args, fmt);
	buf_vaddf(&text, fmt, args);
	va_end(args);
	if (buf_error(&text) < 0)
		page->out->failed = buf_error(&text);
	page_line(page, line, buf_text(&text));
}

void page_blank(struct page *page)
{
	buf_addc(page->out, '\n');
}

void page_fact(struct page *page, const char *label, const char *text)
{
	buf_addf(page->out, "%s: ", label);
	text_inert(text, page->out);
	buf_addc(page->out, '\n');
}

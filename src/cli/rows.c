/* SPDX-License-Identifier: MIT */
#include "cli/rows.h"

#include "base/text.h"

void rows_item(struct page *page, const char *name, unsigned columns, const char *text)
{
	AUTO_BUF lead = BUF_INIT;

	if (page->screen->plain) {
		page_fact(page, name, text);
		return;
	}
	buf_adds(&lead, "  ");
	if (text_columns(name) > columns)
		buf_adds(&lead, name);
	else
		text_pad(name, columns, &lead);
	buf_adds(&lead, "  ");
	page_line(page,
		  &(struct page_line){
			  .lead = buf_text(&lead), .lead_tone = TONE_STRONG, .hang = columns + 4 },
		  text);
}

void rows_heading(struct page *page, const char *text)
{
	if (page->screen->plain)
		return;
	page_blank(page);
	page_line(page, &(struct page_line){ .tone = TONE_STRONG }, text);
}

void rows_paragraph(struct page *page, const char *label, const char *text)
{
	if (!text)
		return;
	if (page->screen->plain)
		page_fact(page, label, text);
	else
		page_line(page, &(struct page_line){ .indent = 2 }, text);
}

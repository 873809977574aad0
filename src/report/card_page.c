/* SPDX-License-Identifier: MIT */
/* Lines of the swap card: ASCII alone, 80 columns, whatever a name holds. */
#include <stdarg.h>
#include <string.h>

#include "base/text.h"
#include "report/card_parts.h"

/* What a German, French or Nordic sentence needs, so that it can still be read. */
static const struct {
	const char *utf8, *ascii;
} spelt_out[] = {
	{ "\u00e4", "ae" }, { "\u00f6", "oe" }, { "\u00fc", "ue" }, { "\u00c4", "Ae" },
	{ "\u00d6", "Oe" }, { "\u00dc", "Ue" }, { "\u00df", "ss" }, { "\u00e9", "e" },
	{ "\u00e8", "e" },  { "\u00e0", "a" },  { "\u00e7", "c" },  { "\u00e5", "aa" },
	{ "\u00f8", "oe" }, { "\u2013", "-" },  { "\u2014", "-" },  { "\u201e", "\"" },
	{ "\u201c", "\"" }, { "\u201d", "\"" }, { "\u2019", "'" },  { "\u00a0", " " },
};

static size_t spell_out(const char *text, struct buf *ret)
{
	for (size_t i = 0; i < ELEMENTS(spelt_out); i++) {
		size_t len = strlen(spelt_out[i].utf8);

		if (strncmp(text, spelt_out[i].utf8, len) != 0)
			continue;
		buf_adds(ret, spelt_out[i].ascii);
		return len;
	}
	return 0;
}

/* One character that is valid UTF-8, as its number; 0 where there is none. */
static size_t escape_character(const char *text, struct buf *ret)
{
	static const unsigned char masks[] = { 0, 0, 0x1f, 0x0f, 0x07 };
	unsigned code;

	for (size_t len = 2; len <= 4; len++) {
		if (strnlen(text, len) < len || !text_is_utf8(text, len))
			continue;
		code = (unsigned char)text[0] & masks[len];
		for (size_t i = 1; i < len; i++)
			code = code << 6 | ((unsigned char)text[i] & 0x3f);
		buf_addf(ret, "\\u%04x", code);
		return len;
	}
	return 0;
}

int card_ascii(const char *text, struct buf *ret)
{
	while (*text) {
		unsigned char c = (unsigned char)*text;
		size_t used = 1;

		if (c >= ' ' && c < 0x7f)
			buf_addc(ret, *text);
		else if (c < 0x80 ||
			 (!(used = spell_out(text, ret)) && !(used = escape_character(text, ret))))
			used = 1, buf_addf(ret, "\\x%02x", c);
		text += used;
	}
	return buf_error(ret);
}

char *card_cut(const char *text, size_t width, enum card_cut cut)
{
	AUTO_BUF ascii = BUF_INIT, ret = BUF_INIT;
	size_t head, tail;

	if (card_ascii(text, &ascii) < 0)
		return NULL;
	if (ascii.len <= width) {
		buf_adds(&ret, buf_text(&ascii));
		return buf_take(&ret);
	}
	tail = cut == CUT_MIDDLE ? (width - 1) / 2 : 0;
	head = width - 1 - tail;
	buf_addf(&ret, "%.*s~%s", (int)head, ascii.data, ascii.data + ascii.len - tail);
	return buf_take(&ret);
}

void card_blank(struct card *card)
{
	if (!card->level.dense)
		buf_addc(card->out, '\n');
}

void card_heading(struct card *card, const char *text)
{
	card_blank(card);
	card_line(card, "", text);
}

/* How much of the text stands on a line of `room` columns; blanks behind it are skipped. */
static size_t fits(const char *text, size_t room)
{
	size_t len = strlen(text), at = room;

	if (len <= room)
		return len;
	while (at > 0 && text[at] != ' ')
		at--;
	return at > 0 ? at : room;
}

void card_line(struct card *card, const char *lead, const char *text)
{
	AUTO_BUF ascii = BUF_INIT, first = BUF_INIT;
	size_t indent;
	const char *at;

	card_ascii(lead, &first);
	card_ascii(text, &ascii);
	if (buf_error(&first) < 0 || buf_error(&ascii) < 0)
		card->out->failed = buf_error(&ascii) < 0 ? buf_error(&ascii) : buf_error(&first);
	indent = first.len;
	at = buf_text(&ascii);
	buf_adds(card->out, buf_text(&first));
	do {
		size_t len = fits(at, CARD_COLUMNS - indent);

		buf_add(card->out, at, len);
		at += len;
		at += strspn(at, " ");
		buf_addc(card->out, '\n');
		if (*at)
			buf_addf(card->out, "%*s", (int)indent, "");
	} while (*at);
}

void card_linef(struct card *card, const char *lead, const char *fmt, ...)
{
	AUTO_BUF text = BUF_INIT;
	va_list args;

	va_start(args, fmt);
	buf_vaddf(&text, fmt, args);
	va_end(args);
	if (buf_error(&text) < 0)
		card->out->failed = buf_error(&text);
	card_line(card, lead, buf_text(&text));
}

void card_command(struct card *card, const char *command)
{
	static const size_t room = CARD_COLUMNS - 5; /* 4 blanks before, 1 for the "\" */
	AUTO_BUF ascii = BUF_INIT;
	const char *at;

	card_ascii(command, &ascii);
	if (buf_error(&ascii) < 0)
		card->out->failed = buf_error(&ascii);
	buf_adds(card->out, "    ");
	for (at = buf_text(&ascii); strlen(at) > room; at += room)
		buf_addf(card->out, "%.*s\\\n", (int)room, at);
	buf_addf(card->out, "%s\n", at);
}

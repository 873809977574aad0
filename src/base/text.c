/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <langinfo.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

#include "base/text.h"

struct range {
	uint32_t first, last;
};

/*
 * What does not show, or changes the order or the width of what follows:
 * a terminal obeys it instead of drawing it.  C0, DEL and C1 come first.
 */
static const struct range unsafe[] = {
	{ 0x00, 0x1f },       { 0x7f, 0x9f },     { 0xad, 0xad },     { 0x34f, 0x34f },
	{ 0x61c, 0x61c },     { 0x115f, 0x1160 }, { 0x17b4, 0x17b5 }, { 0x180b, 0x180f },
	{ 0x200b, 0x200f },   { 0x2028, 0x202e }, { 0x2060, 0x206f }, { 0x3164, 0x3164 },
	{ 0xfeff, 0xfeff },   { 0xffa0, 0xffa0 }, { 0xfff0, 0xfffb }, { 0xfffe, 0xffff },
	{ 0xe0000, 0xe0fff },
};

/*
 * Decode one character of UTF-8.  Returns its length in bytes, 0 when the
 * bytes are none (overlong, surrogate, cut, beyond U+10FFFF).
 */
static size_t decode(const char *text, size_t len, uint32_t *ret)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *bytes = (const unsigned char *)text;
	uint32_t code;
	size_t size, i;

	if (len && bytes[0] < 0x80) {
		*ret = bytes[0];
		return 1;
	}
	if (!len || bytes[0] < 0xc2 || bytes[0] > 0xf4)
		return 0;
	size = bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : 4;
	if (len < size)
		return 0;
	code = bytes[0] & (0x7fU >> size);
	for (i = 1; i < size; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (bytes[i] & 0x3f);
	}
	if (code < least[size] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	*ret = code;
	return size;
}

static bool is_unsafe(uint32_t code)
{
	size_t i;

	for (i = 0; i < ELEMENTS(unsafe); i++)
		if (code >= unsafe[i].first && code <= unsafe[i].last)
			return true;
	return false;
}

static void add_escape(uint32_t code, struct buf *ret)
{
	if (code == '\n')
		(void)buf_adds(ret, "\\n");
	else if (code == '\t')
		(void)buf_adds(ret, "\\t");
	else if (code < 0x80)
		(void)buf_addf(ret, "\\x%02x", code);
	else
		(void)buf_addf(ret, code > 0xffff ? "\\U%08x" : "\\u%04x", code);
}

/*
 * A terminal of another charset reads the bytes of UTF-8 one by one, and
 * some of them (0x80-0x9f) as C1 controls: there only ASCII is inert.
 */
static bool terminal_is_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

int text_inert(const char *text, struct buf *ret)
{
	bool utf8 = terminal_is_utf8();
	size_t len = strlen(text), size;
	uint32_t code;

	for (; len; text += size, len -= size) {
		size = decode(text, len, &code);
		if (!size) {
			size = 1;
			(void)buf_addf(ret, "\\x%02x", (unsigned char)*text);
		} else if (is_unsafe(code) || (code > 0x7f && !utf8)) {
			add_escape(code, ret);
		} else {
			(void)buf_add(ret, text, size);
		}
	}
	return buf_error(ret);
}

bool text_is_utf8(const char *text, size_t len)
{
	size_t size;
	uint32_t code;

	for (; len; text += size, len -= size) {
		size = decode(text, len, &code);
		if (!size)
			return false;
	}
	return true;
}

/* A NUL is made visible too: what reads the JSON may end its strings there. */
int text_to_utf8(const char *bytes, size_t len, struct buf *ret)
{
	size_t size;
	uint32_t code;

	for (; len; bytes += size, len -= size) {
		size = decode(bytes, len, &code);
		if (size && code) {
			(void)buf_add(ret, bytes, size);
			continue;
		}
		size = 1;
		(void)buf_addf(ret, "\\x%02x", (unsigned char)*bytes);
	}
	return buf_error(ret);
}

/* Columns of the character at `text`, and its size in bytes. */
static unsigned column_at(const char *text, size_t len, size_t *ret_size)
{
	uint32_t code;
	int columns;

	*ret_size = decode(text, len, &code);
	if (!*ret_size) {
		*ret_size = 1;
		return 1;
	}
	columns = wcwidth((wchar_t)code);
	return columns < 0 ? 1 : (unsigned)columns;
}

static unsigned columns_of(const char *text, size_t len)
{
	unsigned columns = 0;
	size_t size;

	for (; len; text += size, len -= size)
		columns += column_at(text, len, &size);
	return columns;
}

unsigned text_columns(const char *text)
{
	return columns_of(text, strlen(text));
}

static void add_blanks(struct buf *ret, unsigned n)
{
	while (n--)
		(void)buf_addc(ret, ' ');
}

int text_wrap(const char *text, unsigned width, unsigned first, unsigned indent, struct buf *ret)
{
	unsigned column = first;
	bool fresh = first <= indent; /* nothing but the indent on this line */

	while (*text) {
		size_t blanks = strspn(text, " ");
		size_t len = strcspn(text + blanks, " \n");
		unsigned columns = columns_of(text + blanks, len);
		bool fits = column + blanks + columns <= width;

		if (len && !fits && !fresh) {
			(void)buf_addc(ret, '\n');
			add_blanks(ret, indent);
			column = indent;
			blanks = 0;
			text += strspn(text, " ");
		}
		if (len) {
			(void)buf_add(ret, text, blanks + len);
			column += (unsigned)blanks + columns;
			fresh = false;
		}
		text += blanks + len;
		if (*text == '\n') {
			(void)buf_addc(ret, '\n');
			add_blanks(ret, text[1] ? indent : 0);
			column = indent;
			fresh = true;
			text++;
		}
	}
	return buf_error(ret);
}

int text_pad(const char *text, unsigned width, struct buf *ret)
{
	bool cut = text_columns(text) > width;
	unsigned room = cut && width ? width - 1 : width, column = 0;
	size_t len = strlen(text), size;

	for (; len; text += size, len -= size) {
		unsigned columns = column_at(text, len, &size);

		if (column + columns > room)
			break;
		(void)buf_add(ret, text, size);
		column += columns;
	}
	add_blanks(ret, room - column);
	if (cut && width)
		(void)buf_addc(ret, '~');
	return buf_error(ret);
}

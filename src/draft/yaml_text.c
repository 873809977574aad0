/* SPDX-License-Identifier: MIT */
#include "draft/yaml_text.h"

#include <stdint.h>
#include <string.h>

#include "base/text.h"

#define COLUMNS 80

bool yaml_can_hold(const char *text)
{
	return *text && text_is_utf8(text, strlen(text));
}

static size_t character_length(const char *text)
{
	size_t len = 1;

	while (((unsigned char)text[len] & 0xc0) == 0x80)
		len++;
	return len;
}

static uint32_t code_of(const char *text, size_t len)
{
	uint32_t code = (unsigned char)text[0];

	if (len > 1)
		code &= 0x7fU >> len;
	for (size_t i = 1; i < len; i++)
		code = code << 6 | ((unsigned char)text[i] & 0x3f);
	return code;
}

/* What a terminal would obey, or libyaml refuse, is written by its number. */
static void add_character(const char *text, size_t len, struct buf *ret)
{
	char one[8] = { 0 };
	AUTO_BUF inert = BUF_INIT;
	uint32_t code = code_of(text, len);

	memcpy(one, text, len);
	text_inert(one, &inert);
	if (code == '"' || code == '\\')
		buf_addf(ret, "\\%c", (char)code);
	else if (strcmp(buf_text(&inert), one) == 0)
		buf_add(ret, one, len);
	else
		buf_addf(ret, code > 0xffff ? "\\U%08x" : "\\u%04x", code);
}

static void quote(const char *text, bool literal, struct buf *ret)
{
	buf_addc(ret, '"');
	while (*text) {
		size_t len = character_length(text);

		if (literal && strncmp(text, "${", 2) == 0)
			buf_addc(ret, '$');
		add_character(text, len, ret);
		text += len;
	}
	buf_addc(ret, '"');
}

void yaml_quote(const char *text, struct buf *ret)
{
	quote(text, false, ret);
}

void yaml_quote_literal(const char *text, struct buf *ret)
{
	quote(text, true, ret);
}

static void comment(unsigned indent, unsigned hang, const char *text, struct buf *ret)
{
	AUTO_BUF inert = BUF_INIT, wrapped = BUF_INIT;
	const char *line, *end;

	text_inert(text, &inert);
	text_wrap(buf_text(&inert), COLUMNS - indent - 2, 0, hang, &wrapped);
	if (buf_error(&inert) || buf_error(&wrapped)) {
		ret->failed = buf_error(&inert) ? inert.failed : wrapped.failed;
		return;
	}
	line = buf_text(&wrapped);
	do {
		end = strchrnul(line, '\n');
		buf_addf(ret, "%*s#%s%.*s\n", (int)indent, "", end > line ? " " : "",
			 (int)(end - line), line);
		line = end + 1;
	} while (*end);
}

void yaml_comment(unsigned indent, const char *text, struct buf *ret)
{
	comment(indent, 0, text, ret);
}

void yaml_comment_item(const char *text, struct buf *ret)
{
	comment(0, 2, text, ret);
}

void yaml_commentf(unsigned indent, struct buf *ret, const char *fmt, ...)
{
	AUTO_BUF text = BUF_INIT;
	va_list args;

	va_start(args, fmt);
	buf_vaddf(&text, fmt, args);
	va_end(args);
	if (buf_error(&text))
		ret->failed = buf_error(&text);
	else
		yaml_comment(indent, buf_text(&text), ret);
}

/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "sys/kmsg.h"

/* The facility stands above the three bits of the level; 0 is the kernel. */
#define FACILITY_SHIFT 3

static int hex_of(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

int kmsg_line(uint64_t us, const char *text, size_t len, struct buf *ret)
{
	size_t i;

	(void)buf_addf(ret, "[%5" PRIu64 ".%06" PRIu64 "] ", us / 1000000, us % 1000000);
	for (i = 0; i < len; i++) {
		if (text[i] == '\n')
			(void)buf_adds(ret, "\\n");
		else if (text[i] == '\0')
			(void)buf_adds(ret, "\\x00");
		else
			(void)buf_addc(ret, text[i]);
	}
	return buf_addc(ret, '\n');
}

/* A run of digits; false when there is none. */
static bool number(const char **text, const char *end, uint64_t *ret)
{
	const char *start = *text;

	for (*ret = 0; *text < end && **text >= '0' && **text <= '9'; (*text)++)
		*ret = *ret * 10 + (uint64_t)(**text - '0');
	return *text > start;
}

/* /dev/kmsg writes what does not print, and the backslash, as \xNN. */
static int unescape(const char *text, const char *end, struct buf *ret)
{
	while (text < end) {
		if (end - text >= 4 && text[0] == '\\' && text[1] == 'x' && hex_of(text[2]) >= 0 &&
		    hex_of(text[3]) >= 0) {
			(void)buf_addc(ret, (char)(hex_of(text[2]) << 4 | hex_of(text[3])));
			text += 4;
		} else {
			(void)buf_addc(ret, *text++);
		}
	}
	return buf_error(ret);
}

int kmsg_record(const char *record, size_t len, struct buf *ret)
{
	AUTO_BUF text = BUF_INIT;
	const char *at = record, *end = record + len;
	const char *start = memchr(record, ';', len), *newline;
	uint64_t priority, sequence, us;

	if (!start || !number(&at, start, &priority) || *at++ != ',' ||
	    !number(&at, start, &sequence) || *at++ != ',' || !number(&at, start, &us))
		return 0;
	if (priority >> FACILITY_SHIFT)
		return 0;
	start++;
	newline = memchr(start, '\n', (size_t)(end - start));
	if (unescape(start, newline ? newline : end, &text) < 0)
		return buf_error(&text);
	return kmsg_line(us, buf_text(&text), text.len, ret);
}

int kmsg_syslog(const char *text, size_t len, struct buf *ret)
{
	const char *end = text + len, *newline, *at;
	uint64_t priority;

	for (; text < end; text = newline + 1) {
		newline = memchr(text, '\n', (size_t)(end - text));
		if (!newline)
			newline = end;
		at = text + 1;
		if (*text == '<' && number(&at, newline, &priority) && at < newline && *at == '>') {
			if (priority >> FACILITY_SHIFT)
				continue;
			text = at + 1;
		}
		(void)buf_add(ret, text, (size_t)(newline - text));
		(void)buf_addc(ret, '\n');
	}
	return buf_error(ret);
}

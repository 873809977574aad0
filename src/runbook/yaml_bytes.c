/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/intl.h"
#include "base/text.h"
#include "runbook/yaml.h"
#include "runbook/yaml_bytes.h"

struct position position_at(const char *text, size_t offset)
{
	struct position at = { 1, 1 };

	for (size_t i = 0; i < offset; i++) {
		if (text[i] == '\n')
			at = (struct position){ at.line + 1, 1 };
		else if (((unsigned char)text[i] & 0xc0) != 0x80)
			at.column++;
	}
	return at;
}

static size_t first_bad_byte(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len) {
		size_t n = 1;

		while (n <= 4 && n <= len - i && !text_is_utf8(text + i, n))
			n++;
		if (n > 4 || n > len - i)
			break;
		i += n;
	}
	return i;
}

static size_t first_directive(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] == '%' && (i == 0 || text[i - 1] == '\n' || text[i - 1] == '\r'))
			return i;
	return len;
}

bool bytes_acceptable(const char *text, size_t len, struct diagnostics *diags)
{
	size_t bad;

	if (len > YAML_MAX_BYTES) {
		diagnostics_add(diags, (struct position){ 1, 1 },
				_("the file is larger than %zu KiB, the most that is read"),
				YAML_MAX_BYTES >> 10);
		return false;
	}
	if (!text_is_utf8(text, len)) {
		bad = first_bad_byte(text, len);
		diagnostics_add(diags, position_at(text, bad),
				_("byte 0x%02x is not UTF-8; save the file as UTF-8"),
				(unsigned char)text[bad]);
		return false;
	}
	bad = first_directive(text, len);
	if (bad < len) {
		diagnostics_add(diags, position_at(text, bad),
				_("a line that begins with '%%' is a directive, and directives "
				  "are not allowed"));
		return false;
	}
	return true;
}

bool tab_indents(const char *text, size_t len, size_t line)
{
	size_t i = 0;

	for (; line && i < len; i++)
		line -= text[i] == '\n';
	while (i < len && text[i] == ' ')
		i++;
	return i < len && text[i] == '\t';
}

/* SPDX-License-Identifier: MIT */
/* What each sort of file needs, line by line. */
#include "capture/mask.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

static int add(struct buf *ret, const char *at, const char *end)
{
	return buf_add(ret, at, (size_t)(end - at));
}

static const char *line_end(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));

	return newline ? newline + 1 : end;
}

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

static const char *skip_column(const char *at, const char *end)
{
	while (at < end && *at != ' ' && *at != '\t' && *at != '\n')
		at++;
	return at;
}

/* name, device, key, options */
static int mask_crypttab_line(const struct mask *mask, struct span line, struct buf *ret)
{
	const char *at = skip_blanks(line.at, line.end), *key;

	if (at == line.end || *at == '#' || *at == '\n')
		return mask_words(mask, HOLD_TEXT, line, ret);
	for (int column = 0; column < 2; column++)
		at = skip_blanks(skip_column(at, line.end), line.end);
	key = at;
	at = skip_column(at, line.end);
	add(ret, line.at, key);
	if (at == key || mask_is_path(mask, (struct span){ key, at }) ||
	    (at - key == 4 && memcmp(key, "none", 4) == 0) || (at - key == 1 && *key == '-'))
		add(ret, key, at);
	else
		buf_adds(ret, MASKED);
	return mask_words(mask, HOLD_TEXT, (struct span){ at, line.end }, ret);
}

/* A setting goes on after a final backslash. */
static const char *setting_end(const char *at, const char *end)
{
	const char *next = line_end(at, end);

	while (next < end && next - at >= 2 && next[-1] == '\n' && next[-2] == '\\') {
		at = next;
		next = line_end(at, end);
	}
	return next;
}

/* Also in a comment: what was switched off is as secret as before. */
static int mask_setting(const struct mask *mask, struct span setting, struct buf *ret)
{
	static const char key[] = "Environment";
	const char *at = setting.at;

	while (at < setting.end && strchr(" \t#;", *at))
		at++;
	if ((size_t)(setting.end - at) > strlen(key) && memcmp(at, key, strlen(key)) == 0) {
		at = skip_blanks(at + strlen(key), setting.end);
		if (at < setting.end && *at == '=') {
			add(ret, setting.at, ++at);
			return mask_environment(mask, (struct span){ at, setting.end }, ret);
		}
	}
	return mask_words(mask, HOLD_UNIT, setting, ret);
}

static bool is_name(struct span name)
{
	if (name.at == name.end || name.end - name.at > 64 || (*name.at >= '0' && *name.at <= '9'))
		return false;
	for (; name.at < name.end; name.at++)
		if (*name.at != '_' && !(*name.at >= '0' && *name.at <= '9') &&
		    !((*name.at | 32) >= 'a' && (*name.at | 32) <= 'z'))
			return false;
	return true;
}

/* NAME=VALUE; base64 that ends in "=" is no name. */
static int mask_guarded_line(const struct mask *mask, struct span line, struct buf *ret)
{
	static const char export[] = "export ";
	const char *end = line.end - (line.end > line.at && line.end[-1] == '\n');
	const char *at = skip_blanks(line.at, end), *name, *equals;

	if (at < end && (*at == '#' || *at == ';'))
		end = at + 1; /* an older secret, switched off */
	add(ret, line.at, at);
	name = at;
	if ((size_t)(end - at) > strlen(export) && memcmp(at, export, strlen(export)) == 0)
		name += strlen(export);
	equals = memchr(name, '=', (size_t)(end - name));
	if (equals && equals + 1 < end && equals[1] != '=' &&
	    is_name((struct span){ name, equals })) {
		add(ret, at, equals + 1);
		at = equals + 1;
	}
	if (at < end && (*at == '#' || *at == ';'))
		buf_addc(ret, *at);
	else
		mask_value(mask, (struct span){ at, end }, ret);
	return line.end > line.at && line.end[-1] == '\n' ? buf_addc(ret, '\n') : buf_error(ret);
}

typedef int mask_function(const struct mask *mask, struct span span, struct buf *ret);
typedef const char *end_function(const char *at, const char *end);

static int mask_each(const struct mask *mask, struct span text, end_function *end_of,
		     mask_function *function, struct buf *ret)
{
	int r = buf_error(ret);

	for (const char *at = text.at, *end; r == 0 && at < text.end; at = end) {
		end = end_of(at, text.end);
		r = function(mask, (struct span){ at, end }, ret);
	}
	return r;
}

int mask_text(const struct mask *mask, enum hold hold, const char *text, size_t len,
	      struct buf *ret)
{
	const struct span span = { text, text + len };

	switch (hold) {
	case HOLD_NEVER:
	case HOLD_NAME:
		return 0;
	case HOLD_RAW:
		return buf_add(ret, text, len);
	case HOLD_CRYPTTAB:
		return mask_each(mask, span, line_end, mask_crypttab_line, ret);
	case HOLD_UNIT:
		return mask_each(mask, span, setting_end, mask_setting, ret);
	case HOLD_GUARDED:
		return mask_each(mask, span, line_end, mask_guarded_line, ret);
	case HOLD_TEXT:
	case HOLD_YAML:
	case HOLD_JSON:
		break;
	}
	return mask_words(mask, hold, span, ret);
}

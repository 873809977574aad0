/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"

#define DEPTH_MAX 64
/* 15 digits are what a double holds for sure: 0.1 is written as 0.1. */
#define PRINT_FLAGS (JSON_COMPACT | JSON_ENSURE_ASCII | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15))

/*
 * The deepest nesting of the text.  jansson recurses up to 2048 levels, so
 * the depth is looked at before it parses; malformed text is left to it.
 */
static unsigned depth_of(const char *text, size_t len)
{
	unsigned depth = 0, deepest = 0;
	bool quoted = false;
	size_t i;

	for (i = 0; i < len; i++) {
		if (quoted) {
			if (text[i] == '\\')
				i++;
			else if (text[i] == '"')
				quoted = false;
		} else if (text[i] == '"') {
			quoted = true;
		} else if (text[i] == '{' || text[i] == '[') {
			depth++;
			deepest = depth > deepest ? depth : deepest;
		} else if ((text[i] == '}' || text[i] == ']') && depth) {
			depth--;
		}
	}
	return deepest;
}

int json_parse(const char *text, size_t len, const char *source, json_t **ret, struct error *err)
{
	json_error_t why;
	json_t *value;

	if (depth_of(text, len) > DEPTH_MAX)
		return error_set(err, -EBADMSG, "%s: nested deeper than %d levels", source,
				 DEPTH_MAX);
	value = json_loadb(text, len, JSON_REJECT_DUPLICATES, &why);
	if (!value && json_error_code(&why) == json_error_out_of_memory)
		return error_oom(err);
	if (!value)
		return error_set(err, -EBADMSG, "%s:%d:%d: no valid JSON: %s", source, why.line,
				 why.column, why.text);
	*ret = value;
	return 0;
}

const json_t *json_at(const json_t *object, ...)
{
	const char *key;
	va_list args;

	va_start(args, object);
	while (object && (key = va_arg(args, const char *)))
		object = json_object_get(object, key);
	va_end(args);
	return object;
}

const char *json_text(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

int json_set_text(json_t *object, const char *key, const char *value)
{
	AUTO_BUF clean = BUF_INIT;
	json_t *string;

	if (!value)
		return json_object_set_new(object, key, json_null()) < 0 ? -ENOMEM : 0;
	if (text_to_utf8(value, strlen(value), &clean) < 0)
		return buf_error(&clean);
	string = json_string(buf_text(&clean));
	return json_object_set_new(object, key, string) < 0 ? -ENOMEM : 0;
}

static int print_chunk(const char *bytes, size_t len, void *data)
{
	struct buf *ret = data;

	return buf_add(ret, bytes, len);
}

/*
 * Only ASCII is written: JSON shown on a terminal then holds no bidi or C1
 * control that a name brought along.
 */
int json_print(const json_t *value, struct buf *ret, struct error *err)
{
	if (json_dump_callback(value, print_chunk, ret, PRINT_FLAGS) < 0 && !buf_error(ret))
		return error_oom(err);
	(void)buf_addc(ret, '\n');
	if (buf_error(ret) == -ENOMEM)
		return error_oom(err);
	if (buf_error(ret))
		return error_set(err, buf_error(ret), "the JSON document is too large");
	return 0;
}

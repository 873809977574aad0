/* SPDX-License-Identifier: MIT */
#include "base/json_place.h"

#include <stdarg.h>
#include <string.h>

/* Compared one by one: most of a document's bytes come by here. */
static bool is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static void skip_blanks(struct json_place *place)
{
	for (; place->at < place->end && is_blank(*place->at); place->at++)
		place->line += *place->at == '\n';
}

static bool is_at(const struct json_place *place, char c)
{
	return place->at < place->end && *place->at == c;
}

/* From the opening quote to behind the closing one. */
static void skip_string(struct json_place *place)
{
	for (place->at++; place->at < place->end && *place->at != '"'; place->at++)
		if (*place->at == '\\' && place->at + 1 < place->end)
			place->at++;
	if (place->at < place->end)
		place->at++;
}

static void skip_word(struct json_place *place)
{
	while (place->at < place->end && !is_blank(*place->at) && *place->at != ',' &&
	       *place->at != ']' && *place->at != '}')
		place->at++;
}

/* One value with all that is in it; no recursion, however deep it is. */
static void skip_value(struct json_place *place)
{
	unsigned depth = 0;

	do {
		skip_blanks(place);
		if (place->at >= place->end)
			return;
		switch (*place->at) {
		case '"':
			skip_string(place);
			break;
		case '{':
		case '[':
			depth++;
			place->at++;
			break;
		case '}':
		case ']':
			if (depth == 0)
				return;
			depth--;
			place->at++;
			break;
		case ',':
		case ':':
			place->at++;
			break;
		default:
			skip_word(place);
		}
	} while (depth > 0);
}

struct json_place json_place_of(const char *text, size_t len)
{
	struct json_place place = { .at = text, .end = text + len, .line = 1 };

	skip_blanks(&place);
	return place;
}

/* Behind a comma, if one is there. */
static bool pass_comma(struct json_place *place)
{
	skip_blanks(place);
	if (!is_at(place, ','))
		return false;
	place->at++;
	skip_blanks(place);
	return true;
}

bool json_place_enter(struct json_place *place, const char *key)
{
	struct json_place cursor = *place;
	size_t len = strlen(key);

	if (!is_at(&cursor, '{'))
		return false;
	cursor.at++;
	skip_blanks(&cursor);
	do {
		const char *name = cursor.at + 1;
		bool wanted;

		if (!is_at(&cursor, '"'))
			return false;
		skip_string(&cursor);
		wanted = (size_t)(cursor.at - name) == len + 1 && memcmp(name, key, len) == 0;
		skip_blanks(&cursor);
		if (!is_at(&cursor, ':'))
			return false;
		cursor.at++;
		skip_blanks(&cursor);
		if (wanted) {
			*place = cursor;
			return true;
		}
		skip_value(&cursor);
	} while (pass_comma(&cursor));
	return false;
}

bool json_place_first(struct json_place *place)
{
	if (!is_at(place, '['))
		return false;
	place->at++;
	skip_blanks(place);
	return place->at < place->end && *place->at != ']';
}

bool json_place_next(struct json_place *place)
{
	skip_value(place);
	return pass_comma(place);
}

unsigned json_line_of(struct json_place place, ...)
{
	va_list keys;
	bool found = true;

	va_start(keys, place);
	for (const char *key; found && (key = va_arg(keys, const char *));)
		found = json_place_enter(&place, key);
	va_end(keys);
	return found ? place.line : 0;
}

/* SPDX-License-Identifier: MIT */
/* Secrets told by a name before them, or by their form. */
#include <ctype.h>
#include <string.h>

#include "capture/mask.h"

struct words {
	const struct mask *mask;
	enum hold hold;
	const char *start, *at, *end;
	struct buf *ret;
};

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
}

static bool begins(const struct words *words, const char *text)
{
	size_t len = strlen(text);

	return (size_t)(words->end - words->at) >= len && memcmp(words->at, text, len) == 0;
}

static void copy_to(struct words *words, const char *to)
{
	buf_add(words->ret, words->at, (size_t)(to - words->at));
	words->at = to;
}

static void remove_to(struct words *words, const char *to)
{
	mask_removed((struct span){ words->at, to }, words->ret);
	words->at = to;
}

static const char *line_end(const struct words *words, const char *at)
{
	const char *newline = memchr(at, '\n', (size_t)(words->end - at));

	return newline ? newline : words->end;
}

/* scheme://user:password@host */
static void take_url(struct words *words)
{
	const char *at, *last = NULL;

	copy_to(words, words->at + 3);
	for (at = words->at; at < words->end; at++) {
		if (isspace((unsigned char)*at) || strchr("/?#\"'<>`\\", *at))
			break;
		if (*at == '@')
			last = at;
	}
	if (last)
		remove_to(words, last);
}

/* -----BEGIN X----- to its end, real line ends or "\n" alike. */
static void take_pem(struct words *words)
{
	static const char tail[] = "-----END ";
	const char *end = memmem(words->at, (size_t)(words->end - words->at), tail, strlen(tail));

	copy_to(words, words->at + strlen("-----BEGIN "));
	remove_to(words, end ? end : words->end);
	if (end)
		copy_to(words, end + strlen(tail));
}

/* A quote, as it is or escaped in a string of JSON; its length, or 0. */
static size_t quote_at(const struct words *words, const char *at)
{
	if (at < words->end && (*at == '"' || *at == '\''))
		return 1;
	if (at + 1 < words->end && *at == '\\' && (at[1] == '"' || at[1] == '\''))
		return 2;
	return 0;
}

/* The closing quote, or the end of the line when there is none. */
static const char *quoted_end(const struct words *words, const char *at, const char *quote,
			      size_t len)
{
	for (const char *p = at; p + len <= words->end; p++) {
		if (memcmp(p, quote, len) == 0)
			return p;
		if (len == 1 && *p == '\\')
			p++;
	}
	return line_end(words, at);
}

/* Within braces of YAML: "{name: A, value: B}". */
static bool in_flow(const struct words *words, const char *at)
{
	int depth = 0;

	for (; at > words->start && at[-1] != '\n'; at--)
		depth += (at[-1] == '{' || at[-1] == '[') - (at[-1] == '}' || at[-1] == ']');
	return depth > 0;
}

/* In a list of mount options a comma ends a value; elsewhere it may be a part of it. */
static const char *plain_end(const struct words *words, const char *at, char sign)
{
	const char *end = line_end(words, at);

	if (sign == ':' && words->hold == HOLD_YAML) {
		const char *comment = memmem(at, (size_t)(end - at), " #", 2);
		bool flow = in_flow(words, at);

		for (const char *p = at; flow && p < end; p++)
			if (strchr(",}]", *p))
				return p;
		if (comment)
			end = comment;
		while (end > at && isspace((unsigned char)end[-1]))
			end--;
		return end;
	}
	while (at < end && !isspace((unsigned char)*at) && !strchr("\"'`", *at) &&
	       !(*at == ',' && words->hold == HOLD_TEXT) &&
	       !(strchr(",}]", *at) && sign == ':' && words->hold == HOLD_JSON) &&
	       !(*at == '\\' && at + 1 < end && strchr("\"'n", at[1])))
		at++;
	return at;
}

static bool is_harmless(const struct words *words, struct span value)
{
	static const char *const plain[] = { "true", "false", "null", "yes", "no",
					     "none", "-",     "on",   "off", MASKED };

	if (value.at == value.end || *value.at == '{' || *value.at == '[')
		return true;
	for (size_t i = 0; i < ELEMENTS(plain); i++)
		if ((size_t)(value.end - value.at) == strlen(plain[i]) &&
		    memcmp(value.at, plain[i], strlen(plain[i])) == 0)
			return true;
	return mask_is_path(words->mask, value);
}

static size_t indent_of(const struct words *words, const char *at)
{
	const char *line = at;

	while (line > words->start && line[-1] != '\n')
		line--;
	at = line;
	while (at < words->end && (*at == ' ' || *at == '-'))
		at++;
	return (size_t)(at - line);
}

/* "token: |" and "token:" alone: what stands deeper belongs to it, unless it has keys. */
static void take_block(struct words *words, size_t indent, bool literal)
{
	const char *line = line_end(words, words->at);

	copy_to(words, line);
	while (words->at < words->end) {
		const char *text = words->at + 1, *end;

		end = line_end(words, text);
		while (text < end && *text == ' ')
			text++;
		if (text < end && (size_t)(text - words->at - 1) <= indent)
			return;
		if (!literal && memchr(text, ':', (size_t)(end - text)))
			return;
		copy_to(words, text);
		if (text < end)
			remove_to(words, end);
	}
}

/* The value after the name and its sign; `at` stands on it. */
static void take_value(struct words *words, char sign)
{
	size_t len = quote_at(words, words->at);
	const char *quote = words->at, *end;
	bool yaml = sign == ':' && words->hold == HOLD_YAML;

	if (yaml && (words->at == words->end || strchr("\n|>#", *words->at))) {
		bool literal = words->at < words->end && (*words->at == '|' || *words->at == '>');

		take_block(words, indent_of(words, words->at - 1), literal);
		return;
	}
	if (len)
		copy_to(words, words->at + len);
	end = len ? quoted_end(words, words->at, quote, len) : plain_end(words, words->at, sign);
	if (is_harmless(words, (struct span){ words->at, end })) {
		copy_to(words, end);
	} else if (sign == ':' && !len && words->hold == HOLD_JSON) {
		buf_addc(words->ret, '0'); /* a bare word would be no JSON */
		words->at = end;
	} else {
		remove_to(words, end);
	}
}

static const char *skip_blanks(const struct words *words, const char *at)
{
	while (at < words->end && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

/* What stands between an option and its value: blanks, quotes, commas, "\" and a line end, "- ". */
static const char *next_argument(const struct words *words, const char *at)
{
	const char *start = at;

	while (at < words->end && (isspace((unsigned char)*at) || strchr("\"',\\", *at) ||
				   (*at == '-' && at + 1 < words->end && at[1] == ' ')))
		at++;
	return at == start || at == words->end || *at == '-' ? NULL : at;
}

/* In a list of words a comment, a bracket or a new setting is no value. */
static void take_argument(struct words *words)
{
	const char *value = next_argument(words, words->at), *end;
	const char *newline = value ? memchr(words->at, '\n', (size_t)(value - words->at)) : NULL;
	bool goes_on = !newline || words->hold == HOLD_YAML || words->hold == HOLD_JSON ||
		       (newline > words->start && newline[-1] == '\\');
	size_t len;

	if (!value || !goes_on || strchr("#[]{}", *value))
		return;
	copy_to(words, value);
	len = quote_at(words, value - 1);
	end = len == 1 ? quoted_end(words, value, value - 1, 1)
		       : plain_end(words, value, words->hold == HOLD_YAML ? ' ' : '=');
	if (is_harmless(words, (struct span){ value, end }))
		copy_to(words, end);
	else
		remove_to(words, end);
}

static bool is_word(struct span name, const char *word)
{
	return (size_t)(name.end - name.at) == strlen(word) &&
	       memcmp(name.at, word, strlen(word)) == 0;
}

/* GRUB: "password_pbkdf2 USER HASH". */
static bool is_grub_password(const struct words *words, struct span name)
{
	const char *line = name.at;

	while (line > words->start && (line[-1] == ' ' || line[-1] == '\t'))
		line--;
	return words->hold == HOLD_TEXT && (line == words->start || line[-1] == '\n') &&
	       (is_word(name, "password") || is_word(name, "password_pbkdf2")) &&
	       name.end < words->end && *name.end == ' ';
}

/* "Environment":["A=b"] of a unit's properties. */
static bool take_array(struct words *words, struct span name)
{
	const char *at = name.end + quote_at(words, name.end), *end;

	if (words->hold != HOLD_JSON || !is_word(name, "Environment") || at == words->end ||
	    *at != ':')
		return false;
	for (at++; at < words->end && isspace((unsigned char)*at);)
		at++;
	end = at < words->end && *at == '[' ? memchr(at, ']', (size_t)(words->end - at)) : NULL;
	if (!end)
		return false;
	copy_to(words, at);
	while (at < end) {
		const char *quote = memchr(at, '"', (size_t)(end - at)), *equals, *close;

		if (!quote)
			break;
		close = quoted_end(words, quote + 1, quote, 1);
		equals = memchr(quote, '=', (size_t)(close - quote));
		copy_to(words, equals ? equals + 1 : quote + 1);
		mask_value(words->mask, (struct span){ words->at, close }, words->ret);
		words->at = at = close < words->end ? close : words->end;
		if (at < words->end)
			copy_to(words, ++at);
		/* A value may hold a bracket. */
		if (at >= end)
			end = memchr(at, ']', (size_t)(words->end - at));
		if (!end)
			end = words->end;
	}
	return true;
}

static void take_name(struct words *words)
{
	const char *at = words->at;
	struct span name = { at, at };
	bool option;

	while (name.end < words->end && is_name_char(*name.end))
		name.end++;
	option = name.end - name.at > 1 && *name.at == '-';
	if (take_array(words, name))
		return;
	copy_to(words, name.end);
	if (is_grub_password(words, name)) {
		copy_to(words, words->at + 1);
		remove_to(words, line_end(words, words->at));
		return;
	}
	if (!mask_is_secret_name(name) &&
	    !(is_word(name, "value") && (words->hold == HOLD_YAML || words->hold == HOLD_JSON)))
		return;
	at = skip_blanks(words, name.end + quote_at(words, name.end));
	if (at < words->end && (*at == '=' || *at == ':') &&
	    !(*at == ':' && words->end - at > 2 && at[1] == '/' && at[2] == '/')) {
		char sign = *at;

		copy_to(words, skip_blanks(words, at + 1));
		take_value(words, sign);
	} else if (option) {
		take_argument(words);
	}
}

int mask_words(const struct mask *mask, enum hold hold, struct span text, struct buf *ret)
{
	struct words words = { mask, hold, text.at, text.at, text.end, ret };

	while (words.at < words.end) {
		if (begins(&words, "://"))
			take_url(&words);
		else if (begins(&words, "-----BEGIN "))
			take_pem(&words);
		else if (is_name_char(*words.at))
			take_name(&words);
		else
			copy_to(&words, words.at + 1);
	}
	return buf_error(ret);
}

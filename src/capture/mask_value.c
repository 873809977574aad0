/* SPDX-License-Identifier: MIT */
/* Which names mean a secret, which words are paths, and values without a name. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/strv.h"
#include "capture/mask.h"

#define NAME_LEN_MAX 128

static const char *const secret_words[] = { "token",      "passw",      "secret",
					    "passphrase", "apikey",     "credential",
					    "accesskey",  "privatekey", "encryptionkey",
					    "sharedkey" };
/* As a word of its own within a name. */
static const char *const whole_words[] = { "pass", "pwd", "psk", "pin", "auth" };

/* Lower case, with one '_' between words: "K3S_TOKEN", "secret-key", "accessKey". */
static void fold(struct span name, char ret[2 * NAME_LEN_MAX + 3])
{
	size_t n = 0;
	char before = '_';

	ret[n++] = '_';
	for (; name.at < name.end && n < 2 * NAME_LEN_MAX; name.at++) {
		char c = *name.at;

		if (!isalnum((unsigned char)c))
			c = '_';
		if (isupper((unsigned char)c) && islower((unsigned char)before))
			ret[n++] = '_';
		if (c != '_' || ret[n - 1] != '_')
			ret[n++] = (char)tolower((unsigned char)c);
		before = c;
	}
	if (ret[n - 1] != '_')
		ret[n++] = '_';
	ret[n] = '\0';
}

static void drop(char *text, char c)
{
	char *to = text;

	for (; *text; text++)
		if (*text != c)
			*to++ = *text;
	*to = '\0';
}

bool mask_is_secret_name(struct span name)
{
	char folded[2 * NAME_LEN_MAX + 3], word[16];

	/* The end of a long name says what it is. */
	if (name.end - name.at > NAME_LEN_MAX)
		name.at = name.end - NAME_LEN_MAX;
	fold(name, folded);
	for (size_t i = 0; i < ELEMENTS(whole_words); i++) {
		snprintf(word, sizeof(word), "_%s_", whole_words[i]);
		if (strstr(folded, word))
			return true;
	}
	drop(folded, '_');
	for (size_t i = 0; i < ELEMENTS(secret_words); i++)
		if (strstr(folded, secret_words[i]))
			return true;
	return strstr(folded, "secretkey") || strstr(folded, "accountkey") ||
	       strstr(folded, "masterkey") || strstr(folded, "unsealkey") ||
	       strstr(folded, "licensekey") || strstr(folded, "authkey");
}

static bool is_path_char(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("/._-@+~%$*{}\\", c));
}

static bool is_one_path(const struct mask *mask, struct span word)
{
	AUTO_FREE char *top = NULL;
	const char *end;

	if (word.at == word.end || *word.at != '/')
		return false;
	for (const char *at = word.at; at < word.end; at++)
		if (!is_path_char(*at))
			return false;
	end = memchr(word.at + 1, '/', (size_t)(word.end - word.at - 1));
	top = strndup(word.at + 1, (size_t)((end ? end : word.end) - word.at - 1));
	return top && (!*top || strv_has(mask->tops, top));
}

/* A path, or a list of paths as PATH= has it. */
bool mask_is_path(const struct mask *mask, struct span word)
{
	const char *colon;

	while ((colon = memchr(word.at, ':', (size_t)(word.end - word.at)))) {
		if (!is_one_path(mask, (struct span){ word.at, colon }))
			return false;
		word.at = colon + 1;
	}
	return is_one_path(mask, word);
}

int mask_removed(struct span secret, struct buf *ret)
{
	buf_adds(ret, MASKED);
	for (; secret.at < secret.end; secret.at++)
		if (*secret.at == '\n')
			buf_addc(ret, '\n');
	return buf_error(ret);
}

/* "--data-dir" or "-D", with "=" or not: the name of an option and not its value. */
static const char *option_end(struct span word)
{
	const char *at = word.at;

	while (at < word.end && *at == '-')
		at++;
	if (at == word.at || at - word.at > 2)
		return word.at;
	if (at - word.at == 1) /* the rest of "-pSECRET" may be one */
		return at + 1 == word.end ? word.end : word.at;
	while (at < word.end && (islower((unsigned char)*at) || *at == '-'))
		at++;
	if (at < word.end && *at == '=')
		return at + 1;
	return at == word.end ? at : word.at;
}

static bool ends_word(char c)
{
	return isspace((unsigned char)c) || strchr("\"'`,;()[]{}<>|&", c) != NULL;
}

int mask_value(const struct mask *mask, struct span value, struct buf *ret)
{
	while (value.at < value.end) {
		struct span word = { value.at, value.at };

		if (ends_word(*value.at)) {
			buf_addc(ret, *value.at++);
			continue;
		}
		while (word.end < value.end && !ends_word(*word.end))
			word.end++;
		value.at = word.end;
		if (word.end - word.at == 1 && *word.at == '\\') {
			buf_addc(ret, '\\'); /* the setting goes on */
			continue;
		}
		const char *rest = option_end(word);
		buf_add(ret, word.at, (size_t)(rest - word.at));
		word.at = rest;
		if (mask_is_path(mask, word))
			buf_add(ret, word.at, (size_t)(word.end - word.at));
		else if (word.at < word.end)
			buf_adds(ret, MASKED);
	}
	return buf_error(ret);
}

/* The end of a word of an environment: outside of quotes at a blank. */
static const char *assignment_end(struct span text)
{
	char quote = 0;

	for (; text.at < text.end; text.at++) {
		if (quote && *text.at == quote)
			quote = 0;
		else if (!quote && (*text.at == '"' || *text.at == '\''))
			quote = *text.at;
		else if (!quote && isspace((unsigned char)*text.at))
			break;
		if (*text.at == '\\' && text.at + 1 < text.end && text.at[1] != '\n')
			text.at++;
	}
	return text.at;
}

int mask_environment(const struct mask *mask, struct span text, struct buf *ret)
{
	while (text.at < text.end) {
		const char *end = assignment_end(text), *equals;

		if (end == text.at) {
			buf_addc(ret, *text.at++);
			continue;
		}
		equals = memchr(text.at, '=', (size_t)(end - text.at));
		equals = equals ? equals + 1 : text.at;
		buf_add(ret, text.at, (size_t)(equals - text.at));
		mask_value(mask, (struct span){ equals, end }, ret);
		text.at = end;
	}
	return buf_error(ret);
}

/* SPDX-License-Identifier: MIT */
#include "capture/renames.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/digest.h"
#include "sys/entropy.h"

#define BUCKETS 65536
#define NONE SIZE_MAX

int renames_init(struct renames *renames, struct error *err)
{
	*renames = (struct renames){ 0 };
	return entropy_bytes(renames->key, sizeof(renames->key), err);
}

void renames_done(struct renames *renames)
{
	for (size_t i = 0; i < renames->n; i++) {
		free(renames->items[i].from);
		free(renames->items[i].to);
	}
	free(renames->items);
	free(renames->heads);
	free(renames->next);
	strmap_done(&renames->known);
	explicit_bzero(renames, sizeof(*renames));
}

/* A stream of bytes that belongs to the name. */
static int stream_of(const struct renames *renames, const char *name, size_t len, size_t block,
		     uint8_t ret[HMAC_SHA256_LEN])
{
	AUTO_BUF message = BUF_INIT;

	buf_addf(&message, "%zu:", block);
	if (buf_add(&message, name, len) < 0)
		return -ENOMEM;
	return hmac_sha256(renames->key, sizeof(renames->key), message.data, message.len, ret,
			   NULL);
}

typedef char letter_function(char old, unsigned random);

static int derive(const struct renames *renames, const char *name, size_t len,
		  letter_function *letter, char *ret)
{
	uint8_t block[HMAC_SHA256_LEN];
	int r = 0;

	for (size_t i = 0; r == 0 && i < len; i++) {
		size_t at = i * 2 % HMAC_SHA256_LEN;

		if (at == 0)
			r = stream_of(renames, name, len, i * 2 / HMAC_SHA256_LEN, block);
		if (r == 0)
			ret[i] = letter(name[i], block[at] << 8u | block[at + 1]);
	}
	return r;
}

static char hex_letter(char old, unsigned random)
{
	(void)old;
	return "0123456789abcdef"[random % 16];
}

static char text_letter(char old, unsigned random)
{
	if (isdigit((unsigned char)old))
		return (char)('0' + random % 10);
	if (islower((unsigned char)old))
		return (char)('a' + random % 26);
	return old;
}

int renames_hex_of(const struct renames *renames, const char *digits, size_t len, unsigned keep,
		   char *ret)
{
	int r = derive(renames, digits, len, hex_letter, ret);

	for (size_t i = 0; r == 0 && i < keep && i < len; i++)
		ret[i] = digits[i];
	return r;
}

/*
 * Letters beyond ASCII: the last byte of each is another of the same row of
 * the code table, so that it stays valid UTF-8.
 */
static void change_rest(const char *text, size_t len, const uint8_t *random, char *ret)
{
	for (size_t i = 0; i < len; i++) {
		bool tail = ((unsigned char)text[i] & 0xc0) == 0x80;
		bool last = i + 1 == len || ((unsigned char)text[i + 1] & 0xc0) != 0x80;

		if (tail && last)
			ret[i] = (char)(0x80 | random[i % HMAC_SHA256_LEN] % 64);
	}
}

static int shift_letters(const struct renames *renames, const char *text, size_t len, char *ret)
{
	uint8_t random[HMAC_SHA256_LEN];
	int r = stream_of(renames, "", 0, len, random);

	for (size_t i = 0; r == 0 && i < len; i++) {
		unsigned by = 1 + random[i] % 9;

		ret[i] = text[i];
		if (isdigit((unsigned char)text[i]))
			ret[i] = (char)('0' + ((unsigned)(text[i] - '0') + by) % 10);
		else if (islower((unsigned char)text[i]))
			ret[i] = (char)('a' + ((unsigned)(text[i] - 'a') + by) % 26);
	}
	return r;
}

int renames_text_of(const struct renames *renames, const char *text, size_t len, char *ret)
{
	char *lower = strndup(text, len);
	uint8_t random[HMAC_SHA256_LEN];
	/* So short that two could meet: one shift for all of a length keeps them apart. */
	bool shift = len < 4;
	int r = lower ? 0 : -ENOMEM;

	for (size_t i = 0; lower && i < len; i++)
		lower[i] = (char)tolower((unsigned char)lower[i]);
	if (r == 0 && shift)
		r = shift_letters(renames, lower, len, ret);
	else if (r == 0)
		r = derive(renames, lower, len, text_letter, ret);
	if (r == 0)
		r = stream_of(renames, lower, len, NONE, random);
	if (r == 0)
		change_rest(text, len, random, ret);
	for (size_t i = 0; r == 0 && i < len; i++)
		if (isupper((unsigned char)text[i]))
			ret[i] = (char)toupper((unsigned char)ret[i]);
	free(lower);
	return r;
}

size_t renames_digits(const char *text, size_t len, char *ret, size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		if (text[i] == '-' || text[i] == ':')
			continue;
		if (!isxdigit((unsigned char)text[i]) || n == max)
			return 0;
		ret[n++] = (char)tolower((unsigned char)text[i]);
	}
	return n;
}

/* Two names may have one form ("a b" and "a_b"): the first one has it. 1, 0 or -ENOMEM. */
static int is_first(struct renames *renames, const char *from, size_t len)
{
	AUTO_BUF key = BUF_INIT;

	buf_addc(&key, 'f');
	if (buf_add(&key, from, len) < 0)
		return -ENOMEM;
	/* What holds a NUL is of two-byte letters or bytes, and is met once. */
	if (memchr(from, '\0', len))
		return 1;
	if (strmap_find(&renames->known, key.data))
		return 0;
	return strmap_add(&renames->known, key.data, 0) < 0 ? -ENOMEM : 1;
}

int renames_add_form(struct renames *renames, const void *from, size_t from_len, const void *to,
		     size_t to_len, bool exact, bool word)
{
	struct rename rename = { NULL, NULL, from_len, to_len, exact, word };

	int r = from_len < 2 ? 0 : is_first(renames, from, from_len);

	if (r <= 0)
		return r;
	if (renames->n == renames->capacity) {
		size_t capacity = renames->capacity ? renames->capacity * 2 : 128;
		struct rename *more = reallocarray(renames->items, capacity, sizeof(*more));

		if (!more)
			return -ENOMEM;
		renames->items = more;
		renames->capacity = capacity;
	}
	rename.from = malloc(from_len + 1);
	rename.to = malloc(to_len + 1);
	if (!rename.from || !rename.to) {
		free(rename.from);
		free(rename.to);
		return -ENOMEM;
	}
	memcpy(rename.from, from, from_len);
	memcpy(rename.to, to, to_len);
	for (size_t i = 0; !exact && i < from_len; i++)
		rename.from[i] = (char)tolower((unsigned char)rename.from[i]);
	renames->items[renames->n++] = rename;
	return 0;
}

static size_t bucket_of(const char *bytes)
{
	return (size_t)tolower((unsigned char)bytes[0]) << 8 |
	       (size_t)tolower((unsigned char)bytes[1]);
}

static int longer_last(const void *a, const void *b)
{
	const struct rename *x = a, *y = b;

	return x->from_len < y->from_len ? -1 : x->from_len > y->from_len;
}

int renames_seal(struct renames *renames)
{
	if (renames->n)
		qsort(renames->items, renames->n, sizeof(*renames->items), longer_last);
	renames->heads = malloc(BUCKETS * sizeof(size_t));
	renames->next = malloc((renames->n + 1) * sizeof(size_t));
	if (!renames->heads || !renames->next)
		return -ENOMEM;
	for (size_t i = 0; i < BUCKETS; i++)
		renames->heads[i] = NONE;
	/* What is put in last comes first. */
	for (size_t i = 0; i < renames->n; i++) {
		size_t *head = &renames->heads[bucket_of(renames->items[i].from)];

		renames->next[i] = *head;
		*head = i;
	}
	return 0;
}

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

static bool fits(const struct rename *rename, const char *bytes, size_t len, size_t at)
{
	if (rename->from_len > len - at)
		return false;
	if (rename->exact)
		return memcmp(rename->from, bytes + at, rename->from_len) == 0;
	for (size_t i = 0; i < rename->from_len; i++)
		if (tolower((unsigned char)bytes[at + i]) != (unsigned char)rename->from[i])
			return false;
	if (!rename->word)
		return true;
	return (at == 0 || !is_word_char(bytes[at - 1])) &&
	       (at + rename->from_len == len || !is_word_char(bytes[at + rename->from_len]));
}

/* In the case of what stood there. */
static int put(const struct rename *rename, const char *old, struct buf *ret)
{
	bool upper = false, lower = false;

	if (rename->exact)
		return buf_add(ret, rename->to, rename->to_len);
	for (size_t i = 0; i < rename->from_len; i++) {
		upper |= isupper((unsigned char)old[i]) != 0;
		lower |= islower((unsigned char)old[i]) != 0;
	}
	for (size_t i = 0; i < rename->to_len; i++) {
		char c = rename->to[i];
		bool letter = i < rename->from_len && isalpha((unsigned char)old[i]);

		if (letter ? isupper((unsigned char)old[i]) : upper && !lower)
			c = (char)toupper((unsigned char)c);
		else if (letter || !upper)
			c = (char)tolower((unsigned char)c);
		buf_addc(ret, c);
	}
	return buf_error(ret);
}

int renames_apply(const struct renames *renames, const char *bytes, size_t len, struct buf *ret)
{
	size_t at = 0, done = 0;

	while (at + 2 <= len) {
		size_t i = renames->heads[bucket_of(bytes + at)];

		while (i != NONE && !fits(&renames->items[i], bytes, len, at))
			i = renames->next[i];
		if (i == NONE) {
			at++;
			continue;
		}
		buf_add(ret, bytes + done, at - done);
		put(&renames->items[i], bytes + at, ret);
		at += renames->items[i].from_len;
		done = at;
	}
	return buf_add(ret, bytes + done, len - done);
}

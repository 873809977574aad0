/* SPDX-License-Identifier: MIT */
/*
 * Near misses, by optimal string alignment: one edit is an inserted, lost or
 * changed byte, or two neighbours swapped.  Long words are not compared: they
 * are no typing errors, and hostile input must cost nothing.
 */
#include <string.h>

#include "base/intl.h"
#include "runbook.h"

#define WORD_MAX_LEN 40

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Both words at most WORD_MAX_LEN bytes. */
static unsigned distance(const char *a, size_t len_a, const char *b, size_t len_b)
{
	unsigned rows[3][WORD_MAX_LEN + 1];
	unsigned *before = rows[0], *above = rows[1], *row = rows[2];

	for (unsigned j = 0; j <= len_b; j++)
		above[j] = j;
	for (unsigned i = 1; i <= len_a; i++) {
		unsigned *spare = before;

		row[0] = i;
		for (unsigned j = 1; j <= len_b; j++) {
			row[j] = least(above[j - 1] + (a[i - 1] != b[j - 1]),
				       least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], before[j - 2] + 1);
		}
		before = above;
		above = row;
		row = spare;
	}
	return above[len_b];
}

const char *nearest_word(const char *word, const char *const *words, size_t n)
{
	size_t len = strlen(word);
	/* A third of the word may be wrong, but never more than three bytes. */
	unsigned best = least(3, (unsigned)(len + 2) / 3) + 1;
	const char *nearest = NULL;

	if (!len || len > WORD_MAX_LEN)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		size_t other = strlen(words[i]);
		unsigned d;

		if (other > WORD_MAX_LEN)
			continue;
		d = distance(word, len, words[i], other);
		if (d < best && d < other) {
			best = d;
			nearest = words[i];
		}
	}
	return nearest;
}

int suggest(const char *word, const char *const *words, size_t n, struct buf *ret)
{
	const char *nearest = nearest_word(word, words, n);

	if (nearest)
		buf_addf(ret, _("; did you mean '%s'?"), nearest);
	buf_adds(ret, nearest ? _(" Allowed: ") : _("; allowed: "));
	for (size_t i = 0; i < n; i++)
		buf_addf(ret, "%s%s", i ? ", " : "", words[i]);
	if (!n)
		buf_adds(ret, _("none"));
	return buf_error(ret);
}

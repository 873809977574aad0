/* SPDX-License-Identifier: MIT */
#include "journal/chain.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/digest.h"
#include "base/intl.h"

static void add_text(struct buf *to, const char *text)
{
	if (!text) {
		(void)buf_adds(to, "-,");
		return;
	}
	(void)buf_addf(to, "%zu:", strlen(text));
	(void)buf_adds(to, text);
	(void)buf_addc(to, ',');
}

static void add_number(struct buf *to, int64_t number)
{
	AUTO_BUF text = BUF_INIT;

	if (buf_addf(&text, "%" PRId64, number) < 0)
		to->failed = buf_error(&text);
	add_text(to, buf_text(&text));
}

int chain_hash(const char *before, const struct chain_event *event, char ret[65], struct error *err)
{
	AUTO_BUF text = BUF_INIT;

	add_text(&text, before);
	add_number(&text, event->seq);
	add_number(&text, event->session);
	add_text(&text, event->at);
	add_text(&text, event->type);
	add_text(&text, event->step);
	add_text(&text, event->key);
	add_text(&text, event->body);
	if (buf_error(&text) == -ENOMEM)
		return error_oom(err);
	if (buf_error(&text))
		return error_set(err, buf_error(&text), _("an event is too large for the journal"));
	return sha256_hex(text.data, text.len, ret, err);
}

int chain_row(struct journal *journal, sqlite3_stmt *statement, struct chain_event *ret,
	      struct error *err)
{
	const char **const texts[] = { &ret->at,  &ret->type, &ret->step,
				       &ret->key, &ret->body, &ret->hash };
	int r;

	ret->seq = sqlite3_column_int64(statement, 0);
	ret->session = sqlite3_column_int64(statement, 1);
	for (size_t i = 0; i < ELEMENTS(texts); i++)
		if ((r = sql_text(journal, statement, (int)i + 2, texts[i], err)) < 0)
			return r;
	if (!ret->at || !ret->type || !ret->body || !ret->hash || strlen(ret->hash) != 64)
		return sql_damaged(journal, err, _("event %lld is not whole"), (long long)ret->seq);
	return 0;
}

/* Does the event follow on the one before, whose hash is `before`? */
static int check_row(struct journal *journal, sqlite3_stmt *statement, int64_t seq, char before[65],
		     struct error *err)
{
	struct chain_event event;
	char hash[65];
	int r = chain_row(journal, statement, &event, err);

	if (r < 0)
		return r;
	if (event.seq != seq)
		return sql_damaged(journal, err, _("event %lld is missing"), (long long)seq);
	if ((r = chain_hash(before, &event, hash, err)) < 0)
		return r;
	if (strcmp(hash, event.hash) != 0)
		return sql_damaged(journal, err,
				   _("event %lld is not what was written, or does not follow on "
				     "the one before it"),
				   (long long)seq);
	memcpy(before, hash, sizeof(hash));
	return 0;
}

int journal_check(struct journal *journal, int64_t *ret_seq, struct error *err)
{
	AUTO_STATEMENT statement = NULL;
	char before[65] = CHAIN_START;
	int64_t seq = 1;
	int r = sql_prepare(journal, "SELECT " CHAIN_COLUMNS " FROM event ORDER BY seq", &statement,
			    err);

	if (r < 0)
		return r;
	for (; (r = sql_step(journal, statement, err)) == 1; seq++)
		if ((r = check_row(journal, statement, seq, before, err)) < 0)
			break;
	if (r < 0 && ret_seq)
		*ret_seq = seq;
	return r;
}

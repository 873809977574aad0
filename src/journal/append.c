/* SPDX-License-Identifier: MIT */
/* What is appended, each in a transaction of its own. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/intl.h"
#include "base/json.h"
#include "base/text.h"
#include "journal/chain.h"
#include "sys/clock.h"

static int misuse(struct error *err, const char *what)
{
	error_set(err, -EINVAL, "the journal does not take %s", what);
	error_hint(err, "%s", _("this is an error of coldswap; report it"));
	return -EINVAL;
}

static int check_event(const char *type, const char *step, const char *body, struct error *err)
{
	AUTO_JSON object = NULL;

	if (!*type || !text_is_utf8(type, strlen(type)))
		return misuse(err, "such a type of event");
	if (step && (!*step || !text_is_utf8(step, strlen(step))))
		return misuse(err, "such a name of a step");
	if (json_parse(body, strlen(body), "an event", &object, err) < 0 || !json_is_object(object))
		return misuse(err, "an event that is no JSON object");
	return 0;
}

static int now(char ret[40])
{
	struct timespec time = clock_realtime();
	struct tm tm;
	size_t len;

	if (!gmtime_r(&time.tv_sec, &tm) ||
	    (len = strftime(ret, 32, "%Y-%m-%dT%H:%M:%S", &tm)) == 0)
		return -EOVERFLOW;
	(void)snprintf(ret + len, 40 - len, ".%06ldZ", time.tv_nsec / 1000);
	return 0;
}

static int write_row(struct journal *journal, const struct chain_event *event, struct error *err)
{
	AUTO_STATEMENT statement = NULL;
	const char *const texts[] = { event->at,  event->type, event->step,
				      event->key, event->body, event->hash };
	int r;

	if ((r = sql_prepare(journal,
			     "INSERT INTO event (" CHAIN_COLUMNS
			     ") VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
			     &statement, err)) < 0 ||
	    (r = sql_bind_int(journal, statement, 1, event->seq, err)) < 0 ||
	    (r = sql_bind_int(journal, statement, 2, event->session, err)) < 0)
		return r;
	for (size_t i = 0; i < ELEMENTS(texts); i++)
		if ((r = sql_bind_text(journal, statement, (int)i + 3, texts[i], err)) < 0)
			return r;
	return sql_step(journal, statement, err);
}

/* Inside a transaction: number it, chain it, write it. */
static int add(struct journal *journal, const struct chain_event *what, struct error *err)
{
	struct chain_event event = *what;
	char at[40], before[65], hash[65];
	int64_t last = 0;
	int r;

	if (now(at) < 0)
		return error_set(err, -EOVERFLOW, "the clock of this host shows no date");
	if ((r = sql_int(journal, "SELECT ifnull(max(seq), 0) FROM event", &last, err)) < 0 ||
	    (r = journal_head(journal, before, err)) < 0)
		return r;
	event.seq = last + 1;
	event.at = at;
	event.hash = hash;
	if ((r = chain_hash(before, &event, hash, err)) < 0)
		return r;
	return write_row(journal, &event, err);
}

static int must_be_open(struct journal *journal, int64_t session, struct error *err)
{
	int64_t current = 0;
	int r = journal_current(journal, &current, err);

	if (r < 0 || (current != 0 && current == session))
		return r;
	error_set(err, -EINVAL, _("session %lld is not open"), (long long)session);
	error_hint(err, "%s", _("see where it stands: coldswap status"));
	return -EINVAL;
}

static int append(struct journal *journal, struct chain_event *event, struct error *err)
{
	int r = check_event(event->type, event->step, event->body, err);

	if (r < 0 || (r = sql_begin(journal, err)) < 0)
		return r;
	r = must_be_open(journal, event->session, err);
	if (r == 0)
		r = add(journal, event, err);
	return sql_end(journal, r, err);
}

static int begin(struct journal *journal, struct chain_event *event, struct error *err)
{
	int64_t current = 0, n = 0;
	int r;

	if ((r = journal_current(journal, &current, err)) < 0 ||
	    (r = journal_count(journal, &n, err)) < 0)
		return r;
	if (current) {
		error_set(err, -EBUSY, _("session %lld is open"), (long long)current);
		error_hint(err, "%s", _("see where it stands: coldswap status"));
		return -EBUSY;
	}
	event->session = n + 1;
	return add(journal, event, err);
}

int journal_begin(struct journal *journal, const char *body, int64_t *ret_session,
		  struct error *err)
{
	struct chain_event event = { .type = "opened", .body = body };
	int r = check_event(event.type, NULL, body, err);

	if (r < 0 || (r = sql_begin(journal, err)) < 0)
		return r;
	r = sql_end(journal, begin(journal, &event, err), err);
	if (r == 0)
		*ret_session = event.session;
	return r;
}

int journal_append(struct journal *journal, int64_t session, const char *type, const char *step,
		   const char *body, struct error *err)
{
	static const char *const own[] = { "opened", "closed", "original" };
	struct chain_event event = { .session = session, .type = type, .step = step, .body = body };

	for (size_t i = 0; i < ELEMENTS(own); i++)
		if (strcmp(type, own[i]) == 0)
			return misuse(err, "this type of event by this call");
	return append(journal, &event, err);
}

int journal_end(struct journal *journal, int64_t session, const char *body, struct error *err)
{
	struct chain_event event = { .session = session, .type = "closed", .body = body };

	return append(journal, &event, err);
}

/* ---- originals ------------------------------------------------------------------ */

static int original_body(const char *key, const char *value, struct buf *ret, struct error *err)
{
	AUTO_JSON object = json_object();

	/* It is given back as it was, or not taken: a byte that JSON changes is refused. */
	if (!*key || !text_is_utf8(key, strlen(key)) || !text_is_utf8(value, strlen(value)))
		return misuse(err, "an original that is no text in UTF-8");
	if (json_set_text(object, "key", key) < 0 || json_set_text(object, "value", value) < 0)
		return error_oom(err);
	return json_print(object, ret, err);
}

static int save_once(struct journal *journal, struct chain_event *event, struct error *err)
{
	AUTO_FREE char *kept = NULL;
	int r = must_be_open(journal, event->session, err);

	if (r == 0)
		r = journal_original(journal, event->session, event->step, event->key, &kept, err);
	if (r == 0)
		r = add(journal, event, err);
	return r < 0 ? r : 0;
}

int journal_save_original(struct journal *journal, int64_t session, const char *step,
			  const char *key, const char *value, struct error *err)
{
	AUTO_BUF body = BUF_INIT;
	struct chain_event event = {
		.session = session, .type = "original", .step = step, .key = key
	};
	int r;

	/* The unique index takes two NULLs for two steps. */
	if (!step)
		return misuse(err, "an original without its step");
	if ((r = original_body(key, value, &body, err)) < 0 ||
	    (event.body = buf_text(&body), r = check_event(event.type, step, event.body, err)) <
		    0 ||
	    (r = sql_begin(journal, err)) < 0)
		return r;
	return sql_end(journal, save_once(journal, &event, err), err);
}
